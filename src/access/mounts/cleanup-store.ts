import { type Database, sql } from '../../storage/index.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from '../model/mount.ts';

/** A disabled mount whose data is not removed yet. */
export interface RemovedMount extends Mount {
  readonly removedAt: number;
}

type Row = Omit<Mount, 'tuning' | 'flags'> & { readonly removed_at: number };

const removed = sql<Record<string, never>, Row>(
  `SELECT id, path, type, accessor, description, version, config, removed_at FROM mount
   WHERE removed_at IS NOT NULL ORDER BY removed_at`,
);
const forget = sql<{ id: string }>('DELETE FROM mount WHERE id = :id AND removed_at IS NOT NULL');

/** Stores disabled mounts. No request reaches them, but other rows still refer to them. */
export class CleanupStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns them, the oldest first. */
  async all(): Promise<RemovedMount[]> {
    const rows = await this.#database.all(removed, {});
    return rows.map(({ removed_at: removedAt, ...row }) => ({
      ...row,
      removedAt,
      tuning: INITIAL_TUNING,
      flags: INITIAL_FLAGS,
    }));
  }

  /** Removes the row. Call it when no other row refers to it. */
  async forget(id: string): Promise<void> {
    await this.#database.run(forget, { id });
  }
}
