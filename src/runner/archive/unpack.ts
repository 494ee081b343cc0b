import { once } from 'node:events';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
import { type Bytes, JobFailure } from '../ports.ts';
import { bytesUntilStopped } from '../until-stopped.ts';
import type { ArchiveBounds } from './bounds.ts';
import { shown } from './names.ts';
import { Placing } from './placing.ts';

/** Headers and padding of an archive, beside what it holds: bytes for each entry. */
const BYTES_BESIDE = 4096;

/**
 * Unpacks a tar.gz into a folder that is empty.
 * @throws JobFailure for what is no archive, is too large, or would write elsewhere; what the signal says when it is stopped
 */
export async function unpack(archive: Bytes, into: string, bounds: ArchiveBounds, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(
      Readable.from(bytesUntilStopped(archive, signal), { objectMode: false }),
      atMost(bounds.packedBytes, `it is larger than ${bounds.packedBytes} bytes`),
      createGunzip(),
      atMost(bounds.bytes + bounds.entries * BYTES_BESIDE, `it holds more than ${bounds.bytes} bytes`),
      entriesInto(new Placing(into, bounds)),
      { signal },
    );
  } catch (cause) {
    signal.throwIfAborted();
    throw refusal(bounds.name, cause);
  }
}

function atMost(limit: number, reason: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > limit) done(new JobFailure(reason));
      else done(null, chunk);
    },
  });
}

function entriesInto(placing: Placing): Writable {
  let placed: Promise<unknown> = Promise.resolve();
  const parser = new Parser({ strict: true, gzip: false, brotli: false, zstd: false });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (parser.write(chunk)) done();
      else parser.once('drain', done);
    },
    final(done) {
      const finished = once(parser, 'finish');
      parser.end();
      finished.then(() => placed).then(() => done(), done);
    },
  });
  parser.on('error', (error: Error) => sink.destroy(error));
  // What the parser would pass over is of a type that nobody uses, or has a name without end.
  parser.on('ignoredEntry', ({ path }) => sink.destroy(new JobFailure(`${shown(path)} cannot be read`)));
  // One after the other: the next comes when this one has been taken.
  parser.on('entry', (entry) => {
    placed = placing.place(entry).catch((error) => sink.destroy(error));
  });
  return sink;
}

/** Those of our file system are not the fault of the archive. A full disk is said by whoever hears of it. */
const OF_THE_MACHINE = new Set(['EIO', 'EMFILE', 'EROFS', 'EACCES']);
const OF_THE_ARCHIVE = /^(Z_|TAR_|EISDIR|ENOTDIR|EEXIST|ENOENT|ENAMETOOLONG|ELOOP|EINVAL)/;

function refusal(name: string, cause: unknown): unknown {
  if (cause instanceof JobFailure) return new JobFailure(`${name} cannot be unpacked: ${cause.message}`);
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (OF_THE_MACHINE.has(code)) return new JobFailure(`${name} cannot be unpacked here: ${message}`, { cause });
  if (!OF_THE_ARCHIVE.test(code)) return cause;
  return new JobFailure(`${name} cannot be unpacked: it is no whole tar.gz archive (${message})`, { cause });
}
