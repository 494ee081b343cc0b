import { describe, expect, test } from 'vitest';
import { bytes, count, counted } from './number.ts';
import { clock, day, exact, long, secondsSince, secondsUntil, short } from './time.ts';

describe('times', () => {
  test.each([
    [0, '0 s', '0 seconds'],
    [59, '59 s', '59 seconds'],
    [60, '1 min', '1 minute'],
    [3599, '59 min', '59 minutes'],
    [3600, '1 h', '1 hour'],
    [86_400 * 29, '29 d', '29 days'],
    [86_400 * 30, '1 mo', '1 month'],
    [86_400 * 800, '2 y', '2 years'],
    [-7200, '2 h', '2 hours'],
  ])('%d seconds are %s, or %s', (seconds, brief, said) => {
    expect([short(seconds), long(seconds)]).toEqual([brief, said]);
  });

  test('a time is shown in full and in UTC', () => {
    expect(exact('2026-03-04T14:02:10Z')).toBe('4 March 2026 at 14:02:10 UTC');
    expect(day('2026-03-04T23:59:59Z')).toBe('4 March 2026');
    const now = Date.parse('2026-03-04T18:00:00Z');
    expect(clock('2026-03-04T17:42:00Z', now)).toBe('17:42 UTC');
    expect(clock('2026-03-05T01:42:00Z', now)).toBe('5 March 2026, 01:42 UTC');
  });

  test('a clock that is behind never gives a negative age', () => {
    expect(secondsSince('2026-03-04T14:02:10Z', Date.parse('2026-03-04T14:00:00Z'))).toBe(0);
  });

  test('a time in the future has the seconds until then', () => {
    expect(secondsUntil('2026-03-04T14:02:10Z', Date.parse('2026-03-04T14:00:00Z'))).toBe(130);
    expect(secondsUntil('2026-03-04T14:02:10Z', Date.parse('2026-03-04T14:03:00Z'))).toBe(0);
  });
});

test('numbers', () => {
  expect([count(1204), counted(1, 'workspace'), counted(148, 'workspace')]).toEqual([
    '1,204',
    '1 workspace',
    '148 workspaces',
  ]);
  expect([bytes(0), bytes(1023), bytes(1024), bytes(16 * 1024 ** 2)]).toEqual([
    '0 bytes',
    '1,023 bytes',
    '1.0 KiB',
    '16.0 MiB',
  ]);
});
