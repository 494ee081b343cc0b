import { expect, test } from 'vitest';
import { passing } from './key-wrapper.ts';
import { withRetries } from './retry.ts';

const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('an attempt that the end of the wait cuts short does not hide the reason of the one before', async () => {
  const noted: string[] = [];
  let attempts = 0;
  const work = (signal: AbortSignal) => (attempts++ === 0 ? Promise.reject(passing('it is sealed')) : hanging(signal));
  const ended = withRetries(work, { waitSeconds: 0.6, note: ({ message }) => noted.push(message) });
  await expect(ended).rejects.toThrow(/^it is sealed$/);
  expect([attempts, noted]).toEqual([2, ['it is sealed']]);
});

test('a service that never answers is reported as such', async () => {
  await expect(withRetries(hanging, { waitSeconds: 0.1 })).rejects.toThrow(/^no answer within 0\.1 s$/);
});
