import { AppError } from '../../lib/errors.ts';
import type { Transaction } from '../database.ts';
import type { WrittenBlob } from './blobs.ts';

/**
 * Maximum age of a draft that is stored. The longest upload takes two hours; an older draft belongs to a process that
 * was suspended, and `BlobHousekeeping` may have removed its bytes.
 * @limit age at which an upload can no longer be stored, ms -> 503, and nothing is stored
 */
export const DRAFT_LIFE_MS = 3 * 3_600_000;

/**
 * Bytes that are stored durably, and that no row names yet. Declare it with `using`: at the end of the scope the draft
 * removes its bytes, unless `BlobWriter.keep` has named them in a transaction that is stored or may be. Without `using`
 * the bytes stay until `BlobHousekeeping` removes them.
 */
export class BlobDraft implements Disposable {
  readonly blob: WrittenBlob;
  readonly workspaceId: string;
  readonly #startedAt: number;
  readonly #remove: (name: string) => void;
  #mayBeNamed = false;
  #isRemoved = false;

  /**
   * @param startedAt time before the first byte was written
   * @param remove starts to remove the bytes
   */
  constructor(blob: WrittenBlob, workspaceId: string, startedAt: number, remove: (name: string) => void) {
    this.blob = blob;
    this.workspaceId = workspaceId;
    this.#startedAt = startedAt;
    this.#remove = remove;
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
    if (this.#isRemoved) throw new Error('this draft was removed at the end of its scope');
    if (now - this.#startedAt > DRAFT_LIFE_MS) throw tooOld();
    this.#mayBeNamed = true;
    // After a COMMIT without a response no hook runs, and a row may name the bytes.
    tx.afterRollback(() => this.notNamed());
  }

  /** Records that the transaction has not named the bytes, but those of an equal blob. */
  notNamed(): void {
    this.#mayBeNamed = false;
  }

  [Symbol.dispose](): void {
    if (this.#mayBeNamed || this.#isRemoved) return;
    this.#isRemoved = true;
    this.#remove(this.blob.name);
  }
}

const tooOld = () => new AppError('unavailable', 'The upload took too long and was not stored. Upload it again.');
