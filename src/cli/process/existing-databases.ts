import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageConfig } from '../../config/index.ts';
import { CommandError } from '../errors/command-error.ts';

/** To open an embedded database would make it. @throws CommandError where there is none */
export function requireDatabases(storage: StorageConfig, config: string): void {
  if (storage.type === 'postgres' || existsSync(join(storage.directory, 'access.db'))) return;
  throw new CommandError(
    `there is no database in ${storage.directory}; run \`lockkeeper init --config ${config}\` first`,
  );
}
