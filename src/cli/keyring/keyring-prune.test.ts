import { describe, expect, it } from 'vitest';
import { CommandError } from '../errors/command-error.ts';
import { requirePrunable } from './keyring-prune.ts';
import { keyUses } from './keyring-use.ts';

const HOUR = 3_600_000;
const noon = Date.parse('2026-11-22T12:00:00Z');
const key = (version: number, role: 'primary' | 'next' | 'old', sealsFrom = 0) => ({
  ...{ version, role, sealsFrom },
  created: noon - 10 * HOUR,
});
const keys = [key(3, 'primary', noon), key(2, 'old', noon - HOUR), key(1, 'old')];

function refusal(version: number, counts: Parameters<typeof keyUses>[1], batchTokenLife: number, now: number): string {
  try {
    requirePrunable(version, keyUses(keys, counts), { batchTokenLife, now });
    return 'allowed';
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

describe('a key may go', () => {
  it.each([
    ['when nothing is sealed by it and its last batch token has expired', 2, [], 3600, noon + HOUR, /^allowed$/],
    [
      'not while a batch token may live',
      2,
      [],
      3600,
      noon + HOUR - 1,
      /until 2026-11-22T13:00:00\.000Z, so the key must stay/,
    ],
    ['counting from when the next key took its place, not the last', 1, [], 3600, noon, /^allowed$/],
    ['when batch tokens may be dropped', 2, [], 0, noon, /^allowed$/],
    ['not while it seals', 3, [], 0, noon, /^key 3 encrypts new values now, so it must stay$/],
    ['not when it was never there', 4, [], 0, noon, /^no such key: 4$/],
    ['when it is another that is in use', 2, [{ column: 'a.b', version: 1, values: 1 }], 0, noon, /^allowed$/],
    [
      'not while it is in use',
      2,
      [
        { column: 'a.b', version: 2, values: 1 },
        { column: 'c.d', version: 2, values: 4 },
      ],
      0,
      noon + 99 * HOUR,
      /^key 2 encrypts 5 values that are still there \(a\.b 1, c\.d 4\), so the key must stay\./,
    ],
  ])('%s', (_, version, counts, life, now, expected) => expect(refusal(version, counts, life, now)).toMatch(expected));

  it('only if it is in the keyring: one that is missing and still needed is shown', () => {
    const uses = keyUses(keys, [{ column: 'a.b', version: 9, values: 2 }]);
    expect(uses.at(-1)).toEqual({
      ...{ key: 9, role: 'missing', created: null, seals_from: null },
      ...{ values: 2, columns: { 'a.b': 2 } },
    });
    expect(refusal(9, [{ column: 'a.b', version: 9, values: 2 }], 0, noon)).toBe('no such key: 9');
  });
});
