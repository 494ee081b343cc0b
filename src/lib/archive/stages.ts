import { once } from 'node:events';
import { Transform, Writable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import type { ArchiveBounds } from './bounds.ts';
import { innerForm, otherForm } from './forms.ts';
import { shown } from './names.ts';
import { ArchiveProblem } from './problem.ts';

/** Headers and padding of an archive, beside what it holds: bytes for each entry. */
const BYTES_BESIDE = 4096;

/**
 * The parser reads the text of a header in one go, 10 ms for 100 KB.
 * @limit an extended header in an archive, bytes -> its upload is 422; the run fails, and says so
 */
const MAX_HEADER = 262_144;
/** @limit extended headers in an archive, together, bytes -> its upload is 422; the run fails, and says so */
const MAX_HEADERS = 67_108_864;

/** The parts of a pipeline that reads a tar.gz. */
export type ArchiveStages = readonly [packed: Transform, unzip: Gunzip, unpacked: Transform, entries: Writable];

/**
 * Makes the parts of a pipeline that reads a tar.gz: its bytes go into the first. Memory is constant, whatever the archive says.
 * @param take takes all of an entry; awaited before the archive is done
 */
export function archiveStages(bounds: ArchiveBounds, take: (entry: ReadEntry) => Promise<void>): ArchiveStages {
  return [
    atMost(bounds.packedBytes, `it is larger than ${bounds.packedBytes} bytes`, otherForm),
    createGunzip(),
    atMost(bounds.bytes + bounds.entries * BYTES_BESIDE, `it holds more than ${bounds.bytes} bytes`, innerForm),
    entriesTo(take),
  ];
}

/** @param refusedForm says of the first bytes that they begin something else */
function atMost(limit: number, reason: string, refusedForm?: (start: Buffer) => string | undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const problem = bytes === 0 ? refusedForm?.(chunk) : undefined;
      bytes += chunk.length;
      if (problem !== undefined) done(new ArchiveProblem(problem));
      else if (bytes > limit) done(new ArchiveProblem(reason));
      else done(null, chunk);
    },
    flush(done) {
      done(refusedForm && bytes === 0 ? new ArchiveProblem('it is empty') : null);
    },
  });
}

function entriesTo(take: (entry: ReadEntry) => Promise<void>): Writable {
  let taken: Promise<unknown> = Promise.resolve();
  let isBlank = true;
  let isOver = false;
  let headers = 0;
  const parser = new Parser({ strict: true, gzip: false, brotli: false, zstd: false, maxMetaEntrySize: MAX_HEADER });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      isBlank &&= isZero(chunk);
      // The parser would keep everything behind the end of an archive in memory.
      if (isOver || parser.write(chunk)) done();
      else parser.once('drain', done);
    },
    final(done) {
      // An archive of nothing, as clients send it to destroy without a configuration: the parser would take it for none.
      if (isBlank) return done();
      const finished = once(parser, 'finish');
      parser.end();
      finished.then(() => taken).then(() => done(), done);
    },
  });
  parser.on('eof', () => {
    isOver = true;
  });
  parser.on('error', (error: Error) => sink.destroy(error));
  parser.on('meta', (header: string) => {
    headers += header.length;
    if (headers > MAX_HEADERS) sink.destroy(new ArchiveProblem('its headers are too long together'));
  });
  // An entry that the parser would pass over is of a type that nobody uses, or has a name without end.
  parser.on('ignoredEntry', ({ path }) => sink.destroy(new ArchiveProblem(`${shown(path)} cannot be read`)));
  // One after the other: the next comes when this one has been taken.
  parser.on('entry', (entry) => {
    taken = take(entry).catch((error) => sink.destroy(error));
  });
  return sink;
}

const ZEROS = Buffer.alloc(65_536);

/** Whether a piece of an archive has no entry: it ends with such bytes. */
function isZero(chunk: Buffer): boolean {
  return chunk.length <= ZEROS.length && chunk.compare(ZEROS, 0, chunk.length) === 0;
}

/** Codes of errors that the archive is to blame for. Others are of the machine that reads it. */
const OF_THE_ARCHIVE = /^(Z_|TAR_|EISDIR|ENOTDIR|EEXIST|ENOENT|ENAMETOOLONG|ELOOP|EINVAL)/;

/** Why an archive cannot be unpacked, as the end of a sentence; undefined where it is not to blame. */
export function problemOf(cause: unknown): string | undefined {
  if (cause instanceof ArchiveProblem) return cause.message;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return OF_THE_ARCHIVE.test(code) ? `it is no whole tar.gz archive (${message})` : undefined;
}
