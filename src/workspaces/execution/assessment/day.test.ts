import { expect, test } from 'vitest';
import { nextTimeOf } from './day.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2030, 0, 1, 12);

test('a workspace has one time of the day, and the next one is always in the future', () => {
  const first = nextTimeOf('ws-1', NOON);
  expect(first).toBeGreaterThan(NOON);
  expect(first).toBeLessThanOrEqual(NOON + 24 * HOUR);
  expect(nextTimeOf('ws-1', first - 1)).toBe(first);
  expect(nextTimeOf('ws-1', first)).toBe(first + 24 * HOUR);
  expect(nextTimeOf('ws-1', first + HOUR)).toBe(first + 24 * HOUR);
});

test('many workspaces are spread over the day', () => {
  const hours = Array.from({ length: 2400 }, (_, n) => Math.floor((nextTimeOf(`ws-${n}`, NOON) - NOON) / HOUR));
  const inHour = Array.from({ length: 24 }, (_, hour) => hours.filter((one) => one === hour).length);
  expect(Math.min(...inHour)).toBeGreaterThan(50);
  expect(Math.max(...inHour)).toBeLessThan(160);
});
