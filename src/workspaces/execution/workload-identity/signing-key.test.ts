import { describe, expect, test } from 'vitest';
import { isPublished, nextOf, PUBLISHED_BEFORE, SIGNS_FOR, type SigningKey, signerOf } from './signing-key.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const key = (generation: number, signsFrom: number, tokensUntil = 0): SigningKey => ({
  id: `key-${generation}`,
  generation,
  signsFrom,
  tokensUntil,
});

describe('keys that sign', () => {
  test('begin with one that signs at once', () => {
    expect(nextOf([], NOW)).toEqual({ generation: 1, signsFrom: NOW });
    expect(signerOf([], NOW)).toBeUndefined();
    expect(signerOf([key(1, NOW + 1)], NOW)?.generation, 'made by a clock that is ahead').toBe(1);
  });

  test('are followed by another one that is published before it signs', () => {
    const first = key(1, NOW);
    const due = NOW + SIGNS_FOR - PUBLISHED_BEFORE;
    expect(nextOf([first], due - 1)).toBeUndefined();
    const next = nextOf([first], due);
    expect(next).toEqual({ generation: 2, signsFrom: NOW + SIGNS_FOR });
    const keys = [first, key(2, NOW + SIGNS_FOR)];
    expect(nextOf(keys, due)).toBeUndefined();
    expect(signerOf(keys, NOW + SIGNS_FOR - 1)?.generation).toBe(1);
    expect(signerOf(keys, NOW + SIGNS_FOR)?.generation).toBe(2);
    expect(keys.map((one) => isPublished(one, keys, due))).toEqual([true, true]);
  });

  test('are published before they sign, however long nobody looked after them', () => {
    const later = NOW + 1000 * DAY;
    expect(nextOf([key(1, NOW)], later)).toEqual({ generation: 2, signsFrom: later + PUBLISHED_BEFORE });
    expect(signerOf([key(1, NOW), key(2, later + PUBLISHED_BEFORE)], later)?.generation).toBe(1);
  });

  test('stay published until the last token of theirs has ended, and a day for clocks that differ', () => {
    const keys = [key(1, NOW, NOW + 100 * DAY), key(2, NOW + 90 * DAY)];
    expect(isPublished(keys[0] as SigningKey, keys, NOW + 101 * DAY)).toBe(true);
    expect(isPublished(keys[0] as SigningKey, keys, NOW + 101 * DAY + 1)).toBe(false);
    expect(isPublished(keys[1] as SigningKey, keys, NOW + 101 * DAY + 1)).toBe(true);
  });
});
