import type { Clock } from '../../lib/clock.ts';
import { type Database, sql } from '../database.ts';
import type { BlobListing, BlobStore } from './blob-store.ts';

/** A backup in progress whose heartbeats have not stopped (backup/attempts.ts). */
const underWay = sql<{ now: number }, { id: string }>(
  'SELECT id FROM backup_attempt WHERE ended_at IS NULL AND alive_until > :now LIMIT 1',
);

/**
 * A store that deletes nothing during a backup, which reads the rows first and the blobs later. A kept blob has no row
 * and is swept afterwards. A backup registers before it reads the rows, and a row is deleted before its blob, so
 * neither can miss the other.
 */
export class HeldBlobs implements BlobStore {
  readonly check?: () => Promise<void>;
  readonly #store: BlobStore;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(store: BlobStore, database: Database, clock: Clock) {
    this.#store = store;
    this.#database = database;
    this.#clock = clock;
    if (store.check) this.check = () => store.check?.() ?? Promise.resolve();
  }

  put(name: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#store.put(name, source);
  }

  get(name: string): AsyncIterable<Uint8Array> {
    return this.#store.get(name);
  }

  async delete(name: string): Promise<void> {
    if (await this.#database.one(underWay, { now: this.#clock() })) return;
    await this.#store.delete(name);
  }

  list(from: string | undefined): Promise<BlobListing> {
    return this.#store.list(from);
  }
}
