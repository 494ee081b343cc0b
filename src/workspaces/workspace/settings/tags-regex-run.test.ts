import { describe, expect, test } from 'vitest';
import { regexSize } from './regex-size.ts';
import { isTagsRegex, MAX_REGEX_ELEMENTS, tagsRegexOf } from './tags-regex.ts';

function matches(regex: string, tag: string): boolean {
  const compiled = tagsRegexOf(regex);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled.matches(tag);
}

describe('an expression for tags', () => {
  test.each([
    ['^\\d+.\\d+.\\d+$', '1.2.3', true],
    ['^\\d+.\\d+.\\d+$', 'v1.2.3', false],
    ['\\d+.\\d+.\\d+$', 'release-1.2.3', true],
    ['^\\d+.\\d+.\\d+', '1.2.3-rc1', true],
    ['^\\d+.\\d+.\\d+', '1x2x3', true],
    ['v', 'a-v-b', true],
    ['(?i)^V', 'v1', true],
    ['^v', 'V1', false],
    ['(?P<major>\\d+)', 'v1', true],
    ['\\Av\\z', 'v', true],
    ['[[:digit:]]', 'v', false],
    ['^\\pL+$', 'größe', true],
    ['^.$', '😀', true],
    ['\\Q.\\E', 'ab', false],
  ])('%j in %j: %s', (regex, tag, expected) => {
    expect(matches(regex, tag)).toBe(expected);
  });

  test.each([
    ...['^v(?=1)', '(?<!rc)$', '(?<=a)b', '(a)\\1', '(?<major>\\d)\\k<major>'],
    ...['\\u0041', '\\cA', 'x{1001}', 'x{1000}y{25}', '((x{10}){10}){11}', '(?:abcdefghij){103}', '\\pL{52}'],
  ])('%j is right in JavaScript or RE2, but cannot be run', (regex) => {
    expect(isTagsRegex(regex)).toBe(true);
    expect(tagsRegexOf(regex)).toEqual({ problem: expect.stringMatching(/(Write it without|Write \+ or \*)/) });
  });

  test('nested repetitions take linear time, since the number of steps of RE2 is bounded', () => {
    expect(matches('^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(255))).toBe(false);
  });

  test('a text without repetitions is never too large', () => {
    expect(regexSize('v'.repeat(1024))).toBe(1024);
    expect(tagsRegexOf('v'.repeat(1024))).toHaveProperty('matches');
  });

  test.each([
    ['', 0],
    ['abc', 3],
    ['a{3}', 3],
    ['a{3,}', 3],
    ['a{3,5}b', 6],
    ['(ab){4}', 8],
    ['(?:a(?i:b){2}){3}', 9],
    ['[a-z]{10}', 10],
    ['[]{3}]', 1],
    ['\\Qa{9}\\E', 4],
    ['\\(a{2}', 3],
    ['\\pL', 20],
    ['[\\pL]{2}', 40],
    ['a{', 2],
    ['a{0}', 0],
    [')a', 2],
    ['((a', 1],
  ])('the size of %j is %d', (regex, size) => {
    expect(regexSize(regex)).toBe(size);
    expect(size).toBeLessThan(MAX_REGEX_ELEMENTS);
  });
});
