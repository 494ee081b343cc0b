import { describe, expect, it } from 'vitest';
import { changeLines, othersInWords } from './changes.ts';
import { pairOf, type Version } from './version.ts';

const at = (...addresses: string[]) => addresses.map((address) => ({ address }));

it('instances of one resource with the same change are one line', () => {
  const lines = changeLines({
    added: at('a.b[0]', 'c.d', 'a.b[1]', 'a.b["x.y[2]"]'),
    changed: at('a.b[2]'),
    removed: at('module.m["k"].a.b', 'module.m["l"].a.b'),
  });
  expect(lines.map(({ kind, address, others }) => [kind, address, othersInWords(others)])).toEqual([
    ['added', 'a.b[0]', 'and [1], ["x.y[2]"]'],
    ['added', 'c.d', ''],
    ['changed', 'a.b[2]', ''],
    ['removed', 'module.m["k"].a.b', ''],
    ['removed', 'module.m["l"].a.b', ''],
  ]);
  expect(lines[0]?.addresses).toEqual(['a.b[0]', 'a.b[1]', 'a.b["x.y[2]"]']);
  expect(othersInWords(['[1]', '[2]', '[3]', '[4]'])).toBe('and 4 more');
});

describe('the compared pair of versions', () => {
  const versions = (['pending', 'finalized', 'discarded', 'finalized', 'finalized'] as const).map(
    (status, number) => ({ id: `sv-${number}`, attributes: { status } }) as Version,
  );

  it('is the newest state and its predecessor, unless the user chose others', () => {
    expect(pairOf(versions, {})).toEqual({ from: 'sv-3', to: 'sv-1' });
    expect(pairOf(versions, { to: 'sv-3' })).toEqual({ from: 'sv-4', to: 'sv-3' });
    expect(pairOf(versions, { from: 'sv-4' })).toEqual({ from: 'sv-4', to: 'sv-1' });
    expect(pairOf(versions, { from: 'sv-9', to: 'sv-8' })).toEqual({ from: 'sv-9', to: 'sv-8' });
    expect(pairOf(versions.slice(4), {})).toEqual({ from: undefined, to: 'sv-4' });
    expect(pairOf([], {})).toEqual({ from: undefined, to: undefined });
  });
});
