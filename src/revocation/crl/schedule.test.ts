import { describe, expect, test } from 'vitest';
import { nextFetchAfterFailure, nextFetchAfterSuccess } from './schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const late = () => 0;
const early = () => 0.999;

describe('the next fetch of a CRL', () => {
  test('is half-way to its next update', () => {
    expect(nextFetchAfterSuccess(0, 40 * MINUTE, late)).toBe(20 * MINUTE);
  });

  test('is within an hour, whenever the next update is', () => {
    expect(nextFetchAfterSuccess(0, 1000 * HOUR, late)).toBe(HOUR);
    expect(nextFetchAfterSuccess(0, undefined, late)).toBe(HOUR);
  });

  test('is at least a minute away, also for an overdue CRL', () => {
    expect(nextFetchAfterSuccess(5 * HOUR, HOUR, late)).toBe(5 * HOUR + MINUTE);
  });

  test('is earlier by a random part, a fifth at most', () => {
    const next = nextFetchAfterSuccess(0, undefined, early);
    expect(next).toBeLessThan(0.81 * HOUR);
    expect(next).toBeGreaterThanOrEqual(0.8 * HOUR);
  });

  test('comes later after every failure, up to an hour', () => {
    const minutes = [1, 2, 3, 4, 7, 1000].map((failures) => nextFetchAfterFailure(0, failures, late) / MINUTE);
    expect(minutes).toEqual([1, 2, 4, 8, 60, 60]);
  });
});
