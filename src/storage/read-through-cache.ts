import { LRUCache } from 'lru-cache';
import { lruCache } from '../lib/lru-cache.ts';
import type { Database } from './database.ts';
import { Reading } from './reading.ts';

interface CacheEntry<T> {
  readonly value: T;
  readonly reading: Reading;
}

/** Limit of the cache: a number of entries, or a total size. The least recently used entries are evicted. */
export type CacheLimit<T> = number | { readonly maxSize: number; readonly sizeOf: (value: T) => number };

type ReadEach<Key, T> = (missing: readonly Key[]) => Promise<readonly (T | undefined)[]>;

/**
 * Read-through cache whose entries are valid until the data that they depend on changes. Dependencies need no
 * declaration: the statements that run during a read are recorded, and so are the dependencies of other cached values
 * that it uses. Nothing is cached on a database that cannot detect changes.
 *
 * Other inputs of a value must be part of its key, as an object if necessary; objects are compared by identity.
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
   * Returns the cached value of a key, or the result of `read`; undefined is not cached. The value must not be changed.
   * `read` itself must read everything that it needs from the database or a cache, and must not reuse a read that is in
   * progress elsewhere.
   * @param row ID of the row that is read, for tables that the database follows: changes of their other rows do not
   * matter
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
   * Returns several values and reads only those that are not cached; missing ones are left out.
   * @param read resolves to the values in the order of its keys
   * @param row returns the row of a key
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

  /** Returns the cached value if it is still valid. */
  getCached(key: Key): T | undefined {
    const kept = this.#cache.get(key);
    if (!kept?.reading.holds()) return undefined;
    Reading.current?.include(kept.reading);
    return kept.value;
  }
}
