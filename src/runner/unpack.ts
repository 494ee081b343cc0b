import { type ArchiveBounds, ArchiveProblem, unpack } from '../archive/index.ts';
import { type Bytes, JobFailure } from './ports.ts';

/** An archive of a job. */
export interface JobArchive {
  /** Start of the error message. */
  readonly name: string;
  readonly bytes: Bytes;
  readonly bounds: ArchiveBounds;
}

/**
 * Unpacks an archive of a job into an empty folder.
 * @throws JobFailure for an archive that cannot be unpacked; the reason of the signal
 */
export async function unpackForJob(
  { name, bytes, bounds }: JobArchive,
  into: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await unpack(bytes, into, bounds, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw refusal(name, cause);
  }
}

/** Errors of this machine, not of the archive. `execute` reports a full disk. */
const OF_THE_MACHINE = new Set(['EIO', 'EMFILE', 'EROFS', 'EACCES']);

function refusal(name: string, cause: unknown): unknown {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (OF_THE_MACHINE.has(code)) return new JobFailure(`${name} cannot be unpacked here: ${message}`, { cause });
  const isKnown = cause instanceof JobFailure || cause instanceof ArchiveProblem;
  return isKnown ? new JobFailure(`${name} cannot be unpacked: ${message}`, { cause }) : cause;
}
