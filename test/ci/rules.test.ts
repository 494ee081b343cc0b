import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') });
const THIS = 'test/ci/rules.test.ts';
const tests = globSync('{src,console/src,test}/**/*.test.ts', { cwd: ROOT }).map(read);
/** Modules that tests import may also assert. */
const support = globSync('test/**/*.ts', { cwd: ROOT, exclude: ['test/**/*.test.ts'] }).map(read);
const configs = [...globSync('vitest*.config.ts', { cwd: ROOT }), 'package.json', '.ci/plan.ts', '.ci/rerun.ts'].map(
  read,
);

const places = (files: readonly { file: string; text: string }[], pattern: RegExp): string[] =>
  files
    .filter(({ file }) => file !== THIS)
    .flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`),
    );

describe('a failed test', () => {
  it('is not run again by Vitest', () => {
    expect(configs.length).toBeGreaterThan(8);
    expect(places(configs, /\bretry\b|--bail\b|passWithNoTests/g)).toEqual([]);
    expect(places(tests, /\b(?:it|test|describe)\b[^\n]*\bretry\s*:/g)).toEqual([]);
  });
});

/** Clock in a condition of `expect(…)`, with the matcher behind it: `expect(performance.now() - began).toBeLessThan(`. */
const CLOCK_IN_EXPECT =
  /expect\((?:(?!;\n)[\s\S])*?(?:performance\.now|process\.hrtime|Date\.now)\(\)(?:(?!;\n)[\s\S])*?\)\s*\.toBe(?:Less|Greater)Than/g;
/** Bound in milliseconds or seconds, by its name: `.toBeLessThan(LONGEST_MS)`. */
const BOUND_OF_TIME = /\.toBe(?:Less|Greater)Than(?:OrEqual)?\(\s*\w*_(?:MS|SECONDS)\b/g;
/** Measured time, by its name: `expect(elapsed).toBeLessThan(50)`. Ratios have other names. */
const MEASURED_TIME =
  /expect\([\w.?]*?(?:elapsed|\bp\d\d|percentile|latency|[mM]illiseconds)\w*\)\s*\.toBe(?:Less|Greater)Than(?:OrEqual)?\((?!0\))/g;
/** Stopwatch in a test file. `slices.test.ts` keeps the event loop busy with it, and asserts no time. */
const STOPWATCH = /performance\.now\(|process\.hrtime/g;
const USES_STOPWATCH = ['src/lib/slices.test.ts'];

describe('a test', () => {
  it('asserts no absolute time, because a busy machine takes longer', () => {
    expect(tests.length).toBeGreaterThan(500);
    const found = [CLOCK_IN_EXPECT, BOUND_OF_TIME, MEASURED_TIME].flatMap((pattern) =>
      places([...tests, ...support], pattern),
    );
    expect(found).toEqual([]);
    const timed = places(tests, STOPWATCH).filter((place) => !USES_STOPWATCH.includes(place.replace(/:\d+$/, '')));
    expect(timed).toEqual([]);
  });

  it.each([
    ['expect(performance.now() - began).toBeLessThan(4_500);'],
    ['expect(Math.abs(\n  body.at - Date.now() / 1000)).toBeLessThan(60);'],
    ['expect(experience?.p99).toBeLessThan(50);'],
    ['expect(took).toBeLessThan(LONGEST_MS);'],
    ['expect(elapsed).toBeLessThanOrEqual(10);'],
  ])('would be refused with %j', (text) => {
    const file = { file: 'a.test.ts', text };
    const patterns = [CLOCK_IN_EXPECT, BOUND_OF_TIME, MEASURED_TIME];
    expect(patterns.flatMap((pattern) => places([file], pattern))).toContain('a.test.ts:1');
  });
});
