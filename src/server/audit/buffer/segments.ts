import { type FileHandle, open, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of lines. Bytes after `size` are incomplete or failed writes. */
export interface Segment {
  readonly number: number;
  readonly path: string;
  size: number;
}

/** Position up to which lines were delivered. */
export interface Cursor {
  readonly number: number;
  readonly offset: number;
}

const NAME = /^\d{12}\.jsonl$/;
const CURSOR_FILE = 'delivered';
const LINE_FEED = 0x0a;
/** Block size of the search for the last complete line. After a power failure a file may end in more zeros than that. */
const TAIL_BYTES = 65_536;

const pathOf = (folder: string, number: number) => join(folder, `${String(number).padStart(12, '0')}.jsonl`);

/**
 * Returns the files of an earlier process, oldest first, each up to its last complete line. Incomplete lines were
 * never acknowledged.
 */
export async function leftSegments(folder: string): Promise<Segment[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { number: Number.parseInt(name, 10), path, size: await wholeLines(path) };
    }),
  );
}

async function wholeLines(path: string): Promise<number> {
  let end = (await stat(path)).size;
  while (end > 0) {
    const from = Math.max(0, end - TAIL_BYTES);
    const last = (await readAt(path, from, end - from)).lastIndexOf(LINE_FEED);
    if (last >= 0) return from + last + 1;
    end = from;
  }
  return 0;
}

/** Undefined if nothing was delivered or the position is unknown. Then everything is delivered (again). */
export async function readCursor(folder: string): Promise<Cursor | undefined> {
  const text = await readFile(join(folder, CURSOR_FILE), 'utf8').catch(() => '');
  const [, number, offset] = /^(\d{1,15}) (\d{1,15})\n$/.exec(text) ?? [];
  return number === undefined ? undefined : { number: Number(number), offset: Number(offset) };
}

/** Not synced: lines after a lost position are delivered again. */
export async function writeCursor(folder: string, { number, offset }: Cursor): Promise<void> {
  const next = join(folder, `${CURSOR_FILE}.next`);
  await writeFile(next, `${number} ${offset}\n`, { mode: 0o600 });
  await rename(next, join(folder, CURSOR_FILE));
}

export async function readAt(path: string, offset: number, length: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Creates a file that only its owner can read. Resolves when its name is synced. */
export async function newSegment(folder: string, number: number): Promise<{ segment: Segment; handle: FileHandle }> {
  const path = pathOf(folder, number);
  const handle = await open(path, 'ax', 0o600);
  try {
    const directory = await open(folder, 'r');
    await directory.sync().finally(() => directory.close());
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { segment: { number, path, size: 0 }, handle };
}

export async function removeSegment({ path }: Segment): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
