import type { Command } from 'commander';
import { addCert } from './access-api/cert-command.ts';
import { addDelete } from './access-api/delete-command.ts';
import { addList } from './access-api/list-command.ts';
import { addRead } from './access-api/read-command.ts';
import { addWrite } from './access-api/write-command.ts';
import { addAgent } from './agent/agent-command.ts';
import { addLogin } from './login/login-command.ts';
import { addLogout } from './login/logout-command.ts';
import { addApi } from './workspace-api/api-command.ts';
import { addExplorer } from './workspace-api/explorer-command.ts';
import { addNotification } from './workspace-api/notification/notification-command.ts';
import { addRun } from './workspace-api/run-command.ts';
import { addSchedule } from './workspace-api/schedule/schedule-command.ts';
import { addVcs } from './workspace-api/vcs/vcs-command.ts';
import { addWorkspace } from './workspace-api/workspace-command.ts';

/** Commands that talk to a server. They start without loading server code. The agent's modules are loaded when it runs. */
export function addClientCommands(program: Command): void {
  addLogin(program);
  addLogout(program);
  addRead(program);
  addWrite(program);
  addList(program);
  addDelete(program);
  addApi(program);
  addWorkspace(program);
  addExplorer(program);
  addRun(program);
  addSchedule(program);
  addNotification(program);
  addVcs(program);
  addCert(program);
  addAgent(program);
}
