import type { Batch } from '../buffer/disk-buffer.ts';
import type { Cursor } from '../buffer/segments.ts';

/**
 * @limit lines that are sent to a collector at once, bytes -> the others follow; half as many are tried where they are refused, or take too long
 */
const MOST_BATCH = 1_048_576;
/** Slowly: what was too much once soon is again. */
const GROWTH = 1.25;

/** How much a collector is sent at once. What it does not take is halved until it is found what it is about. */
export class BatchSize {
  #most = MOST_BATCH;
  /** Where that ends which was not taken as a whole; undefined when there is nothing like it. */
  #suspect: Cursor | undefined;

  /** Bytes. */
  get most(): number {
    return this.#most;
  }

  /** False for a single line: there is no less. */
  halve({ lines, end }: Batch): boolean {
    if (lines.length <= 1) return false;
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    this.#most = Math.ceil(bytes / 2);
    if (this.#suspect === undefined || isBefore(this.#suspect, end)) this.#suspect = end;
    return true;
  }

  /** Whether all is taken now of what was not before. */
  taken({ end }: Batch): boolean {
    if (this.#suspect !== undefined && isBefore(end, this.#suspect)) return false;
    this.#suspect = undefined;
    this.#most = Math.min(MOST_BATCH, Math.ceil(this.#most * GROWTH));
    return true;
  }
}

const isBefore = (one: Cursor, other: Cursor): boolean =>
  one.number < other.number || (one.number === other.number && one.offset < other.offset);
