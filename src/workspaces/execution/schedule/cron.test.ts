import { Cron } from 'croner';
import { describe, expect, test, vi } from 'vitest';
import { cronProblem, nextTime, nextTimes, normalized, shortestInterval, timeZoneProblem } from './cron.ts';

const at = (text: string): number => Date.parse(text);
const BERLIN = 'Europe/Berlin';

/** Times after a start, in ISO format without seconds. */
function times(cron: string, timeZone: string, from: string): string[] {
  return nextTimes({ cron, timeZone }, at(from)).map((time) => new Date(time).toISOString().slice(0, 16));
}

describe('times of a schedule', () => {
  test('are those of its time zone', () => {
    expect(times('30 2 * * 1-5', BERLIN, '2030-01-11T00:00:00Z')).toEqual([
      ...['2030-01-11T01:30', '2030-01-14T01:30', '2030-01-15T01:30', '2030-01-16T01:30', '2030-01-17T01:30'],
    ]);
    expect(times('0 0 1 1 *', 'america/new_york', '2030-03-01T00:00:00Z')[0]).toBe('2031-01-01T05:00');
    expect(nextTime({ cron: '0 12 * * *', timeZone: 'UTC' }, at('2030-01-01T12:00:00Z'))).toBe(
      at('2030-01-02T12:00:00Z'),
    );
  });

  test('a time that spring leaves out runs once, at the end of the gap', () => {
    expect(times('30 2 * * *', BERLIN, '2030-03-30T12:00:00Z').slice(0, 2)).toEqual([
      ...['2030-03-31T01:00', '2030-04-01T00:30'],
    ]);
    for (const cron of ['0,30 2 * * *', '*/30 2 * * *', '0 2,3 * * *', '0 2-3 * * *']) {
      const inGap = times(cron, BERLIN, '2030-03-30T12:00:00Z').filter((time) => time.startsWith('2030-03-31'));
      expect(inGap, cron).toEqual(['2030-03-31T01:00']);
    }
  });

  test('a time that autumn repeats runs once, the first time', () => {
    expect(times('30 2 * * *', BERLIN, '2030-10-26T12:00:00Z').slice(0, 2)).toEqual([
      ...['2030-10-27T00:30', '2030-10-28T01:30'],
    ]);
    for (const cron of ['0,30 2 * * *', '*/30 2 * * *']) {
      const repeated = times(cron, BERLIN, '2030-10-26T12:00:00Z').filter((time) => time.startsWith('2030-10-27'));
      expect(repeated, cron).toEqual(['2030-10-27T00:00', '2030-10-27T00:30']);
    }
    expect(times('0 */2 * * *', BERLIN, '2030-10-26T23:00:00Z').slice(0, 2)).toEqual([
      ...['2030-10-27T00:00', '2030-10-27T03:00'],
    ]);
  });

  test('a schedule of every hour follows the time that passes', () => {
    expect(times('0 * * * *', BERLIN, '2030-10-26T23:30:00Z').slice(0, 3)).toEqual([
      ...['2030-10-27T00:00', '2030-10-27T01:00', '2030-10-27T02:00'],
    ]);
    expect(times('0 0-23 * * *', BERLIN, '2030-03-30T23:30:00Z').slice(0, 3)).toEqual([
      ...['2030-03-31T00:00', '2030-03-31T01:00', '2030-03-31T02:00'],
    ]);
  });

  test('shifts of half an hour and at midnight work as well', () => {
    expect(times('15 2 * * *', 'Australia/Lord_Howe', '2030-10-05T00:00:00Z').slice(0, 2)).toEqual([
      ...['2030-10-05T15:30', '2030-10-06T15:15'],
    ]);
    expect(times('0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z').slice(0, 2)).toEqual([
      ...['2018-11-04T03:00', '2018-11-05T02:00'],
    ]);
  });

  test('are correct after the clock went back', () => {
    const daily = { cron: '0 5 * * *', timeZone: 'UTC' };
    expect(nextTime(daily, at('2031-06-01T00:00:00Z'))).toBe(at('2031-06-01T05:00:00Z'));
    expect(nextTime(daily, at('2030-06-01T00:00:00Z'))).toBe(at('2030-06-01T05:00:00Z'));
  });
});

/** Returns how many dates are examined, which the library does for each day that it looks at. */
function examined(cron: string, from = at('2030-01-02T00:00:00Z')): number {
  const spies = [vi.spyOn(Date.prototype, 'getUTCDay'), vi.spyOn(Date.prototype, 'getUTCDate')];
  try {
    nextTimes({ cron, timeZone: 'UTC' }, from);
    cronProblem({ cron, timeZone: 'UTC' }, from);
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test('expressions that hardly ever or never fit take a bounded search', () => {
  const rare = ['0 0 29 2 *', '0 0 * 2 MON#5', '0 0 30 2 *', '0 0 30W 2 *', '0 0 30,31,30W,31W 2 *', '0 0 31 4 *'];
  for (const cron of rare) expect(examined(cron), cron).toBeLessThan(10_000);
  // A search of 400 years examines more.
  const library = vi.spyOn(Date.prototype, 'getUTCDate');
  new Cron('0 0 30W 2 *', { timezone: 'UTC', paused: true }).nextRuns(1, new Date(at('2030-01-02T00:00:00Z')));
  expect(library.mock.calls.length).toBeGreaterThan(10_000);
  library.mockRestore();
  // Known times are not searched again.
  expect(examined('0 0 29 2 *')).toBe(0);
});

describe('an expression is refused', () => {
  const problem = (cron: string, timeZone = 'UTC', now = '2030-01-01T00:00:00Z') =>
    cronProblem({ cron: normalized(cron), timeZone }, at(now));

  test('unless it has five fields', () => {
    for (const cron of ['', '0 0 * *', '0 0 0 * * *', '0 0 * * * 2030', '@daily', '0 0 ? * 1', 'a;b * * * *']) {
      expect(problem(cron), cron).toMatch(/^Cron must have 5 fields/);
    }
    expect(problem('  0   5 * *\t1 ')).toBeUndefined();
  });

  test('with a value out of range, and says which', () => {
    expect(problem('99 0 * * *')).toBe('Cron cannot be read: Invalid value for minute: 99');
    expect(problem('0 24 * * *')).toContain('hour');
    expect(problem('0 0 * FOO *')).toMatch(/^Cron cannot be read: /);
  });

  test('with times that are too close, or with none', () => {
    for (const cron of ['* * * * *', '*/5 * * * *', '0,14 3 * * *', '0,50 * * * *', '0,55 0,23 * * *']) {
      expect(problem(cron), cron).toMatch(/^Cron has times less than 15 minutes apart/);
    }
    for (const cron of ['*/15 * * * *', '0,45 * * * *', '59 23 * * *']) expect(problem(cron), cron).toBeUndefined();
    for (const cron of ['0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
      expect(problem(cron), cron).toMatch(/^Cron has no time within the next 10 years/);
    }
    expect(problem('0 0 29 2 *')).toBeUndefined();
    // 2044, then 2072.
    expect(problem('0 0 * 2 MON#5')).toContain('no time within the next 10 years');
    expect(problem('0 0 * 2 MON#5', 'UTC', '2040-01-01T00:00:00Z')).toContain('only one time within 10 years');
    expect(shortestInterval('0 1,3 * * *')).toBe(2 * 3_600_000);
  });

  test('with a time zone that nobody knows', () => {
    for (const zone of ['', 'Nowhere/Land', '+02:00', 'UTC;', 'Europe']) {
      expect(timeZoneProblem(zone), zone).toMatch(/^Time zone is unknown/);
    }
    for (const zone of ['UTC', 'Europe/Berlin', 'Etc/GMT+5', 'US/Eastern']) {
      expect(timeZoneProblem(zone), zone).toBeUndefined();
    }
    expect(nextTimes({ cron: '0 0 * * *', timeZone: 'Nowhere/Land' }, 0)).toEqual([]);
  });
});
