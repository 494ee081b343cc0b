import { describe, expect, test } from 'vitest';
import { isActivity, MAX_ATTEMPTS, nextLook, remindersPassed, retryAfterFailure, retryAfterObstacle } from './rules.ts';

const HOUR = 3_600_000;

describe('reminders', () => {
  test.each([
    [25, 0, 1],
    [24, 1, 12],
    [13, 1, 1],
    [12, 2, 12],
    [0, 2, 0],
    [-5, 2, -5],
  ])('%i hours before the destroy run, %i are over, and the server looks again in %i hours', (left, passed, wait) => {
    const dueAt = 1000 * HOUR;
    const now = dueAt - left * HOUR;
    expect(remindersPassed(dueAt, now)).toBe(passed);
    expect(nextLook(dueAt, passed) - now).toBe(wait * HOUR);
  });
});

test('failed runs are tried again later and later, up to the last attempt', () => {
  const delays = [1, 2, 3, 4].map((attempts) => retryAfterFailure(attempts, 0));
  expect(delays).toEqual([HOUR / 6, HOUR, 6 * HOUR, null]);
  expect(delays).toHaveLength(MAX_ATTEMPTS);
});

test('runs that cannot start are tried again at least once a day', () => {
  expect([1, 2, 3, 5, 6, 7, 1000].map((attempts) => retryAfterObstacle(attempts, 0) / HOUR)).toEqual([
    1, 2, 4, 16, 24, 24, 24,
  ]);
});

test('plans and runs by the clock are no activity', () => {
  const run = (source: string, planOnly = false) => isActivity({ source, parameters: { 'plan-only': planOnly } });
  expect([run('tfe-api'), run('tfe-configuration-version')]).toEqual([true, true]);
  expect([run('tfe-api', true), run('lockkeeper-schedule'), run('lockkeeper-auto-destroy')]).toEqual([
    false,
    false,
    false,
  ]);
});
