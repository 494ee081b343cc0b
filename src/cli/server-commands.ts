import type { Command } from 'commander';
import { addBackup } from './backup/backup-command.ts';
import { addDev } from './dev/dev-command.ts';
import { addDiagnose } from './diagnose/diagnose-command.ts';
import { addInit } from './installation/init-command.ts';
import { addMigrate } from './installation/migrate-command.ts';
import { addServe } from './installation/serve-command.ts';
import { addStateExport } from './installation/state-command.ts';
import { addStatus } from './installation/status-command.ts';
import { addOperatorUsers } from './installation/user-command.ts';
import { addKeyring } from './keyring/keyring-command.ts';

/** Commands of the server and its operator. They load all server code. */
export function addServerCommands(program: Command): void {
  addDev(program);
  addServe(program);
  addStatus(program);
  addInit(program);
  addMigrate(program);
  addOperatorUsers(program);
  addBackup(program);
  addStateExport(program);
  addKeyring(program);
  addDiagnose(program);
}
