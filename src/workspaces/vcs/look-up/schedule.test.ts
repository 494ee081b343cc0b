import { expect, test } from 'vitest';
import { nextLookUp } from './schedule.ts';

const MINUTE = 60_000;
const ids = Array.from({ length: 600 }, (_, index) => `vr-${index}`);
const now = Date.parse('2026-11-21T09:30:00Z');
const pauses = (hookWorks: boolean, polled: number) => ids.map((id) => nextLookUp(id, now, hookWorks, polled) - now);

test('repositories are looked up each minute, or each ten minutes with a working webhook', () => {
  expect(Math.max(...pauses(false, 1))).toBeLessThanOrEqual(MINUTE);
  expect(Math.min(...pauses(false, 1))).toBeGreaterThan(0);
  expect(Math.max(...pauses(true, 1))).toBeLessThanOrEqual(10 * MINUTE);
  const next = nextLookUp('vr-1', now, false, 1);
  expect(nextLookUp('vr-1', next, false, 1) - next).toBe(MINUTE);
});

test('look-ups are spread over the interval, and stay below the budget of a host', () => {
  const perSecond = Map.groupBy(pauses(false, 600), (pause) => Math.floor(pause / 1000));
  expect(perSecond.size).toBeGreaterThan(50);
  // 6,000 repositories at ten a second need ten minutes.
  expect(Math.max(...pauses(false, 6000))).toBeGreaterThan(9 * MINUTE);
});
