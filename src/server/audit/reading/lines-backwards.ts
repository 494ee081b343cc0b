import type { FileHandle } from 'node:fs/promises';
import { nextTurn } from '../../../lib/slices.ts';
import { type AuditLine, readLine, timeOf } from './audit-question.ts';

/** Block size: takes well under a millisecond, and holds more than two entries. */
const SLICE = 65_536;
const LINE_FEED = 0x0a;

/** Lines of one slice with their positions, last line first. */
export interface Slice {
  readonly lines: readonly { readonly start: number; readonly bytes: Buffer }[];
  /** Position up to which the file is still unread. */
  readonly position: number;
  /** Number of bytes read. */
  readonly read: number;
}

/** Reads from `end` to the start in slices, and yields to the event loop in between. Skips an unterminated last line. */
export async function* slicesBackwards(handle: FileHandle, end: number): AsyncGenerator<Slice, void> {
  let rest = Buffer.alloc(0);
  for (let position = end; position > 0; ) {
    const size = Math.min(SLICE, position);
    position -= size;
    const read = await readAt(handle, position, size);
    await nextTurn();
    const bytes = Buffer.concat([read, rest]);
    const first = position === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1 || bytes.length;
    // A longer text without line feed is not an audit entry.
    const isLine = first <= SLICE;
    yield { lines: linesIn(bytes, first, position), position: isLine ? position + first : position, read: size };
    rest = isLine ? Buffer.from(bytes.subarray(0, first)) : Buffer.alloc(0);
  }
}

/** Binary search: returns a position shortly after which all entries are later than a given time. */
export async function endBefore(handle: FileHandle, size: number, moment: number): Promise<number> {
  let [low, high] = [0, size];
  while (high - low > SLICE) {
    const middle = Math.floor((low + high) / 2);
    const bytes = await readAt(handle, middle, Math.min(SLICE, size - middle));
    const time = firstTime(bytes);
    if (time === undefined || time <= moment) low = middle;
    else high = middle;
  }
  return Math.min(size, high + SLICE);
}

async function readAt(handle: FileHandle, position: number, size: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, position);
  return buffer.subarray(0, bytesRead);
}

function linesIn(bytes: Buffer, first: number, position: number): Slice['lines'] {
  const lines: { start: number; bytes: Buffer }[] = [];
  for (let end = bytes.length; end > first; ) {
    const start = end - 2 < first ? first : Math.max(first, bytes.lastIndexOf(LINE_FEED, end - 2) + 1);
    lines.push({ start: position + start, bytes: bytes.subarray(start, end) });
    end = start;
  }
  return lines;
}

/** Time of the first complete entry with a time. */
function firstTime(bytes: Buffer): number | undefined {
  for (let start = bytes.indexOf(LINE_FEED) + 1; start > 0; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end < 0) return undefined;
    const line: AuditLine | undefined = readLine(bytes.subarray(start, end));
    const time = line && timeOf(line);
    if (time !== undefined) return time;
    start = end + 1;
  }
  return undefined;
}
