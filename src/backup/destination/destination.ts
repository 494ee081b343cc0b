/** A place for backups, each with a name of its own. Faults are StorageErrors whose messages name the place. */
export interface BackupDestination {
  /** For display: a folder, or `s3://bucket/prefix/`. */
  readonly address: string;
  /**
   * Writes a backup atomically.
   * @returns the number of bytes
   * @throws StorageError if the name exists
   */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * @param most number of bytes to read from the start; without it all are read
   * @throws StorageError if the name does not exist
   */
  read(name: string, most?: number): Promise<AsyncIterable<Uint8Array>>;
  /** Lists all files with the name of a backup. */
  list(): Promise<readonly StoredBackup[]>;
  remove(name: string): Promise<void>;
  /** Removes incomplete uploads of processes that ended. */
  sweep(before: number): Promise<void>;
  close(): void;
}

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

/** Counts the bytes that pass through. */
export class Counted {
  bytes = 0;
  readonly #source: AsyncIterable<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const part of this.#source) {
      this.bytes += part.length;
      yield part;
    }
  }
}
