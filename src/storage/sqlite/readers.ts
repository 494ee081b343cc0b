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

  /** Holds on to the database as it is now. A read transaction begins with the first read, not with BEGIN. */
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
 * Readers that see only what is durable, so that no answer tells of a write that a power loss could take back. While
 * commits wait for their sync, the reader in use stays at the last durable one; the other takes its place afterwards,
 * having stopped at the last commit that the running sync covers.
 */
export class DurableReaders implements SyncObserver {
  #inUse: Reader;
  #other: Reader;
  #syncing = false;
  readonly #history: History;
  readonly #versionOfOthers: () => unknown;
  #seenOfOthers: number;
  /** Whether somebody else has written, and the reader in use may still show what was before. */
  #isBehindOthers = false;
  #hasLooked = false;
  readonly #forget = () => {
    this.#hasLooked = false;
  };

  constructor(first: SqliteConnection, second: SqliteConnection, writer: SqliteConnection, history: History) {
    this.#inUse = new Reader(first);
    this.#other = new Reader(second);
    this.#history = history;
    // Another one once somebody else than the writer has committed (https://sqlite.org/pragma.html#pragma_data_version).
    this.#versionOfOthers = writer.command('PRAGMA data_version');
    this.#seenOfOthers = this.#lookAtOthers();
  }

  get queries(): Queries {
    return this.#inUse.connection;
  }

  /** When readers last came to see something new. */
  now(): number {
    // One look serves a turn of the event loop. What this process writes is seen when its sync ends, not before.
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

  /** Before each commit: what is committed next is not for readers yet. */
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
