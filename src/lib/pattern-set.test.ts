import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';
import { PatternSet } from './pattern-set.ts';
import { runAtOnce } from './slices.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 6 });

describe('a set of patterns', () => {
  test('matches whatever one of its patterns matches', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(text, { maxLength: 4 }), (patterns, values) => {
        const set = runAtOnce(PatternSet.fromPatterns(patterns));
        const fitting = values.filter((value) => patterns.some((pattern) => matchesGlob(pattern, value)));
        expect(values.filter((value) => set.matches(value))).toEqual(fitting);
        expect(runAtOnce(set.matchesAny(values))).toBe(fitting.length > 0);
      }),
    );
  });

  test('adds its patterns in steps', () => {
    const patterns = Array.from({ length: 2000 }, (_, i) => `a*${i}*b`);
    expect([...PatternSet.fromPatterns(patterns)]).toHaveLength(100);
  });

  test('looks up patterns without a star or with one at an end, and tries the others in steps', () => {
    const stepsOf = (patterns: string[]) => {
      const values = Array.from({ length: 300 }, (_, i) => `host-${i}.example.org`);
      return [...runAtOnce(PatternSet.fromPatterns(patterns)).matchesAny(values)].length;
    };
    const many = (pattern: (i: number) => string) => Array.from({ length: 5000 }, (_, i) => pattern(i));
    const few = stepsOf(['x']);
    expect(stepsOf(many((i) => `host-${i}.example.com`))).toBe(few);
    expect(stepsOf(many((i) => `*.team-${i}.example.com`))).toBe(few);
    expect(stepsOf(many((i) => `host-${i}.example.com*`))).toBe(few);
    expect(stepsOf(many((i) => `h*-${i}.example.com`))).toBeGreaterThan(10_000);
  });
});
