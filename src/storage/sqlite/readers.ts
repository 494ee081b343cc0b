import type { Queries } from '../database.ts';
import type { SqliteConnection } from './connection.ts';
import type { SyncObserver } from './group-sync.ts';
import type { History } from './history.ts';

class Reader {
  readonly connection: SqliteConnection;
  readonly #begin: () => unknown;
  readonly #look: () => unknown;
  readonly #end: () => unknown;
  pinned = false;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
    this.#begin = connection.command('BEGIN');
    this.#look = connection.command('SELECT 1 FROM sqlite_schema LIMIT 1');
    this.#end = connection.command('COMMIT');
  }

  /** Starts a read transaction at the current state. BEGIN alone does not start it, only the first read does. */
  pin(): void {
    this.#begin();
    try {
      this.#look();
      this.pinned = true;
    } finally {
      if (!this.pinned) this.#end();
    }
  }

  unpin(): void {
    if (this.pinned) this.#end();
    this.pinned = false;
  }
}

/**
 * Two readers that see only durable data, so that no response shows a write that a power failure could undo. While
 * commits wait for their sync, the active reader stays at the last durable state. Afterwards the other reader replaces
 * it, whose snapshot is the last commit that the sync covers.
 */
export class DurableReaders implements SyncObserver {
  #inUse: Reader;
  #other: Reader;
  #syncing = false;
  readonly #history: History;
  readonly #versionOfOthers: () => unknown;
  #seenOfOthers: number;
  /** Whether another process has written and the active reader may still show the state before. */
  #isBehindOthers = false;
  #hasLooked = false;
  readonly #forget = () => {
    this.#hasLooked = false;
  };

  constructor(first: SqliteConnection, second: SqliteConnection, writer: SqliteConnection, history: History) {
    this.#inUse = new Reader(first);
    this.#other = new Reader(second);
    this.#history = history;
    // Changes after a commit by any connection other than the writer
    // (https://sqlite.org/pragma.html#pragma_data_version).
    this.#versionOfOthers = writer.command('PRAGMA data_version');
    this.#seenOfOthers = this.#lookAtOthers();
  }

  get queries(): Queries {
    return this.#inUse.connection;
  }

  /**
   * Returns the current value of the history's logical clock, which advances when a change becomes visible to readers.
   */
  now(): number {
    // One check serves a turn of the event loop. Writes of this process become visible only at the end of their sync.
    if (this.#hasLooked) return this.#history.now;
    this.#hasLooked = true;
    setImmediate(this.#forget);
    const version = this.#lookAtOthers();
    if (version !== this.#seenOfOthers) {
      this.#seenOfOthers = version;
      this.#history.changeEverything();
      this.#isBehindOthers = this.#inUse.pinned;
    }
    return this.#history.now;
  }

  /** Must be called before each commit, which is not visible to readers yet. */
  commitFollows(): void {
    this.#history.unitCommitted();
    if (!this.#inUse.pinned) this.#inUse.pin();
    else if (this.#syncing && !this.#other.pinned) this.#other.pin();
  }

  syncBegins(): void {
    this.#syncing = true;
    this.#history.syncBegins();
  }

  syncEnds(): void {
    this.#syncing = false;
    this.#hasLooked = false;
    this.#inUse.unpin();
    if (this.#other.pinned) [this.#inUse, this.#other] = [this.#other, this.#inUse];
    this.#history.syncEnds();
    if (this.#isBehindOthers) this.#history.changeEverything();
    this.#isBehindOthers &&= this.#inUse.pinned;
  }

  #lookAtOthers(): number {
    return (this.#versionOfOthers() as { data_version: number }).data_version;
  }

  close(): void {
    this.#inUse.connection.close();
    this.#other.connection.close();
  }
}
