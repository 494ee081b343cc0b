import { expect, it } from 'vitest';
import { toEvict } from './memory.ts';

const table = (organizationId: string, bytes: number, usedAt = 0) => ({ organizationId, bytes, usedAt });
const evicted = (tables: ReturnType<typeof table>[], now: number, limit: number) =>
  toEvict(tables, now, limit).map(({ organizationId }) => organizationId);

it('evicts nothing while everything fits', () => {
  expect(evicted([table('a', 60), table('b', 40)], 0, 100)).toEqual([]);
});

it('evicts unused tables first, then the largest', () => {
  const now = 3_600_000;
  const tables = [table('small', 5, now), table('old', 10, 1), table('older', 10, 0), table('large', 90, now)];
  expect(evicted(tables, now, 105)).toEqual(['older']);
  expect(evicted(tables, now, 100)).toEqual(['older', 'old']);
  expect(evicted(tables, now, 90)).toEqual(['older', 'old', 'large']);
});

it('evicts no table that is at most its share, however many others there are', () => {
  for (let count = 2; count < 40; count++) {
    const others = Array.from({ length: count - 1 }, (_, at) => table(`other-${at}`, 1 + ((at * 37) % 90)));
    const own = table('own', 100 / count);
    expect(evicted([own, ...others], 0, 100)).not.toContain('own');
  }
});
