import type { Database, Transaction } from '../database.ts';
import * as table from './blob-table.ts';
import type { Blobs, WriteOptions, WrittenBlob } from './blobs.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes blobs and the rows that refer to them: first the bytes, durably; then the rows, in one transaction. Bytes are
 * deleted only if no row can refer to them. A COMMIT without a response may have succeeded, so its bytes stay, and
 * `BlobHousekeeping` sweeps blobs without a row.
 */
export class BlobWriter {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #report: (error: unknown) => void;

  /** @param report called with errors outside of any request */
  constructor(database: Database, blobs: Blobs, report: (error: unknown) => void) {
    this.#database = database;
    this.#blobs = blobs;
    this.#report = report;
  }

  /**
   * Writes the bytes in constant memory; durable once the promise resolves.
   * @throws AppError 413 for more than `maxBytes`
   */
  write(source: Bytes, options: WriteOptions): Promise<WrittenBlob> {
    return this.#blobs.write(source, options);
  }

  /** Runs work that comes before the transaction of the blob, and deletes the bytes if it fails. */
  async before<T>(blob: WrittenBlob, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.discard(blob);
      throw error;
    }
  }

  /** Runs the transaction that stores a reference to the blob, and deletes the bytes if it fails before its COMMIT. */
  async naming<T>(blob: WrittenBlob, work: (tx: Transaction) => Promise<T>): Promise<T> {
    let mayBeCommitted = false;
    try {
      return await this.#database.transaction(async (tx) => {
        // The work may run more than once, after a COMMIT that was refused.
        mayBeCommitted = false;
        const result = await work(tx);
        mayBeCommitted = true;
        return result;
      });
    } catch (error) {
      if (!mayBeCommitted) this.discard(blob);
      throw error;
    }
  }

  /**
   * Registers the blob in the transaction of `naming`. Returns the name to store, which is that of an equal blob if the
   * workspace has one.
   */
  async register(tx: Transaction, blob: WrittenBlob, workspaceId: string, now: number): Promise<string> {
    const name = await table.registerBlob(tx, blob, workspaceId, now);
    if (name !== blob.name) tx.afterCommit(() => this.discard(blob));
    return name;
  }

  /** Removes a reference. The bytes of the last one are deleted after the commit. */
  async release(tx: Transaction, name: string): Promise<void> {
    if (await table.dropBlobUse(tx, name)) tx.afterCommit(() => this.discard({ name }));
  }

  /** Deletes bytes without a row, in the background. A failed deletion is retried by the sweep. */
  discard({ name }: Pick<WrittenBlob, 'name'>): void {
    this.#blobs.store.delete(name).catch(this.#report);
  }
}
