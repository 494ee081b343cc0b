import { expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

it('gives one turn at a time, in the order of asking', async () => {
  const mutex = new Mutex();
  const log: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await mutex.take();
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      mutex.release();
    }),
  );
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});
