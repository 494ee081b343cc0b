import { resolve } from 'node:path';
import { DamagedBackup } from '../../backup/index.ts';
import { KeyringError } from '../../storage/index.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ConfigOptions } from '../process/config-file.ts';

export interface BackupOptions extends ConfigOptions {
  readonly format: 'text' | 'json';
}

/** Parses a path from the command line, relative to the working directory. A trailing slash marks a folder. */
export function absoluteLocation(said: string | undefined): string | undefined {
  if (said === undefined || said.startsWith('s3://')) return said;
  return resolve(said) + (said.endsWith('/') ? '/' : '');
}

/** Returns the CommandError for an unusable backup. */
export function withOperatorErrors<T>(backup: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof DamagedBackup || error instanceof KeyringError)) throw error;
    throw new CommandError(`${backup}: ${error.message}`);
  });
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Formats a size, such as `12.3 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
