import type { Queries } from '../database.ts';
import type { SqliteConnection } from './connection.ts';
import type { SyncObserver } from './group-sync.ts';

class Reader {
  readonly connection: SqliteConnection;
  readonly #begin: () => unknown;
  readonly #look: () => unknown;
  readonly #end: () => unknown;
  readonly #dataVersion: () => unknown;
  pinned = false;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
    this.#begin = connection.command('BEGIN');
    this.#look = connection.command('SELECT 1 FROM sqlite_schema LIMIT 1');
    this.#end = connection.command('COMMIT');
    this.#dataVersion = connection.command('PRAGMA data_version');
  }

  /** Another one once somebody else, of whatever process, has committed (https://sqlite.org/pragma.html#pragma_data_version). */
  get dataVersion(): number {
    return (this.#dataVersion() as { data_version: number }).data_version;
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
  /** Of whom the revision tells, and what it was seen at. */
  #seen: { reader: Reader; dataVersion: number } | undefined;
  #revision = 0;
  #isKnown = false;
  readonly #forget = () => {
    this.#isKnown = false;
  };

  constructor(first: SqliteConnection, second: SqliteConnection) {
    this.#inUse = new Reader(first);
    this.#other = new Reader(second);
  }

  get queries(): Queries {
    return this.#inUse.connection;
  }

  /** Grows whenever what the reader in use shows may have changed. Versions of two connections cannot be compared. */
  revision(): number {
    // One look serves a turn of the event loop. What this process writes is seen when its sync ends, not before.
    if (this.#isKnown) return this.#revision;
    this.#isKnown = true;
    setImmediate(this.#forget);
    const reader = this.#inUse;
    const { dataVersion } = reader;
    if (this.#seen?.reader !== reader || this.#seen.dataVersion !== dataVersion) {
      this.#seen = { reader, dataVersion };
      this.#revision++;
    }
    return this.#revision;
  }

  /** Before each commit: what is committed next is not for readers yet. */
  commitFollows(): void {
    if (!this.#inUse.pinned) this.#inUse.pin();
    else if (this.#syncing && !this.#other.pinned) this.#other.pin();
  }

  syncBegins(): void {
    this.#syncing = true;
  }

  syncEnds(): void {
    this.#syncing = false;
    this.#isKnown = false;
    this.#inUse.unpin();
    if (this.#other.pinned) [this.#inUse, this.#other] = [this.#other, this.#inUse];
  }

  close(): void {
    this.#inUse.connection.close();
    this.#other.connection.close();
  }
}
