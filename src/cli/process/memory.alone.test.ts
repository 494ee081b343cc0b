import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { settleMemory } from './memory.ts';

const MIB = 1_048_576;
const youngGeneration = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

test('the young generation has its size once the start is over, and keeps it', () => {
  settleMemory();
  expect(youngGeneration() / MIB).toBeGreaterThanOrEqual(8);
  let kept: object[][] = [];
  for (let round = 0; round < 2_000; round++) {
    if (round % 200 === 0) kept = [];
    kept.push(Array.from({ length: 1_000 }, (_, value) => ({ value })));
  }
  expect(kept.length).toBeGreaterThan(0);
  // V8 allocates both halves of the young generation while it copies objects, and some time after. Its default is
  // 32 MiB here.
  expect(youngGeneration() / MIB).toBeLessThanOrEqual(2 * 8);
});
