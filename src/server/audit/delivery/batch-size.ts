import type { Batch } from '../buffer/disk-buffer.ts';
import type { Cursor } from '../buffer/segments.ts';

/** @limit size of a batch of entries to a collector, bytes -> the rest follows; a refused or slow batch is halved */
const MOST_BATCH = 1_048_576;
/** Grows slowly, because a size that failed once will probably fail again. */
const GROWTH = 1.25;

/** Adaptive batch size. A rejected batch is halved until the rejected line is found. */
export class BatchSize {
  #most = MOST_BATCH;
  /** End of the rejected batch. Undefined without one. */
  #suspect: Cursor | undefined;

  /** Size in bytes. */
  get most(): number {
    return this.#most;
  }

  /** Halves the size. Returns false for a single line. */
  halve({ lines, end }: Batch): boolean {
    if (lines.length <= 1) return false;
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    this.#most = Math.ceil(bytes / 2);
    if (this.#suspect === undefined || isBefore(this.#suspect, end)) this.#suspect = end;
    return true;
  }

  /** Returns whether the whole rejected batch has now been accepted. */
  taken({ end }: Batch): boolean {
    if (this.#suspect !== undefined && isBefore(end, this.#suspect)) return false;
    this.#suspect = undefined;
    this.#most = Math.min(MOST_BATCH, Math.ceil(this.#most * GROWTH));
    return true;
  }
}

const isBefore = (one: Cursor, other: Cursor): boolean =>
  one.number < other.number || (one.number === other.number && one.offset < other.offset);
