/** A page of the names in a store. */
export interface BlobListing {
  readonly blobs: readonly { readonly name: string; readonly modifiedAt: number }[];
  /** Start of the next page; undefined after the last. */
  readonly next: string | undefined;
}

/**
 * Store of large encrypted blobs with generated names, each written once. The database knows which names are in use; a
 * name that it does not know is left over from an interrupted write.
 */
export interface BlobStore {
  /**
   * Stores a blob. It is durable once the promise resolves, and not visible before. If the promise rejects nothing is
   * left; the error is that of the source, or AppError `unavailable` if the store fails. `name` is new and consists of
   * hexadecimal digits. The store takes ownership of the memory of each part.
   */
  put(name: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Reads a blob. A part may reuse the memory of the one before.
   * @throws BlobMissing if the name does not exist, before the first byte
   */
  get(name: string): AsyncIterable<Uint8Array>;
  /** Removes a blob. Does nothing if the name does not exist. */
  delete(name: string): Promise<void>;
  /** Returns a page of limited size, incomplete blobs included. */
  list(from: string | undefined): Promise<BlobListing>;
  /** Rejects if nothing can be stored now. Absent if the check would cost money or says nothing about this machine. */
  check?(): Promise<void>;
}

/** Thrown if the database knows a name that the store does not have. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}
