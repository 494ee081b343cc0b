import type { Command } from 'commander';
import { addDev } from './dev/dev-command.ts';
import { addDiagnose } from './diagnose/diagnose-command.ts';
import { addInit } from './installation/init-command.ts';
import { addMigrate } from './installation/migrate-command.ts';
import { addServe } from './installation/serve-command.ts';
import { addUser } from './installation/user-command.ts';
import { addKeyring } from './keyring/keyring-command.ts';

/** Those of the server, and of whoever runs it: they load all of it. */
export function addServerCommands(program: Command): void {
  addDev(program);
  addServe(program);
  addInit(program);
  addMigrate(program);
  addUser(program);
  addKeyring(program);
  addDiagnose(program);
}
