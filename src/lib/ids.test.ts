import { describe, expect, it } from 'vitest';
import { prefixedId, randomText, timeOrderedId } from './ids.ts';

describe('timeOrderedId', () => {
  it('sorts by time of creation, today and in a thousand years', () => {
    const times = [0, 1, 57, 58, 1_700_000_000_000, 1_700_000_000_001, 33_000_000_000_000];
    const ids = times.map((time) => timeOrderedId(time));
    expect([...ids].sort()).toEqual(ids);
  });

  it('differs for the same moment', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => timeOrderedId(1_700_000_000_000)));
    expect(ids.size).toBe(10_000);
  });

  it('has 16 characters that need no escaping behind the prefix of its resource', () => {
    expect(prefixedId('ws')).toMatch(/^ws-[1-9A-HJ-NP-Za-km-z]{16}$/);
  });
});

it('uses every character of the alphabet about equally often', () => {
  const counts = new Map<string, number>();
  for (const character of randomText(58_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(58);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
});
