import { expect, test } from 'vitest';
import { lruCache } from './lru-cache.ts';

test('keeps at most `max` entries, the most recently used ones', () => {
  const dropped: number[] = [];
  const kept = lruCache<string, number>(3, (value) => dropped.push(value));
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) kept.set(key, value);
  kept.get('a');
  kept.set('d', 4);
  expect([...kept.keys()].sort()).toEqual(['a', 'c', 'd']);
  expect(dropped).toEqual([2]);
  for (let n = 0; n < 100; n++) kept.set(`more ${n}`, n);
  expect(kept.size).toBe(3);
});

test('counts an entry once that is set again', () => {
  const kept = lruCache<string, number>(2);
  for (let n = 0; n < 10; n++) kept.set('a', n);
  kept.set('b', 1);
  expect(kept.get('a')).toBe(9);
});
