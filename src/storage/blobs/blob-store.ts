/** A part of what a store holds. */
export interface BlobListing {
  readonly blobs: readonly { readonly name: string; readonly modifiedAt: number }[];
  /** Where the next part begins; undefined after the last. */
  readonly next: string | undefined;
}

/**
 * Where large content lies: sealed bytes under names of ours, each written once. Which names are in use, the database
 * knows; one that it does not know is left over from something that was broken off.
 */
export interface BlobStore {
  /**
   * Durable once it resolves; nothing of it is to be seen before, and nothing is left when it rejects: with what the source
   * threw, or with AppError `unavailable` where the store is at fault. `name` is new, of hexadecimal digits. Each part is in memory
   * of its own, which is the store's from then on.
   */
  put(name: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * The next part may be in the memory of the one before it.
   * @throws BlobMissing when nothing has that name, before the first byte
   */
  get(name: string): AsyncIterable<Uint8Array>;
  /** Nothing happens when nothing has that name. */
  delete(name: string): Promise<void>;
  /** A bounded part, what is half written included. */
  list(from: string | undefined): Promise<BlobListing>;
  /** Rejects when nothing can be stored now. Absent where asking costs money, or says nothing about this machine. */
  check?(): Promise<void>;
}

/** The database knows a name that the store does not. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}
