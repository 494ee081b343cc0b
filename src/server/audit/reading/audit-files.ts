import { type FileHandle, open, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** An audit file, open for reading. */
export interface AuditFile {
  readonly name: string;
  /** Reopens the file by its identity, regardless of its current name. */
  readonly id: string;
  readonly size: number;
  readonly handle: FileHandle;
}

/** Rotated files. */
export interface AuditFiles {
  /** Readable files, newest first. */
  readonly readable: readonly string[];
  /** Number of compressed files. */
  readonly packed: readonly string[];
}

/**
 * Maximum number of folder entries to scan.
 * @limit entries of the audit log folder, entries -> rotated files beyond them are not found
 */
const MOST_ENTRIES = 10_000;
/**
 * Maximum number of files to read, including the current one.
 * @limit audit files that can be read, files -> older files are not found
 */
const MOST_FILES = 100;

/** Names that log rotation produces: `audit.log.1`, `audit.log-20260131`, also compressed. */
const MOVED = /^[.-]\d[\d.-]*(\.(gz|xz|zst|bz2))?$/;

/** Finds the current audit file and its rotated predecessors. */
export async function auditFiles(path: string): Promise<AuditFiles> {
  const folder = dirname(path);
  const readable: { path: string; changed: number }[] = [];
  const packed: string[] = [];
  let looked = 0;
  for await (const { name } of await opendir(folder)) {
    if (++looked > MOST_ENTRIES) break;
    const rest = name.startsWith(basename(path)) ? name.slice(basename(path).length) : '';
    const match = MOVED.exec(rest);
    if (match?.[1]) packed.push(name);
    else if (match) readable.push({ path: join(folder, name), changed: await changedAt(join(folder, name)) });
  }
  readable.sort((a, b) => b.changed - a.changed);
  return { readable: [path, ...readable.slice(0, MOST_FILES - 1).map((one) => one.path)], packed: packed.sort() };
}

/** Opens a file; the caller closes it. Undefined if it no longer exists or is not a file. */
export async function openAuditFile(path: string): Promise<AuditFile | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (!handle) return undefined;
  const facts = await handle.stat({ bigint: true });
  if (facts.isFile()) return { name: basename(path), id: String(facts.ino), size: Number(facts.size), handle };
  await handle.close();
  return undefined;
}

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
