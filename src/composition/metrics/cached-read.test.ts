import { expect, onTestFinished, test, vi } from 'vitest';
import { cachedRead } from './cached-read.ts';

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('concurrent and later callers share one read for a while, and a failure too', async () => {
  fakeTime();
  let reads = 0;
  const read = cachedRead(async () => {
    reads++;
    if (reads === 2) throw new Error('down');
    return reads;
  }, 1000);
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(999);
  expect(await read()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await expect(read()).rejects.toThrow('down');
  await expect(read()).rejects.toThrow('down');
  await vi.advanceTimersByTimeAsync(1000);
  expect(await read()).toBe(3);
});

test('what does not come to its end is not waited for, and not begun again', async () => {
  fakeTime();
  let reads = 0;
  const gate = Promise.withResolvers<string>();
  const read = cachedRead(() => {
    reads++;
    return gate.promise;
  }, 1000);
  const late = expect(read()).rejects.toThrow('too long');
  await vi.advanceTimersByTimeAsync(3_000);
  await late;
  const again = read();
  gate.resolve('there');
  expect(await again).toBe('there');
  expect(reads).toBe(1);
});
