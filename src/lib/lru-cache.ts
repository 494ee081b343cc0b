import { LRUCache } from 'lru-cache';

const one = (): number => 1;

/**
 * Keeps so many entries, the last used. Room is taken as they come: with `max` alone it is taken for all of them at once.
 * @param dispose told of each that is dropped or replaced
 */
export function lruCache<Key extends {}, Value extends {}>(
  most: number,
  dispose?: (value: Value) => void,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: one, ...(dispose && { dispose }) });
}
