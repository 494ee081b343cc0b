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

/** Lines for a collector, in order of arrival. */
export interface Batch {
  /** Each line ends with a line feed. */
  readonly lines: readonly string[];
  readonly end: Cursor;
}

/**
 * Size at which a buffer file is closed. The file is removed when all of its entries are delivered.
 * @limit size of one file of an audit buffer, bytes -> the next file is started
 */
const MOST_SEGMENT = 4_194_304;
const LINE_FEED = 0x0a;
const COUNTED_AT_ONCE = 1_048_576;
/** Minimum read size. A line always fits. */
const LEAST_READ = 65_536;

/** The buffer has reached its maximum size. */
class BufferFull extends Error {
  constructor() {
    super('the buffer is full');
  }
}

/**
 * Bounded outbox on disk for a collector, in files of a few MiB. Appended lines survive a power failure. Acknowledged
 * lines are removed, and may be delivered twice after a power failure.
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

  /** @throws system errors */
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

  /** Size of waiting lines. */
  get bytes(): number {
    const size = this.#segments.reduce((sum, segment) => sum + segment.size, 0);
    return Math.max(0, size - (this.#segments.length > 0 ? this.#cursor.offset : 0));
  }

  /** Position of the oldest waiting line. */
  get first(): { readonly file: string; readonly offset: number } | undefined {
    const [segment] = this.#segments;
    return segment && { file: segment.path, offset: this.#cursor.offset };
  }

  /** Counts waiting lines by reading all of them. */
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
   * Appends lines and resolves when they are synced. Calls must not overlap.
   * @throws BufferFull; or system errors, after which nothing was appended
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

  /** Returns the oldest lines up to a size, at least one. Undefined if empty. */
  async read(mostBytes: number): Promise<Batch | undefined> {
    const segment = await this.#current();
    if (segment === undefined) return undefined;
    const { offset } = this.#cursor;
    const wanted = Math.min(Math.max(mostBytes, LEAST_READ), segment.size - offset);
    const read = await readAt(segment.path, offset, wanted);
    const last = read.lastIndexOf(LINE_FEED, Math.max(0, mostBytes - 1));
    const end = (last < 0 ? read.indexOf(LINE_FEED) : last) + 1;
    if (end === 0) throw new Error(`a buffer file was truncated by another program: ${segment.number}`);
    const lines = read
      .subarray(0, end)
      .toString()
      .split(/(?<=\n)/);
    // A file may end in zeros after a power failure.
    return {
      lines: lines.filter((line) => line.startsWith('{')),
      end: { number: segment.number, offset: offset + end },
    };
  }

  /** Acknowledges these lines and all before them. */
  async acknowledge({ end }: Batch): Promise<void> {
    this.#cursor = end;
    await writeCursor(this.#folder, end).catch(() => {});
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Returns the file to read, and removes finished files. */
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
    // A failed start may leave a file, so the next attempt uses another name.
    this.#lastNumber++;
    const made = await newSegment(this.#folder, this.#lastNumber);
    if (this.#segments.length === 0) this.#cursor = { number: made.segment.number, offset: 0 };
    this.#segments.push(made.segment);
    this.#handle = made.handle;
    return made;
  }

  /** Truncates a failed write. If that fails, nothing is appended to this file. */
  async #takeBack(segment: Segment, handle: FileHandle): Promise<void> {
    await handle.truncate(segment.size).catch(() => this.close().catch(() => {}));
  }
}
