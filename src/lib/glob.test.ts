import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, matchesGlob } from './glob.ts';

/** Reference implementation: a regular expression in which a star matches any characters. */
function reference(pattern: string, value: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(value);
}

const few = fc.string({ unit: fc.constantFrom('a', 'b', '.', '?', '['), maxLength: 12 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '?', '[', '*'), maxLength: 8 });

describe('matchesGlob', () => {
  test.each([
    ['web', 'web', true],
    ['web', 'Web', false],
    ['*', '', true],
    ['*', 'a.b/c', true],
    ['', '', true],
    ['', 'a', false],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['web-*', 'web-', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a--b--c', true],
    ['a*b*b', 'ab', false],
    ['!bad', 'good', false],
    ['web-[0-9]', 'web-1', false],
    ['web-?', 'web-1', false],
    ['**', 'anything', true],
  ])('%j on %j is %j', (glob, value, expected) => {
    expect(matchesGlob(glob, value)).toBe(expected);
  });

  test('agrees with a regular expression of the same rule', () => {
    fc.assert(fc.property(pattern, few, (glob, value) => matchesGlob(glob, value) === reference(glob, value)));
  });

  test('matches values that were built from the pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(few, few)), few, (pieces, end) => {
        const glob = pieces.map(([fixed]) => `${fixed}*`).join('') + end;
        const value = pieces.map(([fixed, any]) => fixed + any).join('') + end;
        return matchesGlob(glob, value);
      }),
    );
  });

  test('agrees with the reference for long parts between stars', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 9, maxLength: 12 });
    const value = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), value, value, (parts, before, after) => {
        const glob = `*${parts.join('*')}*`;
        expect(matchesGlob(glob, before)).toBe(reference(glob, before));
        expect(matchesGlob(glob, before + parts.join('') + after)).toBe(true);
      }),
    );
  });

  test('takes time linear in the value for every pattern', () => {
    // A quadratic algorithm would take more than a minute.
    const value = 'a'.repeat(500_000);
    for (const part of [`b${'a'.repeat(200_000)}`, `${'a'.repeat(200_000)}b`, 'ab']) {
      expect(compileGlob(`*${part}*`)(value)).toBe(false);
    }
    expect(compileGlob(`${'*a'.repeat(100_000)}*b*`)(value)).toBe(false);
  });
});
