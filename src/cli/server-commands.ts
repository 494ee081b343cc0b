import type { Command } from 'commander';
import { ConfigError } from '../config/index.ts';
import { AppError } from '../lib/errors.ts';
import { StorageError } from '../storage/index.ts';
import { addDev } from './dev/dev-command.ts';
import { addInit } from './installation/init-command.ts';
import { addServe } from './installation/serve-command.ts';
import { addUser } from './installation/user-command.ts';
import { addKeyring } from './keyring/keyring-command.ts';

/** Those of the server, and of whoever runs it: they load all of it. */
export function addServerCommands(program: Command): void {
  addDev(program);
  addServe(program);
  addInit(program);
  addUser(program);
  addKeyring(program);
}

const OPERATOR_ERRORS = [ConfigError, StorageError, AppError];

/** Whether the text of an error is meant for whoever runs the command. */
export function isOperatorError(error: unknown): error is Error {
  return OPERATOR_ERRORS.some((kind) => error instanceof kind);
}
