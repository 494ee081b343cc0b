import { describe, expect, test } from 'vitest';
import { isPassing, Refusal, refusalText, Unanswered } from './failures.ts';
import { pauseAfter, persistently } from './retry.ts';

const never = new AbortController().signal;

/** Fails with each of these errors, then succeeds. */
function failing(...errors: readonly Error[]): { work: () => Promise<string>; tries: () => number } {
  let tries = 0;
  const work = async (): Promise<string> => {
    const error = errors[tries++];
    if (error !== undefined) throw error;
    return 'done';
  };
  return { work, tries: () => tries };
}

describe('a request that fails', () => {
  test.each([
    [new Unanswered('reset'), true],
    ...[408, 429, 500, 502, 503, 504].map((status) => [new Refusal(status, ''), true] as const),
    ...[301, 400, 401, 403, 404, 409, 413, 422].map((status) => [new Refusal(status, ''), false] as const),
    [new TypeError('a bug'), false],
  ] as const)('%s is transient: %s', (error, expected) => {
    expect(isPassing(error)).toBe(expected);
  });

  test('is tried again until it succeeds', async () => {
    const { work, tries } = failing(new Unanswered('away'), new Refusal(503, 'starting'));
    const said: string[] = [];
    const options = { signal: never, timeout: 60_000, onFailure: ({ message }: Error) => void said.push(message) };
    expect(await persistently(work, options)).toBe('done');
    expect([tries(), said]).toEqual([3, ['away', 'starting']]);
  });

  test('is not tried again after a permanent error or the timeout', async () => {
    const refused = failing(new Refusal(409, 'no'));
    await expect(persistently(refused.work, { signal: never, timeout: 60_000 })).rejects.toThrow('no');
    expect(refused.tries()).toBe(1);
    const away = failing(new Unanswered('away'), new Unanswered('away'));
    await expect(persistently(away.work, { signal: never, timeout: 100 })).rejects.toThrow('away');
    expect(away.tries()).toBe(1);
  });

  test('is given up immediately when the signal aborts', async () => {
    const stop = new AbortController();
    const away = failing(...Array.from({ length: 9 }, () => new Unanswered('away')));
    const options = { signal: stop.signal, timeout: 60_000, onFailure: () => stop.abort(new Error('lost')) };
    await expect(persistently(away.work, options)).rejects.toThrow('lost');
    expect(away.tries()).toBe(1);
  });

  test('is tried again with exponential backoff and jitter', () => {
    for (let attempt = 0; attempt < 40; attempt++) {
      const whole = Math.min(30_000, 500 * 2 ** attempt);
      const pause = pauseAfter(attempt);
      expect(pause).toBeGreaterThanOrEqual(whole / 2);
      expect(pause).toBeLessThanOrEqual(whole);
    }
    expect(new Set(Array.from({ length: 20 }, () => pauseAfter(3))).size).toBeGreaterThan(15);
    expect(pauseAfter(1_000_000, 60_000)).toBeLessThanOrEqual(60_000);
  });
});

test.each([
  [{ errors: ['permission denied'] }, 'permission denied (403)'],
  [{ errors: [{ title: 'conflict', detail: 'locked\nby ada' }] }, 'locked by ada (403)'],
  ['<html>', 'the server answered 403'],
  [{ errors: 5 }, 'the server answered 403'],
])('the text of an error response: %j', (body, text) => {
  expect(refusalText(403, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))).toBe(text);
});
