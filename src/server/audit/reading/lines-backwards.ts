import type { FileHandle } from 'node:fs/promises';
import { nextTurn } from '../../../lib/slices.ts';
import { type AuditLine, readLine, timeOf } from './audit-question.ts';

/** Bytes that are read, and looked at, in one go: well under a millisecond. Longer than two lines of the record. */
const SLICE = 65_536;
const LINE_FEED = 0x0a;

/** The lines of one slice, the last one first; each with where it begins. */
export interface Slice {
  readonly lines: readonly { readonly start: number; readonly bytes: Buffer }[];
  /** Where everything before is still to be read. */
  readonly position: number;
  /** Bytes read for it. */
  readonly read: number;
}

/** From `end` to the beginning, slice by slice; between two of them others are served. A line that has no end has none. */
export async function* slicesBackwards(handle: FileHandle, end: number): AsyncGenerator<Slice, void> {
  let rest = Buffer.alloc(0);
  for (let position = end; position > 0; ) {
    const size = Math.min(SLICE, position);
    position -= size;
    const read = await readAt(handle, position, size);
    await nextTurn();
    const bytes = Buffer.concat([read, rest]);
    const first = position === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1 || bytes.length;
    // What has no line feed for so long is no line of ours.
    const isLine = first <= SLICE;
    yield { lines: linesIn(bytes, first, position), position: isLine ? position + first : position, read: size };
    rest = isLine ? Buffer.from(bytes.subarray(0, first)) : Buffer.alloc(0);
  }
}

/** An end behind which all lines are later than a moment, and not far behind it; found in a few reads. */
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

/** Of the first whole line that has one. */
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
