import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

it('runs one holder at a time, in the order of requests', async () => {
  const mutex = new Mutex();
  const log: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await mutex.acquire();
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      mutex.release();
    }),
  );
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('does not block the event loop while many wait', async () => {
  const mutex = new Mutex();
  let done = 0;
  const all = Array.from({ length: 1000 }, async () => {
    await mutex.acquire();
    done++;
    mutex.release();
  });
  await nextTurn();
  expect(done).toBeLessThan(1000);
  await Promise.all(all);
  expect(done).toBe(1000);
});
