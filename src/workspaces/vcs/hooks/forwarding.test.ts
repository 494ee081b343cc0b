import { expect, test } from 'vitest';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { interruptible } from './forwarding.ts';

const SERVERS = { apiUrl: 'https://git.example.com', httpUrl: 'https://git.example.com', agentPoolId: null };
const LIMITS = { timeoutMs: 1000, maxBytes: 1000 };

test('the end of the server interrupts requests, and so does the signal of the caller', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const fetch = ((_url, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  }) as GuardedFetch;
  const [end, caller] = [new AbortController(), new AbortController()];
  const client = interruptible(() => fetch, end.signal)(SERVERS);
  void client('https://git.example.com/a', LIMITS);
  void client('https://git.example.com/b', { ...LIMITS, signal: caller.signal });
  caller.abort();
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, true]);
  end.abort();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});
