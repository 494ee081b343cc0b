import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/index.ts';
import { AppError } from '../lib/errors.ts';
import { StorageError } from '../storage/index.ts';
import { version } from '../version.ts';
import { CommandError } from './command-error.ts';
import { addDev } from './dev.ts';
import { addInit } from './init.ts';
import { addServe } from './serve.ts';

/** Their texts are meant for whoever runs the command. */
const OPERATOR_ERRORS = [CommandError, ConfigError, StorageError, AppError];

/** The `lockkeeper` command. Returns the exit code: 0 done, 1 failed, 2 the command line was wrong. */
export async function run(args: readonly string[]): Promise<number> {
  const program = new Command('lockkeeper')
    .description('Lets machines in by certificate and keeps infrastructure workspaces.')
    .version(version)
    .exitOverride();
  addDev(program);
  addServe(program);
  addInit(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) {
      process.stderr.write(`lockkeeper: ${(error as Error).message}\n`);
      return 1;
    }
    throw error;
  }
}
