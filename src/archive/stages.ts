import { once } from 'node:events';
import { Transform, Writable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import type { ArchiveBounds } from './bounds.ts';
import { shown } from './names.ts';
import { ArchiveProblem } from './problem.ts';

/** Bytes for the header and padding of each entry, beside its content. */
const BYTES_BESIDE = 4096;

/**
 * The parser reads a header as one string, which takes 10 ms for 100 KB.
 * @limit size of one extended header in an archive, bytes -> the upload gets 422; the run fails with an error
 */
const MAX_HEADER = 262_144;
/**
 * @limit total size of the extended headers in an archive, bytes -> the upload gets 422; the run fails with an error
 */
const MAX_HEADERS = 67_108_864;

/** Stages of a pipeline that reads a tar.gz. */
export type ArchiveStages = readonly [packed: Transform, unzip: Gunzip, unpacked: Transform, entries: Writable];

/**
 * Creates the stages of a pipeline that reads a tar.gz; the compressed bytes go into the first. Memory use is constant
 * for every archive.
 * @param take consumes an entry completely; the pipeline waits for it
 */
export function archiveStages(bounds: ArchiveBounds, take: (entry: ReadEntry) => Promise<void>): ArchiveStages {
  const { advice, bytes, entries, packedBytes } = bounds;
  const advised = (form: (start: Buffer) => string | undefined) => (start: Buffer) => {
    const name = form(start);
    return name && `it is ${name}. ${advice}`;
  };
  return [
    atMost(packedBytes, `it is larger than ${packedBytes} bytes`, advised(otherForm)),
    createGunzip(),
    atMost(bytes + entries * BYTES_BESIDE, `it unpacks to more than ${bytes} bytes`, advised(innerForm)),
    entriesTo(take),
  ];
}

/** @param refusal returns the reason why a file of another kind is refused, from its first bytes */
function atMost(limit: number, reason: string, refusal: (start: Buffer) => string | undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const problem = bytes === 0 ? refusal(chunk) : undefined;
      bytes += chunk.length;
      if (problem !== undefined) done(new ArchiveProblem(problem));
      else if (bytes > limit) done(new ArchiveProblem(reason));
      else done(null, chunk);
    },
    flush(done) {
      done(bytes === 0 ? new ArchiveProblem('it is empty') : null);
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
      // Without this check the parser would keep everything behind the end of an archive in memory.
      if (isOver || parser.write(chunk)) done();
      else parser.once('drain', done);
    },
    final(done) {
      // An archive without entries: clients send one to destroy resources without a configuration. The parser would not
      // recognize it as an archive.
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
    if (headers > MAX_HEADERS) sink.destroy(new ArchiveProblem('its headers are too long in total'));
  });
  // The parser ignores entries of exotic types and entries whose name does not end.
  parser.on('ignoredEntry', ({ path }) => sink.destroy(new ArchiveProblem(`${shown(path)} cannot be read`)));
  // Entries are consumed one by one: the parser emits the next one after this one is done.
  parser.on('entry', (entry) => {
    taken = take(entry).catch((error) => sink.destroy(error));
  });
  return sink;
}

const ZEROS = Buffer.alloc(65_536);

/** Returns whether a chunk holds only zero bytes. An archive ends with zero bytes, so the chunk has no entry. */
function isZero(chunk: Buffer): boolean {
  return chunk.length <= ZEROS.length && chunk.compare(ZEROS, 0, chunk.length) === 0;
}

/** Offset of the magic word of a tar archive, bytes. */
const TAR_MAGIC = 257;
const FORMS: readonly (readonly [start: Buffer, name: string])[] = [
  [Buffer.from('PK'), 'a ZIP archive'],
  [Buffer.from('BZh'), 'compressed with bzip2'],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'compressed with xz'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd'],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf]), 'a 7-Zip archive'],
  [Buffer.from('Rar!'), 'a RAR archive'],
];
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Names the format of a file that is not gzip. Returns undefined if it may be gzip.
 * @param start the first bytes of the file
 */
function otherForm(start: Buffer): string | undefined {
  if (GZIP.subarray(0, start.length).equals(start.subarray(0, GZIP.length))) return undefined;
  return FORMS.find(([magic]) => start.subarray(0, magic.length).equals(magic))?.[1] ?? otherwise(start);
}

/**
 * Names the content of a gzip that is not a tar archive. Without this check the tar parser would decompress a second
 * gzip layer by itself, in the serving thread and without limits. One byte is enough, because no name starts with it.
 * @param start the first decompressed bytes
 */
function innerForm(start: Buffer): string | undefined {
  return start[0] === GZIP[0] ? 'compressed twice' : undefined;
}

function otherwise(start: Buffer): string {
  return start.toString('latin1', TAR_MAGIC, TAR_MAGIC + 5) === 'ustar'
    ? 'an uncompressed tar archive'
    : 'not a tar.gz archive';
}
