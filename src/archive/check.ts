import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArchiveBounds } from './bounds.ts';
import { EntryRules } from './entry-rules.ts';
import { withReason } from './problem.ts';
import { archiveStages } from './stages.ts';

/**
 * Passes the bytes of a tar.gz through, and validates the archive meanwhile by the rules of `unpack`. Decompression
 * runs in the thread pool, in pieces, with back-pressure from the consumer.
 * @throws ArchiveProblem as soon as the archive turns out to be one that `unpack` refuses
 */
export async function* checkedArchive(
  archive: AsyncIterable<Uint8Array>,
  bounds: ArchiveBounds,
): AsyncGenerator<Uint8Array> {
  const rules = new EntryRules(bounds);
  const source = new PassThrough();
  let isDone = false;
  const read = pipeline([
    source,
    ...archiveStages(bounds, async (entry) => {
      rules.next(entry);
      entry.resume();
    }),
  ]).finally(() => {
    isDone = true;
  });
  // The promise is awaited below. This handler avoids an unhandled rejection until then.
  read.catch(() => undefined);
  try {
    for await (const bytes of archive) {
      // A run does not read the bytes behind the end of an archive either.
      if (!isDone && !source.write(bytes)) await Promise.race([drained(source), read]);
      if (isDone) await read;
      yield bytes;
    }
    source.end();
    await read;
  } catch (cause) {
    throw withReason(cause);
  } finally {
    source.destroy();
  }
}

function drained(source: PassThrough): Promise<void> {
  return new Promise((done) => source.once('drain', done));
}
