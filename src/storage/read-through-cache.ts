import { LRUCache } from 'lru-cache';
import { lruCache } from '../lib/lru-cache.ts';
import type { Database } from './database.ts';
import { Reading } from './reading.ts';

interface CacheEntry<T> {
  readonly value: T;
  readonly reading: Reading;
}

/** How much is kept, the last used: so many entries, or as many as have that size together. */
export type CacheLimit<T> = number | { readonly maxSize: number; readonly sizeOf: (value: T) => number };

type ReadEach<Key, T> = (missing: readonly Key[]) => Promise<readonly (T | undefined)[]>;

/**
 * What was read, or made of what was read, for as long as nothing has changed that the reading depended on. Nobody says what
 * that is: the statements that ran meanwhile do, and what others that are kept depend on is added to it. Where a database
 * cannot tell what has changed nothing is kept.
 *
 * What it is made of besides has to be part of the key, as an object where need be: that is then the same and not merely alike.
 */
export class ReadThroughCache<T extends object, Key extends string | object = string> {
  readonly #database: Database;
  readonly #cache: LRUCache<Key, CacheEntry<T>>;

  constructor(database: Database, bounds: CacheLimit<T>) {
    this.#database = database;
    if (typeof bounds === 'number') {
      this.#cache = lruCache(bounds);
    } else {
      const { maxSize, sizeOf } = bounds;
      this.#cache = new LRUCache({ maxSize, sizeCalculation: ({ value }) => sizeOf(value) });
    }
  }

  /**
   * What `read` resolved to when it was last asked for this key; undefined is not kept. Nobody may change the value. `read`
   * asks the database itself for all it needs, or what is kept: nothing that somebody else is just reading.
   * @param row id of the row that is read, of the tables that the database follows: other rows of those may change
   */
  async get<Read extends T | undefined>(key: Key, read: () => Promise<Read>, row?: string): Promise<Read> {
    const known = this.getCached(key);
    if (known !== undefined) return known as Read;
    const reading = this.#database.reading(row === undefined ? [] : [row]);
    if (reading === undefined) return read();
    Reading.current?.include(reading);
    const value = await reading.during(read);
    if (value !== undefined) this.#cache.set(key, { value, reading });
    return value;
  }

  /**
   * The same of several at once, reading those alone that are not kept; what there is not is left out.
   * @param read what it resolves to is in the order of what it is given
   * @param row which row one of them is
   */
  async getMany(keys: readonly Key[], read: ReadEach<Key, T>, row?: (key: Key) => string): Promise<T[]> {
    const found = keys.map((key) => this.getCached(key));
    if (found.every((value) => value !== undefined)) return found;
    const missing = keys.filter((_, index) => found[index] === undefined);
    const values = new Map(
      (await this.#readMissing(missing, read, row)).map((value, index) => [missing[index], value]),
    );
    return keys.flatMap((key, index) => found[index] ?? values.get(key) ?? []);
  }

  async #readMissing(missing: readonly Key[], read: ReadEach<Key, T>, row?: (key: Key) => string) {
    const readings = missing.map((key) => this.#database.reading(row && [row(key)]));
    const together = this.#database.reading(row && missing.map(row));
    if (together === undefined) return read(missing);
    const values = await together.during(() => read(missing));
    for (const [index, key] of missing.entries()) {
      const [value, reading] = [values[index], readings[index]];
      if (reading === undefined) continue;
      reading.include(together);
      Reading.current?.include(reading);
      if (value !== undefined) this.#cache.set(key, { value, reading });
    }
    return values;
  }

  /** What is kept for the key, and still so. */
  getCached(key: Key): T | undefined {
    const kept = this.#cache.get(key);
    if (!kept?.reading.holds()) return undefined;
    Reading.current?.include(kept.reading);
    return kept.value;
  }
}
