import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ArchiveBounds, archiveStages, Placing, problemOf } from '../../archive/index.ts';
import { bytesUntilStopped } from '../../lib/until-stopped.ts';
import { type Bytes, JobFailure } from '../ports.ts';

/**
 * Unpacks a tar.gz into an empty folder.
 * @throws JobFailure for an invalid or too large archive, or one with paths outside the folder; the reason of the
 *   signal
 */
export async function unpack(archive: Bytes, into: string, bounds: ArchiveBounds, signal: AbortSignal): Promise<void> {
  const placing = new Placing(into, bounds);
  try {
    const source = Readable.from(bytesUntilStopped(archive, signal), { objectMode: false });
    await pipeline([source, ...archiveStages(bounds, (entry) => placing.place(entry))], { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw refusal(bounds.name, cause);
  }
}

/** Errors of this machine, not of the archive. `execute` reports a full disk. */
const OF_THE_MACHINE = new Set(['EIO', 'EMFILE', 'EROFS', 'EACCES']);

function refusal(name: string, cause: unknown): unknown {
  if (cause instanceof JobFailure) return new JobFailure(`${name} cannot be unpacked: ${cause.message}`);
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (OF_THE_MACHINE.has(code)) return new JobFailure(`${name} cannot be unpacked here: ${message}`, { cause });
  const problem = problemOf(cause);
  return problem === undefined ? cause : new JobFailure(`${name} cannot be unpacked: ${problem}`, { cause });
}
