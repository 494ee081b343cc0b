import { describe, expect, it } from 'vitest';
import { retryAfter } from './retry-after.ts';

describe('the time to wait before a request is repeated', () => {
  const NOW = Date.parse('2026-11-27T12:00:00Z');

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'Fri, 27 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 27 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'x-ratelimit-reset': '0.4' }, 400],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (headers, ms) => {
    expect(retryAfter(headers, NOW)).toBe(ms);
  });
});
