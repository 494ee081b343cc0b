import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';

/** The definition itself, tried in every way: slow, and plainly right. */
function matchesByTrying(pattern: string, value: string): boolean {
  if (pattern === '') return value === '';
  if (!pattern.startsWith('*'))
    return value !== '' && pattern[0] === value[0] && matchesByTrying(pattern.slice(1), value.slice(1));
  return Array.from({ length: value.length + 1 }, (_, i) => value.slice(i)).some((rest) =>
    matchesByTrying(pattern.slice(1), rest),
  );
}

describe('a glob', () => {
  test.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'any.thing/at all', true],
    ['a', 'a', true],
    ['a', 'A', false],
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*ample.com', 'example.com', true],
    ['web-*', 'web-', true],
    ['web-*-eu', 'web-1-2-eu', true],
    ['web-*-eu', 'web-eu', false],
    ['a*a', 'a', false],
    ['**', 'a', true],
    ['!bad', 'good', false],
    ['a?c', 'abc', false],
    ['[ab]', 'a', false],
    ['a.c', 'abc', false],
    ['a\\*', 'a*', false],
    ['a\\*', 'a\\b', true],
  ])('%j on %j: %s', (pattern, value, expected) => {
    expect(matchesGlob(pattern, value)).toBe(expected);
  });

  test('does what its definition says', () => {
    const few = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 9 });
    fc.assert(
      fc.property(few('ab*'), few('ab*'), (pattern, value) => {
        expect(matchesGlob(pattern, value)).toBe(matchesByTrying(pattern, value));
      }),
      { numRuns: 2000 },
    );
  });
});
