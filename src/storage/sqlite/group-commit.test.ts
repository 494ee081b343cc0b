import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { GroupCommit, type Outcome, type Write } from './group-commit.ts';
import { whenQuiet } from './when-quiet.ts';

/** Runs the writes, and records how many were in each commit. */
function runner() {
  const sizes: number[] = [];
  const group = new GroupCommit(async (writes: readonly Write[]): Promise<readonly Outcome[]> => {
    sizes.push(writes.length);
    return Promise.allSettled(writes.map(({ run }) => run()));
  });
  return { sizes, group };
}

it('stores a burst of writes together, and answers each with its own result', async () => {
  const { sizes, group } = runner();
  const first = [1, 2].map((value) => group.add(async () => value));
  await nextTurn();
  const refused = group.add(async () => Promise.reject(new Error('three')));
  const last = group.add(async () => 4);
  await expect(refused).rejects.toThrow('three');
  expect(await Promise.all([...first, last])).toEqual([1, 2, 4]);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(4);
  expect(sizes.length).toBeLessThan(3);
});

it('keeps a thousand concurrent writes in order, in groups', async () => {
  const { sizes, group } = runner();
  const order: number[] = [];
  await Promise.all(Array.from({ length: 1000 }, (_, i) => group.add(async () => order.push(i))));
  expect(order).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  expect(sizes).toEqual(Array.from({ length: 10 }, () => 100));
});

it('rejects the whole group if nothing could be stored, and continues with the next', async () => {
  let isFull = true;
  const group = new GroupCommit(async (writes) => {
    if (isFull) throw new Error('full');
    return Promise.allSettled(writes.map(({ run }) => run()));
  });
  const refused = [group.add(async () => 1), group.add(async () => 2)];
  expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isFull = false;
  expect(await group.add(async () => 3)).toBe(3);
});

it('makes progress while new writes keep arriving', async () => {
  let count = 0;
  let isOver = false;
  const grow = () => {
    count++;
    if (!isOver) setImmediate(grow);
  };
  grow();
  await new Promise<void>((resolve) => whenQuiet(() => count, resolve));
  isOver = true;
  expect(count).toBeGreaterThan(1);
});
