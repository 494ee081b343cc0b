import { expect, it } from 'vitest';
import { type StandbyRow, standbyLags } from './standbys.ts';

const row = (more: Partial<StandbyRow> = {}): StandbyRow => ({
  ...{ name: 'b', state: 'streaming', seconds: 0.05, bytes: 12 },
  ...more,
});

it('returns nothing if the user may not see the standbys', () => {
  expect(standbyLags([])).toEqual([]);
  expect(standbyLags([row({ name: null, state: null, seconds: null, bytes: null })])).toBeUndefined();
});

it('reports no lag in seconds for a standby that has applied everything', () => {
  expect(standbyLags([row({ seconds: 9.2, bytes: 0 })])).toEqual([row({ seconds: 0, bytes: 0 })]);
  expect(standbyLags([row({ seconds: null })])).toEqual([row({ seconds: 0 })]);
});

it('returns the standbys that are furthest behind', () => {
  const lags = standbyLags(Array.from({ length: 60 }, (_, bytes) => row({ name: `${bytes}`, bytes }))) ?? [];
  expect([lags.length, lags[0]?.name, lags.at(-1)?.name]).toEqual([50, '59', '10']);
});
