import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';

const MARK = 'lockkeeper-dev.json';

/** What the folder itself remembers: the tokens, to show them again at the next start, and whether the data is all there. */
export interface DevRecord {
  readonly rootToken?: string;
  readonly userToken?: string;
  readonly complete?: boolean;
}

/**
 * The one folder of a demo installation. Only a folder that is empty or that we made is used, and only one that we made is
 * emptied: a mistyped `--data` with `--fresh` deletes nothing of anybody else's.
 * @throws CommandError
 */
export function openDevFolder(directory: string, fresh: boolean): void {
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    if (!existsSync(join(directory, MARK))) {
      throw new CommandError(
        `${directory} is neither empty nor a folder of \`lockkeeper dev\`; choose another with --data`,
      );
    }
    if (fresh) rmSync(directory, { recursive: true });
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!existsSync(join(directory, MARK))) writeRecord(directory, {});
}

export function readRecord(directory: string): DevRecord {
  return JSON.parse(readFileSync(join(directory, MARK), 'utf8')) as DevRecord;
}

export function writeRecord(directory: string, record: DevRecord): void {
  writeFileSync(join(directory, MARK), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
