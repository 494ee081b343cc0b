import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lockForServer, SERVER_LOCK_FILE, type ServerLock } from '../../storage/index.ts';
import { CommandError } from '../errors/command-error.ts';

const MARK = 'lockkeeper-dev.json';

/** File in the demo folder with the tokens, to show them at each start, and what the next start needs. */
export interface DevRecord {
  readonly rootToken?: string;
  readonly userToken?: string;
  readonly complete?: boolean;
  /** Port of the Git server, which a connection names. */
  readonly gitPort?: number;
}

/** Folder of the databases. */
export const dataFolder = (directory: string) => join(directory, 'data');

/**
 * Data folder of a demo. Only an empty folder or an earlier demo folder is used, and only a demo folder is emptied, so
 * that a mistyped `--data` with `--fresh` deletes no other data. Data that a running server uses is not deleted
 * either.
 * @throws CommandError; StorageError while another server runs on the folder
 */
export function openDevFolder(directory: string, fresh: boolean): ServerLock {
  const isUsed = existsSync(directory) && readdirSync(directory).length > 0;
  if (isUsed && !existsSync(join(directory, MARK))) {
    throw new CommandError(
      `${directory} is neither empty nor a folder of \`lockkeeper dev\`; choose another folder with --data`,
    );
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The marker file comes first: everything in a folder with it belongs to the demo.
  if (!isUsed) writeRecord(directory, {});
  const lock = lockForServer(dataFolder(directory));
  if (isUsed && fresh) empty(directory);
  return lock;
}

/** Deletes everything except the lock file, which this process holds. */
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
