import { AppError } from '../../lib/errors.ts';
import type { Transaction } from '../database.ts';
import type { BlobOwner } from './blob-table.ts';
import type { WrittenBlob } from './blobs.ts';

/**
 * Maximum age of a draft that is stored. The longest upload takes two hours; an older draft belongs to a process that
 * was suspended, and `BlobHousekeeping` may have removed its bytes.
 * @limit age at which an upload can no longer be stored, ms -> 503, and nothing is stored
 */
export const DRAFT_LIFE_MS = 3 * 3_600_000;

/** Bytes that are stored durably, and that no row names before `BlobWriter.keep`. Only `BlobWriter` calls its methods. */
export class BlobDraft {
  readonly blob: WrittenBlob;
  readonly owner: BlobOwner;
  readonly #startedAt: number;
  #mayBeNamed = false;
  #isOver = false;

  /** @param startedAt time before the first byte was written */
  constructor(blob: WrittenBlob, owner: BlobOwner, startedAt: number) {
    this.blob = blob;
    this.owner = owner;
    this.#startedAt = startedAt;
  }

  /** Size of the plaintext. */
  get size(): number {
    return this.blob.size;
  }

  /**
   * Records that the transaction names the bytes. Call it before the statement.
   * @throws AppError `unavailable` if the draft is too old
   */
  namedBy(tx: Transaction, now: number): void {
    if (this.#isOver) throw new Error('the work of this draft has ended, and its bytes may be removed');
    if (now - this.#startedAt > DRAFT_LIFE_MS) throw tooOld();
    this.#mayBeNamed = true;
    // After a COMMIT without a response no hook runs, and a row may name the bytes.
    tx.afterRollback(() => this.notNamed());
  }

  /** Records that the transaction has not named the bytes, but those of an equal blob. */
  notNamed(): void {
    this.#mayBeNamed = false;
  }

  /** Ends the draft. Returns whether no row can name its bytes, now or later. */
  end(): boolean {
    this.#isOver = true;
    return !this.#mayBeNamed;
  }
}

const tooOld = () => new AppError('unavailable', 'The upload took too long and was not stored. Upload it again.');
