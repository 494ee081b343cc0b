import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadEntry } from 'tar';
import type { ArchiveBounds } from './bounds.ts';
import { nameInside } from './names.ts';
import { withReason } from './problem.ts';
import { archiveStages } from './stages.ts';

/** Stops the reading of an archive whose rest is not needed. */
const FOUND = new Error('found');

/**
 * Returns the start of the first of these files that a tar.gz has; undefined if it has none. Decompression runs in the
 * thread pool, and no more than the file itself is kept. Reads on to the end unless the first name is found.
 * @param names paths in the archive, best first
 * @param maxBytes bytes of a longer file that are returned
 * @throws ArchiveProblem if `unpack` would refuse the archive up to the file
 */
export async function findFile(
  archive: AsyncIterable<Uint8Array>,
  names: readonly string[],
  bounds: ArchiveBounds,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const found = new Map<string, Uint8Array>();
  const stop = new AbortController();
  const take = async (entry: ReadEntry) => {
    const name = nameInside(entry.path);
    if (!names.includes(name) || !FILES.includes(entry.type)) return void entry.resume();
    found.set(name, await startOf(entry, maxBytes));
    if (name === names[0]) stop.abort(FOUND);
  };
  try {
    const source = Readable.from(archive, { objectMode: false });
    await pipeline([source, ...archiveStages(bounds, take)], { signal: stop.signal });
  } catch (cause) {
    if (!stop.signal.aborted) throw withReason(cause);
  }
  return names.map((name) => found.get(name)).find((content) => content !== undefined);
}

const FILES: readonly string[] = ['File', 'OldFile', 'ContiguousFile'];

async function startOf(entry: ReadEntry, maxBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let left = maxBytes;
  for await (const part of entry as AsyncIterable<Buffer>) {
    if (left > 0) parts.push(part.subarray(0, left));
    left -= part.length;
  }
  return Buffer.concat(parts);
}
