import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bytesUntilStopped } from '../lib/until-stopped.ts';
import type { ArchiveBounds } from './bounds.ts';
import { Placing } from './placing.ts';
import { withReason } from './problem.ts';
import { archiveStages } from './stages.ts';

/**
 * Unpacks a tar.gz into an empty folder that nothing else uses. After an error the caller removes the folder.
 * @throws ArchiveProblem for an invalid or too large archive, or one with paths outside the folder; the reason of the
 *   signal; errors of the source and of this machine unchanged
 */
export async function unpack(
  archive: AsyncIterable<Uint8Array>,
  into: string,
  bounds: ArchiveBounds,
  signal: AbortSignal,
): Promise<void> {
  const placing = new Placing(into, bounds);
  try {
    const source = Readable.from(bytesUntilStopped(archive, signal), { objectMode: false });
    await pipeline([source, ...archiveStages(bounds, (entry) => placing.place(entry))], { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw withReason(cause);
  }
}
