import { type FileHandle, open, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file of the record, open for reading. */
export interface AuditFile {
  readonly name: string;
  /** The same file under whatever name it has by now. */
  readonly id: string;
  readonly size: number;
  readonly handle: FileHandle;
}

/** What there is beside the file that is written. */
export interface AuditFiles {
  /** Newest first. */
  readonly readable: readonly string[];
  /** Compressed ones. */
  readonly packed: readonly string[];
}

/**
 * Entries of the folder that are looked at.
 * @limit entries of the folder of the audit record, entries -> files that were moved away beyond them are not found
 */
const MOST_ENTRIES = 10_000;
/**
 * Files that are read, the one that is written included.
 * @limit files of the audit record that can be read, files -> older ones are not found
 */
const MOST_FILES = 100;

/** What log rotation makes of a name: `audit.log.1`, `audit.log-20260131`, either of them compressed. */
const MOVED = /^[.-]\d[\d.-]*(\.(gz|xz|zst|bz2))?$/;

/** The file that is written, and those that it was before. */
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

/** Undefined for what is gone by now, or no file. Whoever opens it closes it. */
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
