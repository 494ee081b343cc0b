/** Where backups lie, each under a name of its own. What goes wrong there is a StorageError, whose text names the place. */
export interface BackupDestination {
  /** For people: a folder, or `s3://bucket/prefix/`. */
  readonly address: string;
  /** It is there whole, or not at all. @returns how many bytes it has @throws StorageError where there is something of that name */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** @param most of its first bytes; all without it @throws StorageError where there is nothing of that name */
  read(name: string, most?: number): Promise<AsyncIterable<Uint8Array>>;
  /** All that are called like backups. */
  list(): Promise<readonly StoredBackup[]>;
  remove(name: string): Promise<void>;
  /** What was begun and not ended, by whoever does so no more. */
  sweep(before: number): Promise<void>;
  close(): void;
}

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

/** Counts what passes. */
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
