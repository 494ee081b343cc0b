import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Row, readRows, rowText } from '../../.ci/flaky.ts';
import { failuresOf, passedIn } from '../../.ci/report.ts';
import { MOST_RERUNS } from '../../.ci/rerun.ts';
import { labelOf, onlyThis, textOfOnlyThis } from '../../.ci/suites.ts';
import { summaryOf } from '../../.ci/summary.ts';
import { FAKE, type FakeRun, once, runSuite } from './support/fake-suite.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FINE = `it('is fine', () => {});\n`;
const CRASH = `process.kill(process.pid, 'SIGKILL')`;
/** Test files, each with a failure or two. */
const FILES = {
  tests: `${FINE}
    let prepared = false;
    describe('a block', () => it('is flaky (a|b) $1', () => { ${once('flaky')} prepared = true; }));
    it('is wrong', () => expect(1).toBe(2));
    it('needs another test', () => { if (existsSync('flaky.seen')) ${once('needs')} expect(prepared).toBe(true); });`,
  // Its path ends like that of the file above.
  'more-tests': `it('is fine as well', () => {});`,
  unloadable: `import './none.mjs';\n${FINE}`,
  'loads-late': FINE + once('loads-late'),
  'crashes-once': `it('crashes', () => { ${once('crashes-once', CRASH)} });`,
  hooks: `describe('first', () => { beforeAll(() => { throw new Error('broken hook'); });\n${FINE} });`,
  'late-hook': `${FINE} afterAll(() => { ${once('late-hook')} });`,
  unhandled: `it('loses', async () => { Promise.reject(new Error('lost')); await new Promise(setImmediate); });`,
};

describe('a failed test is run once more by itself', () => {
  let ran: FakeRun;
  const reasonOf = (label: string) =>
    ran.failures.find((test) => labelOf(test.suite, test.failure) === `fake: ${label}`)?.failure.reason;
  beforeAll(async () => {
    ran = await runSuite(FILES);
  });

  it('and is flaky if it passes', () => {
    expect([...ran.passedAgain].map(({ suite, failure }) => labelOf(suite, failure)).toSorted()).toEqual([
      'fake: crashes-once.test.mjs',
      'fake: late-hook.test.mjs',
      'fake: loads-late.test.mjs',
      'fake: tests.test.mjs > a block > is flaky (a|b) $1',
    ]);
  });

  it('and fails the run if it fails, or passes only after another test', () => {
    const left = ran.failures.filter((test) => !ran.passedAgain.has(test));
    expect(left.map(({ suite, failure }) => labelOf(suite, failure)).toSorted()).toEqual([
      'fake: hooks.test.mjs',
      'fake: tests.test.mjs > is wrong',
      'fake: tests.test.mjs > needs another test',
      'fake: unhandled.test.mjs',
      'fake: unloadable.test.mjs',
    ]);
  });

  it('or its file is, if there is no result of a test', () => {
    expect(reasonOf('hooks.test.mjs')).toMatch(/^broken hook/);
    expect(reasonOf('unhandled.test.mjs')).toMatch(/^Unhandled error: lost/);
    expect(reasonOf('unloadable.test.mjs')).toContain('none.mjs');
    expect(reasonOf('crashes-once.test.mjs')).toMatch(/^The file has no result\./);
    expect(reasonOf('tests.test.mjs > is wrong')).toMatch(/^expected 1 to be 2/);
  });

  it('and the report counts the tests that passed', () => {
    if (!ran.report) throw new Error('no report');
    expect(passedIn(ran.report)).toBe(4);
  });
});

describe('a suite fails', () => {
  const report = { skipped: 0, failures: [], files: [{ file: 'a', seconds: 1, passed: 1 }] };

  it('if it ends without a report, or with an error, or without a test', () => {
    expect(failuresOf(undefined, 0)).toHaveLength(1);
    expect(failuresOf(report, 1)).toHaveLength(1);
    expect(failuresOf({ ...report, files: [] }, 0)).toHaveLength(1);
    expect(failuresOf(report, 0)).toEqual([]);
  });
});

describe('the command that runs a test again', () => {
  it('keeps the options of the suite, and replaces its paths', () => {
    const command = 'node test/support/with-postgres.ts vitest run --config x.ts --project=y src/a test/b';
    const again = onlyThis({ name: 'x', command }, { file: 'test/c.test.ts', test: 'a > b (c) | 1.5 $', reason: '' });
    const options = 'env node test/support/with-postgres.ts vitest run --config x.ts --project=y'.split(' ');
    expect(again).toEqual([...options, 'test/c.test.ts', '-t', '^a > b \\(c\\) \\| 1\\.5 \\$$']);
  });

  it('finds Vitest wherever Node.js is installed, and has the variables of the suite', () => {
    const suite = { name: 'x', command: 'vitest run --help', env: { TRIED: 'a b' } };
    const text = textOfOnlyThis(suite, { file: 'a.test.ts', reason: '' });
    expect(text).toContain(" TRIED='a b' vitest run --help a.test.ts");
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, npm_config_offline: 'true' };
    expect(execFileSync('sh', ['-c', text], { cwd: ROOT, env, encoding: 'utf8' })).toMatch(/^vitest\/\d/);
  });
});

describe('a run', () => {
  const report = { skipped: 3, failures: [], files: [{ file: 'a', seconds: 1, passed: 9 }] };
  /** Returns the summary of a run with flaky tests of these names, and with tests that stay failed. */
  function summary(flaky: readonly string[], others: readonly string[] = [], history: readonly Row[] = []) {
    const failed = (test: string) => ({ suite: FAKE, failure: { file: 'a.test.ts', test, reason: 'wrong' } });
    const passedAgain = new Set(flaky.map(failed));
    const failures = [...passedAgain, ...others.map(failed)];
    const suites = [{ suite: FAKE, report }];
    return summaryOf({ suites, failedSteps: [], failures, passedAgain, history, today: '2026-11-27' });
  }
  const seen = (days: readonly string[], status: Row['status'] = 'open'): Row[] => [
    { label: 'fake: a.test.ts > a|b', seen: days, suspicion: 'A race of two timers.', status },
  ];

  it('passes with three flaky tests, which it counts and prints with their rows', () => {
    const { lines, failed } = summary(['a|b', 'c', 'd']);
    expect(failed).toBe(0);
    expect(lines.slice(-2)).toEqual(['3 flaky', '12 passed, 0 failed']);
    expect(lines).toContain('fake: 9 passed, 0 failed, 3 flaky, 3 skipped');
    const text = lines.join('\n');
    expect(text).toContain('FLAKY fake: a.test.ts > a|b\n  wrong\n  again: env PATH=');
    expect(text).toContain('| fake: a.test.ts > a\\|b | 2026-11-27 | TODO: why? | open |');
  });

  it('fails with four flaky tests', () => {
    const { lines, failed } = summary(['a', 'b', 'c', 'd']);
    expect(failed).toBe(4);
    expect(lines.at(-2)).toMatch(/^4 flaky, 4 of them fail the run/);
    expect(lines.at(-1)).toBe('9 passed, 4 failed');
  });

  it('fails if a test is flaky for the third time', () => {
    const second = summary(['a|b'], [], seen(['2026-11-20']));
    expect(second.lines.at(-1)).toBe('10 passed, 0 failed');
    expect(second.lines.join('\n')).toContain('flaky also on 2026-11-20; suspicion: A race of two timers.');
    expect(second.lines.join('\n')).toContain('| 2026-11-20, 2026-11-27 | A race of two timers. | open |');
    expect(summary(['a|b'], [], seen(['2026-11-20', '2026-11-27'])).lines.at(-1)).toBe('9 passed, 1 failed');
    expect(summary(['a|b'], [], seen(['2026-11-20', '2026-11-27'], 'fixed')).failed).toBe(0);
  });

  it('repeats nothing if many tests fail', async () => {
    const wrong = Array.from({ length: MOST_RERUNS + 1 }, (_, i) => `it('is flaky ${i}', () => { ${once(`${i}`)} });`);
    const { failures, passedAgain } = await runSuite({ a: FINE + wrong.join('\n') });
    expect([failures.length, passedAgain.size]).toEqual([MOST_RERUNS + 1, 0]);
    const names = failures.map((_, i) => `${i}`);
    expect(summary([], names).lines).toContain('More than 10 tests failed, so none was run again.');
    expect(summary([], names).lines.at(-1)).toBe('9 passed, 11 failed');
  });
});

describe('the table of flaky tests', () => {
  const HEAD = '| Test | Seen | Suspicion | Status |\n|---|---|---|---|\n';
  const ROW = '| x: a.test.ts > a\\|b | 2026-11-20, 2026-11-20 | A race. | open |';

  it('is read as it is written', () => {
    const rows = readRows(HEAD + ROW);
    expect(rows).toMatchObject([{ label: 'x: a.test.ts > a|b', seen: ['2026-11-20', '2026-11-20'], status: 'open' }]);
    expect(rows.map(rowText)).toEqual([ROW]);
  });

  it.each([
    ['a day', '2026-11-20', 'yesterday'],
    ['the suspicion', 'A race.', ''],
    ['the status', 'open', 'maybe'],
  ])('is refused without %s', (_, text, wrong) => {
    expect(() => readRows(HEAD + ROW.replace(text, wrong).replace(text, wrong))).toThrow('This row has no');
  });
});
