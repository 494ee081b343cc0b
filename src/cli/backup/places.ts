import { resolve } from 'node:path';
import { DamagedBackup } from '../../backup/index.ts';
import { KeyringError } from '../../storage/index.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ConfigOptions } from '../process/config-file.ts';

export interface BackupOptions extends ConfigOptions {
  readonly format: 'text' | 'json';
}

/** What somebody has named, from where they stand: a slash at the end says that it is a place. */
export function absoluteLocation(said: string | undefined): string | undefined {
  if (said === undefined || said.startsWith('s3://')) return said;
  return resolve(said) + (said.endsWith('/') ? '/' : '');
}

/** What is wrong with a backup, for whoever runs the command. */
export function withOperatorErrors<T>(backup: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof DamagedBackup || error instanceof KeyringError)) throw error;
    throw new CommandError(`${backup}: ${error.message}`);
  });
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** `12.3 MB` */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
