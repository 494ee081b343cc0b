import type { Command } from 'commander';
import { addStateList } from './list.ts';
import { addStatePull } from './pull.ts';
import { addStatePush } from './push.ts';
import { addStateRollback } from './rollback.ts';

/** Command `lockkeeper state`: the states of a workspace. `state export` reads one without a server. */
export function addStates(program: Command): void {
  const state = program.command('state').description('List, download, upload and restore states of a workspace');
  addStateList(state);
  addStatePull(state);
  addStatePush(state);
  addStateRollback(state);
}
