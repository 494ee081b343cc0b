import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type Finding, failure, type NamedFinding, skipped, success, warning } from '../../lib/finding/finding.ts';
import { networkFilesystem, SERVER_LOCK_FILE } from '../../storage/index.ts';
import { sizeText, spaceFinding } from '../disk/space.ts';
import { writeLatency } from '../disk/write-latency.ts';
import { type Check, NotAvailable } from '../model/check.ts';
import type { Site } from '../model/site.ts';

/** Duration of an fsync that is a warning, because every write waits for it, milliseconds. */
const SLOW_SYNC = 50;
/**
 * Size of the write-ahead log that is a warning, bytes. The log is truncated to 64 MiB; beyond this size a reader
 * blocks the checkpoint.
 */
const LONG_LOG = 268_435_456;
/**
 * The check blocks everything else while it reads the file.
 * @limit a database that is checked without `--thorough`, bytes -> it is not read
 */
const MAX_READ_BYTES = 1_073_741_824;

const FILES = ['access.db', 'workspaces.db'];

/** The embedded databases and their disk. */
export const SQLITE_CHECKS: readonly Check[] = [
  { name: 'folder', run: folder, isCheap: true },
  { name: 'space', run: async (site) => spaceFinding(folderOf(site)), isCheap: true },
  { name: 'sync', run: sync },
  { name: 'log', run: log, isCheap: true },
  { name: 'integrity', run: integrity },
  { name: 'lock', run: lock },
];

function folderOf({ config: { storage } }: Site): string {
  if (storage.type !== 'sqlite') throw new NotAvailable('the database is PostgreSQL');
  return storage.directory;
}

async function folder(site: Site): Promise<Finding> {
  const path = folderOf(site);
  try {
    const network = await networkFilesystem(path);
    if (network === undefined) return success('on a local disk', path);
    return failure(
      `on a network file system (${network})`,
      'use a local disk, or PostgreSQL: the write-ahead log does not work over a network',
      path,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(`cannot be used: ${code}`, 'run lockkeeper init, or correct storage.directory', path);
  }
}

async function sync(site: Site, signal: AbortSignal): Promise<Finding> {
  const path = folderOf(site);
  try {
    const milliseconds = await writeLatency(path, signal);
    const found = `${milliseconds.toFixed(1)} ms until a write is on the disk`;
    if (milliseconds < SLOW_SYNC) return success(found);
    return warning(found, 'use a faster disk: every write waits for it', path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      `nothing can be written: ${code}`,
      WRITE_ADVICE[code ?? ''] ?? 'check the disk in the system log',
      path,
    );
  }
}

const WRITE_ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'free space on the disk',
  EDQUOT: "free space, or raise the user's quota",
  EROFS: 'mount the disk read-write',
  EACCES: "run this command as the server's user, or give that user the folder",
  ENOENT: 'run lockkeeper init, or correct storage.directory',
};

/** Returns the size of the write-ahead log: committed changes that are not yet in the database file. */
async function log(site: Site): Promise<NamedFinding[]> {
  const files = await present(folderOf(site));
  return Promise.all(
    files.map(async (file) => {
      const { size } = await stat(`${file.path}-wal`).catch(() => ({ size: 0 }));
      const found = sizeText(size);
      const advice =
        'find the process that reads for so long (a backup tool, a shell): it blocks the checkpoint of the write-ahead log';
      return { name: file.name, ...(size > LONG_LOG ? warning(found, advice, `${file.path}-wal`) : success(found)) };
    }),
  );
}

async function integrity(site: Site, signal: AbortSignal): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, path, size } of await present(folderOf(site))) {
    const isLarge = size > MAX_READ_BYTES && !site.isThorough;
    const finding = isLarge
      ? skipped(`reading ${sizeText(size)} takes long: lockkeeper diagnose --thorough`)
      : await quickCheck(path, signal);
    findings.push({ name, ...finding });
  }
  return findings;
}

/**
 * Checks table by table, with a look at the deadline in between (https://sqlite.org/pragma.html#pragma_quick_check).
 */
async function quickCheck(path: string, signal: AbortSignal): Promise<Finding> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    for (const { name } of tables) {
      await turn();
      if (signal.aborted) return skipped('the time was not enough for all tables');
      const [row] = database.prepare(`PRAGMA quick_check("${String(name).replaceAll('"', '""')}")`).all();
      const said = String(Object.values(row ?? {})[0]);
      if (said !== 'ok') return damaged(`table ${name}: ${said.slice(0, 300)}`, path);
    }
    return success(`${tables.length} tables are intact`);
  } catch (error) {
    const { errstr, message } = error as { errstr?: string; message: string };
    return damaged(errstr ?? message, path);
  } finally {
    database.close();
  }
}

const damaged = (said: string, path: string): Finding =>
  failure(
    'the database is damaged',
    'stop the server, keep a copy of the folder, and restore a backup',
    `${path}: ${said}`,
  );

/** The server that uses the folder. */
async function lock(site: Site): Promise<Finding> {
  const path = join(folderOf(site), SERVER_LOCK_FILE);
  const holder = await lockHolder(path);
  if (holder === null) return skipped('this system does not show who has locked a file');
  if (holder === undefined) return success('no server uses the folder', path);
  return success(`a server uses the folder: process ${holder.pid}`, [path, holder.command].filter(Boolean).join(': '));
}

/** @throws NotAvailable if there is no database */
async function present(directory: string): Promise<{ name: string; path: string; size: number }[]> {
  const found = await Promise.all(
    FILES.map(async (name) => {
      const path = join(directory, name);
      const size = await stat(path).then(
        (file) => file.size,
        () => undefined,
      );
      return size === undefined ? [] : [{ name, path, size }];
    }),
  );
  if (found.flat().length === 0) throw new NotAvailable('there is no database yet');
  return found.flat();
}

/** The process of this machine that has locked a file. */
interface LockHolder {
  readonly pid: number;
  /** Command line of the process; empty if this user may not see it. */
  readonly command: string;
}

/** A line of the lock table such as `1: POSIX  ADVISORY  WRITE 1234 00:2f:56789 0 EOF` (proc_locks(5)). */
const LOCK = /^\d+: (?:POSIX|OFDLCK) +\S+ +(?:READ|WRITE) +(-?\d+) +[\da-f]+:[\da-f]+:(\d+) /;
/** Maximum length of the command line, characters. */
const SHOWN = 200;

/**
 * Reads the system's table of locks without taking a lock, so that a server may start meanwhile.
 * @returns undefined if no process holds the lock; null if this system has no such table
 */
async function lockHolder(path: string): Promise<LockHolder | undefined | null> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => undefined);
  if (locks === undefined) return null;
  const inode = await stat(path, { bigint: true }).then(
    ({ ino }) => `${ino}`,
    () => undefined,
  );
  if (inode === undefined) return undefined;
  for (const line of locks.split('\n')) {
    const [, pid = '', number] = LOCK.exec(line) ?? [];
    if (number === inode && (await hasOpen(pid, path))) return { pid: Number(pid), command: await commandOf(pid) };
  }
  return undefined;
}

/**
 * Checks that the process has this file open, because a file of another disk may have the same inode number. Returns
 * true if the files of the process are not visible.
 */
async function hasOpen(pid: string, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => undefined);
  if (descriptors === undefined) return true;
  const targets = await Promise.all(descriptors.map((one) => readlink(`${folder}/${one}`).catch(() => '')));
  return targets.some((target) => target === path || target.endsWith(`/${path.split('/').at(-1)}`));
}

async function commandOf(pid: string): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').filter(Boolean).slice(0, 3).join(' ').slice(0, SHOWN);
}
