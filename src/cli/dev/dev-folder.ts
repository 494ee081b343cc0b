import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lockForServer, SERVER_LOCK_FILE, type ServerLock } from '../../storage/index.ts';
import { CommandError } from '../errors/command-error.ts';

const MARK = 'lockkeeper-dev.json';

/** What the folder itself remembers: the tokens, to show them again at the next start, and whether the data is all there. */
export interface DevRecord {
  readonly rootToken?: string;
  readonly userToken?: string;
  readonly complete?: boolean;
}

/** Where the databases are. */
export const dataFolder = (directory: string) => join(directory, 'data');

/**
 * The one folder of a demo installation. Only a folder that is empty or that we made is used, and only one that we made is
 * emptied: a mistyped `--data` with `--fresh` deletes nothing of anybody else's. Nor is anything deleted that a server uses.
 * @throws CommandError, StorageError while another server runs on it
 */
export function openDevFolder(directory: string, fresh: boolean): ServerLock {
  const isUsed = existsSync(directory) && readdirSync(directory).length > 0;
  if (isUsed && !existsSync(join(directory, MARK))) {
    throw new CommandError(
      `${directory} is neither empty nor a folder of \`lockkeeper dev\`; choose another with --data`,
    );
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // First of all: what is in a folder with the mark is ours.
  if (!isUsed) writeRecord(directory, {});
  const lock = lockForServer(dataFolder(directory));
  if (isUsed && fresh) empty(directory);
  return lock;
}

/** All but the lock, which is held. */
function empty(directory: string): void {
  const data = dataFolder(directory);
  const inside = (folder: string, kept: string) =>
    readdirSync(folder)
      .filter((name) => name !== kept)
      .map((name) => join(folder, name));
  for (const path of [...inside(directory, basename(data)), ...inside(data, SERVER_LOCK_FILE)]) {
    rmSync(path, { recursive: true });
  }
  writeRecord(directory, {});
}

export function readRecord(directory: string): DevRecord {
  return JSON.parse(readFileSync(join(directory, MARK), 'utf8')) as DevRecord;
}

export function writeRecord(directory: string, record: DevRecord): void {
  writeFileSync(join(directory, MARK), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
