import { type FileHandle, mkdir } from 'node:fs/promises';
import {
  type Cursor,
  leftSegments,
  newSegment,
  readAt,
  readCursor,
  removeSegment,
  type Segment,
  writeCursor,
} from './segments.ts';

/** Lines in the order in which they came, for a collector. */
export interface Batch {
  /** Each ends with its line feed. */
  readonly lines: readonly string[];
  readonly end: Cursor;
}

/**
 * A file of a buffer is not written any more from here on, and removed once all of it is delivered.
 * @limit a file of a buffer, bytes -> the next one is begun
 */
const MOST_SEGMENT = 4_194_304;
const LINE_FEED = 0x0a;
const COUNTED_AT_ONCE = 1_048_576;
/** What is read of a file at once is never less: a line always fits. */
const LEAST_READ = 65_536;

/** It holds as much as it may. */
class BufferFull extends Error {
  constructor() {
    super('the buffer is full');
  }
}

/**
 * Lines on disk that wait for a collector, in files of a few MiB, up to a bound. What was appended is there after a power failure; what was
 * acknowledged is removed, and may come once more after one.
 */
export class DiskBuffer {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #segments: Segment[];
  #cursor: Cursor;
  #handle: FileHandle | undefined;
  #lastNumber: number;

  private constructor(folder: string, mostBytes: number, segments: Segment[], cursor: Cursor) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#segments = segments;
    this.#cursor = cursor;
    this.#lastNumber = Math.max(cursor.number, segments.at(-1)?.number ?? 0);
  }

  /** @throws what the system says */
  static async open(folder: string, mostBytes: number): Promise<DiskBuffer> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const cursor = await readCursor(folder);
    const left = await leftSegments(folder);
    const over = left.filter(({ number }) => cursor !== undefined && number < cursor.number);
    for (const segment of over) await removeSegment(segment);
    const segments = left.filter((segment) => !over.includes(segment));
    const first = segments[0];
    const begins = first === undefined || cursor?.number === first.number ? cursor : undefined;
    return new DiskBuffer(folder, mostBytes, segments, begins ?? { number: first?.number ?? 0, offset: 0 });
  }

  /** That wait. */
  get bytes(): number {
    const size = this.#segments.reduce((sum, segment) => sum + segment.size, 0);
    return Math.max(0, size - (this.#segments.length > 0 ? this.#cursor.offset : 0));
  }

  /** Where the line begins that waits longest. */
  get first(): { readonly file: string; readonly offset: number } | undefined {
    const [segment] = this.#segments;
    return segment && { file: segment.path, offset: this.#cursor.offset };
  }

  /** How many wait. All of them are read for it. */
  async lines(): Promise<number> {
    let count = 0;
    const waiting = this.#segments.map(({ path, size }, index) => ({
      path,
      size,
      from: index === 0 ? this.#cursor.offset : 0,
    }));
    for (const { path, size, from } of waiting) {
      for (let at = from; at < size; at += COUNTED_AT_ONCE) {
        const part = await readAt(path, at, Math.min(COUNTED_AT_ONCE, size - at));
        for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, end + 1)) count++;
      }
    }
    return count;
  }

  /**
   * Resolves when the lines are on the disk. One call after the other.
   * @throws BufferFull; else what the system says, and nothing was appended
   */
  async append(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(lines.join(''));
    if (this.bytes + bytes.length > this.#mostBytes) throw new BufferFull();
    const { segment, handle } = await this.#writable();
    try {
      for (let done = 0; done < bytes.length; ) {
        done += (await handle.write(bytes, done, bytes.length - done, segment.size + done)).bytesWritten;
      }
      await handle.datasync();
    } catch (error) {
      await this.#takeBack(segment, handle);
      throw error;
    }
    segment.size += bytes.length;
  }

  /** The lines that wait longest, not more than so many bytes unless one alone is longer; undefined for none. */
  async read(mostBytes: number): Promise<Batch | undefined> {
    const segment = await this.#current();
    if (segment === undefined) return undefined;
    const { offset } = this.#cursor;
    const wanted = Math.min(Math.max(mostBytes, LEAST_READ), segment.size - offset);
    const read = await readAt(segment.path, offset, wanted);
    const last = read.lastIndexOf(LINE_FEED, Math.max(0, mostBytes - 1));
    const end = (last < 0 ? read.indexOf(LINE_FEED) : last) + 1;
    if (end === 0) throw new Error(`a file of the buffer has been cut: ${segment.number}`);
    const lines = read
      .subarray(0, end)
      .toString()
      .split(/(?<=\n)/);
    // After a power failure a file may end in zeros.
    return {
      lines: lines.filter((line) => line.startsWith('{')),
      end: { number: segment.number, offset: offset + end },
    };
  }

  /** They have been delivered, and all before them. */
  async acknowledge({ end }: Batch): Promise<void> {
    this.#cursor = end;
    await writeCursor(this.#folder, end).catch(() => {});
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** The one that is read; those that are over are removed. */
  async #current(): Promise<Segment | undefined> {
    for (;;) {
      const [segment] = this.#segments;
      if (segment === undefined) return undefined;
      if (this.#cursor.offset < segment.size) return segment;
      const isWritten = this.#handle !== undefined && segment === this.#segments.at(-1);
      if (isWritten) return undefined;
      await removeSegment(segment);
      this.#segments.shift();
      this.#cursor = { number: this.#segments[0]?.number ?? this.#lastNumber, offset: 0 };
    }
  }

  async #writable(): Promise<{ segment: Segment; handle: FileHandle }> {
    const last = this.#segments.at(-1);
    if (this.#handle && last && last.size < MOST_SEGMENT) return { segment: last, handle: this.#handle };
    await this.close();
    // Where it cannot be begun, its file may be there: the next try has another one.
    this.#lastNumber++;
    const made = await newSegment(this.#folder, this.#lastNumber);
    if (this.#segments.length === 0) this.#cursor = { number: made.segment.number, offset: 0 };
    this.#segments.push(made.segment);
    this.#handle = made.handle;
    return made;
  }

  /** What is left of a write that failed is not on record. Where it cannot be cut off, nothing is written behind it. */
  async #takeBack(segment: Segment, handle: FileHandle): Promise<void> {
    await handle.truncate(segment.size).catch(() => this.close().catch(() => {}));
  }
}
