import { describe, expect, it } from 'vitest';
import { DurationError, formatSeconds, parseSeconds } from './duration.ts';

describe('parseSeconds', () => {
  it.each([
    [0, 0],
    [3600, 3600],
    ['', 0],
    ['3600', 3600],
    [' 90s ', 90],
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['7d', 604_800],
    ['1500ms', 1],
    ['0s', 0],
  ])('reads %j', (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  it.each([
    '1.5',
    'soon',
    '1x',
    'h',
    '1h-2m',
    '1e3',
    '--1s',
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '9'.repeat(15),
  ])('refuses %j', (text) => {
    expect(() => parseSeconds(text)).toThrow(DurationError);
  });

  it('refuses negative values in words that clients look for', () => {
    expect(() => parseSeconds(-100)).toThrow("cannot provide negative value '-100'");
    expect(() => parseSeconds('-1h')).toThrow("cannot provide negative value '-3600'");
  });
});

it.each([
  [0, '0s'],
  [45, '45s'],
  [3600, '1h'],
  [5400, '1h30m'],
  [2_764_800, '768h'],
  [3661, '1h1m1s'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});
