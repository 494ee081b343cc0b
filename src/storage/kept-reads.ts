import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';

/**
 * What was read, or made of what was read, for as long as nothing in the database changes. It is right by itself: nobody
 * has to say what a write concerns. Where a database cannot tell whether it has changed nothing is kept.
 */
export class KeptReads<T extends object> {
  readonly #database: Database;
  readonly #kept: LRUCache<string, T>;
  #revision: number | undefined;

  /** @param max entries, the last used */
  constructor(database: Database, max: number) {
    this.#database = database;
    this.#kept = new LRUCache({ max });
  }

  /** What `read` resolved to when it was last asked for this key; undefined is not kept. Nobody may change the value. */
  async get<Read extends T | undefined>(key: string, read: () => Promise<Read>): Promise<Read> {
    const revision = this.#database.revision();
    if (revision === undefined) return read();
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#kept.clear();
    }
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept as Read;
    const value = await read();
    // What was read while somebody wrote may be of before and of after.
    if (value !== undefined && this.#database.revision() === revision && this.#revision === revision) {
      this.#kept.set(key, value);
    }
    return value;
  }
}
