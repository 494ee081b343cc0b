import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageConfig } from '../../config/index.ts';
import { CommandError } from '../errors/command-error.ts';

/** Checks that the embedded database exists, because opening it would create it. @throws CommandError if it does not */
export function requireDatabases(storage: StorageConfig, config: string): void {
  if (storage.type === 'postgres' || existsSync(join(storage.directory, 'access.db'))) return;
  throw new CommandError(`no database in ${storage.directory}; run \`lockkeeper init --config ${config}\` first`);
}
