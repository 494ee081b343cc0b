import type { Database, Transaction } from '../database.ts';
import * as table from './blob-table.ts';
import type { Blobs, WriteOptions, WrittenBlob } from './blobs.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes blobs and the rows that name them: first the bytes, durably; then one transaction that names them. Bytes are
 * deleted only while no row can name them. A COMMIT without an answer may have succeeded, so its bytes stay, and
 * `BlobHousekeeping` sweeps blobs that no row names.
 */
export class BlobWriter {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #report: (error: unknown) => void;

  /** @param report gets what fails beside any request */
  constructor(database: Database, blobs: Blobs, report: (error: unknown) => void) {
    this.#database = database;
    this.#blobs = blobs;
    this.#report = report;
  }

  /** Writes the bytes. Constant memory; durable once it resolves. @throws AppError 413 for more than `maxBytes` */
  write(source: Bytes, options: WriteOptions): Promise<WrittenBlob> {
    return this.#blobs.write(source, options);
  }

  /** Runs what comes before the transaction that names the blob, and deletes the bytes when it fails. */
  async before<T>(blob: WrittenBlob, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.discard(blob);
      throw error;
    }
  }

  /** Runs the transaction that names the blob, and deletes the bytes when it fails before its COMMIT. */
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

  /** Returns the name to store: that of equal content, where the workspace has some. In the transaction of `naming`. */
  async register(tx: Transaction, blob: WrittenBlob, workspaceId: string, now: number): Promise<string> {
    const name = await table.registerBlob(tx, blob, workspaceId, now);
    if (name !== blob.name) tx.afterCommit(() => this.discard(blob));
    return name;
  }

  /** Counts one name less. The bytes of the last one are deleted once this is committed. */
  async release(tx: Transaction, name: string): Promise<void> {
    if (await table.dropBlobUse(tx, name)) tx.afterCommit(() => this.discard({ name }));
  }

  /** Deletes bytes that no row names, beside the caller. What cannot be deleted now is swept later. */
  discard({ name }: Pick<WrittenBlob, 'name'>): void {
    this.#blobs.store.delete(name).catch(this.#report);
  }
}
