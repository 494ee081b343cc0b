import { LRUCache } from 'lru-cache';

const one = (): number => 1;

/**
 * Creates an LRU cache. Memory is allocated as entries arrive; with the option `max` the library would allocate it for
 * all entries at once.
 * @param dispose called for each entry that is evicted or replaced
 */
export function lruCache<Key extends {}, Value extends {}>(
  most: number,
  dispose?: (value: Value) => void,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: one, ...(dispose && { dispose }) });
}
