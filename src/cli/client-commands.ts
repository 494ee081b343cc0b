import type { Command } from 'commander';
import { addApi } from './api.ts';
import { addCert } from './cert.ts';
import { addDelete } from './delete.ts';
import { addList } from './list.ts';
import { addLogin } from './login.ts';
import { addLogout } from './logout.ts';
import { addRead } from './read.ts';
import { addWorkspace } from './workspace/index.ts';
import { addWrite } from './write.ts';

/** Those that speak to a server; they start without loading any of it. */
export function addClientCommands(program: Command): void {
  addLogin(program);
  addLogout(program);
  addRead(program);
  addWrite(program);
  addList(program);
  addDelete(program);
  addApi(program);
  addWorkspace(program);
  addCert(program);
}
