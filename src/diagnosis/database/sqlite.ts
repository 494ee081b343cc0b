import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type Finding, failure, type NamedFinding, skipped, success, warning } from '../../lib/finding/finding.ts';
import { networkFilesystem, SERVER_LOCK_FILE } from '../../storage/index.ts';
import { sizeText, spaceFinding } from '../disk/space.ts';
import { writeLatency } from '../disk/write-latency.ts';
import { type Check, NotAvailable } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { lockHolder } from './lock-holder.ts';

/** A sync that takes longer slows every write down, milliseconds. */
const SLOW_SYNC = 50;
/** The log is cut back to 64 MiB: beyond this something keeps it from being written back, bytes. */
const LONG_LOG = 268_435_456;
/**
 * Nothing else is done while a file is read from end to end.
 * @limit a database that is read from end to end without `--thorough`, bytes -> it is not read
 */
const MAX_READ_BYTES = 1_073_741_824;

const FILES = ['access.db', 'workspaces.db'];

/** The embedded databases, and the disk that they are on. */
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
      'use a local disk, or PostgreSQL: the log cannot be shared',
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
    const found = `${milliseconds.toFixed(1)} ms for a write to reach the disk`;
    if (milliseconds < SLOW_SYNC) return success(found);
    return warning(found, 'use a faster disk: whoever writes waits for it', path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      `nothing can be written: ${code}`,
      WRITE_ADVICE[code ?? ''] ?? 'see what the system says of the disk',
      path,
    );
  }
}

const WRITE_ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room, or raise the quota of the user',
  EROFS: 'mount the disk so that it can be written',
  EACCES: 'run this as the user of the server, or give that user the folder',
  ENOENT: 'run lockkeeper init, or correct storage.directory',
};

/** What was committed and is not yet written back into the database. */
async function log(site: Site): Promise<NamedFinding[]> {
  const files = await present(folderOf(site));
  return Promise.all(
    files.map(async (file) => {
      const { size } = await stat(`${file.path}-wal`).catch(() => ({ size: 0 }));
      const found = sizeText(size);
      const advice = 'find who reads for so long (a backup tool, a shell): it keeps the log from being written back';
      return { name: file.name, ...(size > LONG_LOG ? warning(found, advice, `${file.path}-wal`) : success(found)) };
    }),
  );
}

async function integrity(site: Site, signal: AbortSignal): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, path, size } of await present(folderOf(site))) {
    const isLarge = size > MAX_READ_BYTES && !site.isThorough;
    const finding = isLarge
      ? skipped(`${sizeText(size)} take long to read: lockkeeper diagnose --thorough`)
      : await quickCheck(path, signal);
    findings.push({ name, ...finding });
  }
  return findings;
}

/** Table by table, so that the time is looked at in between (https://sqlite.org/pragma.html#pragma_quick_check). */
async function quickCheck(path: string, signal: AbortSignal): Promise<Finding> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    for (const { name } of tables) {
      await turn();
      if (signal.aborted) return skipped('there was no time for all of it');
      const [row] = database.prepare(`PRAGMA quick_check("${String(name).replaceAll('"', '""')}")`).all();
      const said = String(Object.values(row ?? {})[0]);
      if (said !== 'ok') return damaged(`table ${name}: ${said.slice(0, 300)}`, path);
    }
    return success(`${tables.length} tables are whole`);
  } catch (error) {
    const { errstr, message } = error as { errstr?: string; message: string };
    return damaged(errstr ?? message, path);
  } finally {
    database.close();
  }
}

const damaged = (said: string, path: string): Finding =>
  failure('it is damaged', 'stop the server, keep a copy of the folder, and restore a backup', `${path}: ${said}`);

/** The server that works in the folder. */
async function lock(site: Site): Promise<Finding> {
  const path = join(folderOf(site), SERVER_LOCK_FILE);
  const holder = await lockHolder(path);
  if (holder === null) return skipped('this system does not tell who has locked a file');
  if (holder === undefined) return success('no server works in the folder', path);
  return success(
    `a server works in the folder: process ${holder.pid}`,
    [path, holder.command].filter(Boolean).join(': '),
  );
}

/** @throws NotAvailable where there is none */
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
