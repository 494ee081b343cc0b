import type { Clock } from '../../lib/clock.ts';
import type { Transaction } from '../database.ts';
import type { Keyring } from '../keyring.ts';
import { BlobDraft } from './blob-draft.ts';
import type { BlobStore } from './blob-store.ts';
import * as table from './blob-table.ts';
import { Blobs, type WriteOptions } from './blobs.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Options for writing a blob of a workspace or an organization. */
export interface DraftOptions extends Omit<WriteOptions, 'scope'> {
  readonly owner: table.BlobOwner;
  /** Kind of content, such as `state`. Equal blobs of one kind and owner are stored once. */
  readonly kind: string;
}

/** Dependencies of `BlobWriter`. */
export interface BlobWriterOptions {
  readonly blobStore: BlobStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Called with errors outside of any request. */
  readonly report: (error: unknown) => void;
}

/**
 * Writes blobs and the rows that refer to them: first the bytes, durably (`write`); then their name, in the transaction
 * of the caller (`keep`). The writer alone removes bytes, and only if no row can refer to them.
 */
export class BlobWriter {
  readonly #options: BlobWriterOptions;
  readonly #blobs: Blobs;

  constructor(options: BlobWriterOptions) {
    this.#options = options;
    this.#blobs = new Blobs(options.blobStore, options.keyring);
  }

  /**
   * Writes the bytes in constant memory, durably, and then runs the work, which names them with `keep`. The bytes are
   * removed at the end of the work, unless they are named in a transaction that is stored or may be stored.
   * @throws AppError 413 for more than `maxBytes`; the error of the work
   */
  async write<T>(
    source: Bytes,
    { owner, kind, ...options }: DraftOptions,
    work: (draft: BlobDraft) => Promise<T>,
  ): Promise<T> {
    const startedAt = this.#options.clock();
    const blob = await this.#blobs.write(source, { ...options, scope: `${kind}/${table.idOfOwner(owner)}` });
    const draft = new BlobDraft(blob, owner, startedAt);
    try {
      return await work(draft);
    } finally {
      if (draft.end()) this.#remove(blob.name);
    }
  }

  /**
   * Names the bytes of a draft in a transaction. Returns the name to store, which is that of an equal blob if the
   * owner has one.
   * @throws AppError `unavailable` if the draft is too old
   */
  async keep(tx: Transaction, draft: BlobDraft): Promise<string> {
    const now = this.#options.clock();
    draft.namedBy(tx, now);
    const name = await table.registerBlob(tx, draft.blob, draft.owner, now);
    if (name !== draft.blob.name) draft.notNamed();
    return name;
  }

  /** Removes a reference. The bytes of the last one are removed after the commit. */
  async release(tx: Transaction, name: string): Promise<void> {
    if (await table.dropBlobUse(tx, name)) tx.afterCommit(() => this.#remove(name));
  }

  /** Removes bytes without a row, in the background. After a failure `BlobHousekeeping` removes them. */
  #remove(name: string): void {
    this.#options.blobStore.delete(name).catch(this.#options.report);
  }
}
