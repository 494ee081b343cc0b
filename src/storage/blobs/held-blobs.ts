import type { Clock } from '../../lib/clock.ts';
import { type Database, sql } from '../database.ts';
import type { BlobListing, BlobStore } from './blob-store.ts';

/** A backup that is being made, and not given up by whoever makes it (backup/attempts.ts). */
const underWay = sql<{ now: number }, { id: string }>(
  'SELECT id FROM backup_attempt WHERE ended_at IS NULL AND alive_until > :now LIMIT 1',
);

/**
 * A store that deletes nothing while a backup is being made: that has read the rows that name a content, and reads the content
 * later. What stays is named by no row and is swept afterwards. A backup says that it is there before it reads the rows, and whoever
 * deletes a content has taken its row away before: so they see each other.
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
