import type { Command } from 'commander';
import { addApproveFork } from './approve-fork.ts';
import { addConnect } from './connect.ts';
import { addCheck, addConnections } from './connections.ts';
import { addDeliveries } from './deliveries.ts';
import { addEvents } from './events.ts';
import { addExplain } from './explain.ts';
import { addLookUp } from './look-up.ts';
import { addPreview } from './preview.ts';
import { addRepositories } from './repositories.ts';

/** Command `lockkeeper vcs`: connections to VCS providers, and why commits start runs. */
export function addVcs(program: Command): void {
  const vcs = program.command('vcs').description('Connect VCS providers, and see why commits start runs');
  addConnections(vcs);
  addConnect(vcs);
  addCheck(vcs);
  addRepositories(vcs);
  addEvents(vcs);
  addExplain(vcs);
  addPreview(vcs);
  addLookUp(vcs);
  addDeliveries(vcs);
  addApproveFork(vcs);
}
