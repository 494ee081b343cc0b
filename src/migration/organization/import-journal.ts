import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, FileTaken, lockFile } from '../../lib/locks/file-lock.ts';

const ID = /^[\da-f]{16}$/;
/** File that a running import keeps locked. */
const RUNNING = 'running.lock';

/** Locks that imports have taken, so that an import releases its own ones only. */
export interface ImportJournal {
  /** ID of this import, for the reasons of its locks. */
  readonly id: string;
  /** Returns whether an ID is that of this import, or of an interrupted one that it continues. */
  isOwn(id: string): boolean;
  /** Notes a workspace before it is locked. */
  locking(workspaceId: string): void;
  /** Forgets a workspace that no import of this journal has locked. */
  unlocked(workspaceId: string): void;
  /** Ends the import. The next one recognizes the locks that remain. */
  close(): void;
}

/** A run of an import: a folder with a locked file, and an empty file for each workspace that it has locked. */
interface Run {
  readonly folder: string;
  readonly lock: FileLock;
}

/**
 * Opens the journal of an import, which continues the interrupted imports of the same key. A file lock shows whether an import
 * still runs: the operating system releases it when the process ends.
 * @param folder folder of all journals
 * @param key texts that identify the import: source and target
 * @throws any error of the file system
 */
export function openJournal(folder: string, key: readonly string[]): ImportJournal {
  const own = join(folder, createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const runs = new Map<string, Run>();
  for (const name of readdirSync(own)) {
    const lock = ID.test(name) ? lockOfEarlier(join(own, name)) : undefined;
    if (lock !== undefined) runs.set(name, { folder: join(own, name), lock });
  }
  const id = startRun(own, runs);
  return {
    id,
    isOwn: (one) => runs.has(one),
    locking: (workspaceId) => writeFileSync(join(own, id, noteOf(workspaceId)), '', { mode: 0o600 }),
    unlocked(workspaceId) {
      for (const run of runs.values()) rmSync(join(run.folder, noteOf(workspaceId)), { force: true });
    },
    close() {
      for (const run of runs.values()) end(run);
    },
  };
}

/** A journal that remembers nothing: the next import does not recognize the locks of this one. */
export function forgetfulJournal(): ImportJournal {
  const id = newId();
  return { id, isOwn: (one) => one === id, locking() {}, unlocked() {}, close() {} };
}

const newId = () => randomBytes(8).toString('hex');

/** A server chooses the IDs of its workspaces, so they are no names of files. */
const noteOf = (workspaceId: string) => createHash('sha256').update(workspaceId).digest('hex');

/** Starts a run with an ID that no other import takes for an interrupted one in this moment. @returns the ID */
function startRun(own: string, runs: Map<string, Run>): string {
  for (;;) {
    const id = newId();
    const folder = join(own, id);
    mkdirSync(folder, { mode: 0o700 });
    const lock = lockOf(folder);
    if (lock === undefined) continue;
    runs.set(id, { folder, lock });
    return id;
  }
}

/** Returns undefined while the import is running. */
function lockOf(folder: string): FileLock | undefined {
  try {
    return lockFile(join(folder, RUNNING));
  } catch (error) {
    if (error instanceof FileTaken) return undefined;
    throw error;
  }
}

/** As `lockOf`. A folder that cannot be opened hides only the locks of its own run. */
function lockOfEarlier(folder: string): FileLock | undefined {
  try {
    return lockOf(folder);
  } catch {
    return undefined;
  }
}

/** Deletes the folder of a run that has no workspaces left. */
function end({ folder, lock }: Run): void {
  lock.release();
  try {
    const names = readdirSync(folder);
    if (!names.every((name) => name.startsWith(RUNNING))) return;
    for (const name of names) rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch {
    // Another import has looked at it meanwhile, and deletes it at its end. The result of this import counts more.
  }
}
