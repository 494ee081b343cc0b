import { type Database, sql } from '../../storage/index.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from '../model/mount.ts';

/** A mount that was disabled and is not gone yet. */
export interface RemovedMount extends Mount {
  readonly removedAt: number;
}

type Row = Omit<Mount, 'tuning' | 'flags'> & { readonly removed_at: number };

const removed = sql<Record<string, never>, Row>(
  `SELECT id, path, type, accessor, description, version, config, removed_at FROM mount
   WHERE removed_at IS NOT NULL ORDER BY removed_at`,
);
const forget = sql<{ id: string }>('DELETE FROM mount WHERE id = :id AND removed_at IS NOT NULL');

/** The mounts that were disabled: rows that nobody can reach any more, and that others still point to. */
export class CleanupStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The oldest first. */
  async all(): Promise<RemovedMount[]> {
    const rows = await this.#database.all(removed, {});
    return rows.map(({ removed_at: removedAt, ...row }) => ({
      ...row,
      removedAt,
      tuning: INITIAL_TUNING,
      flags: INITIAL_FLAGS,
    }));
  }

  /** To be called when nothing points to it any more. */
  async forget(id: string): Promise<void> {
    await this.#database.run(forget, { id });
  }
}
