import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUITES = ['', 'postgres', 'console', 'console:postgres', 'hostile', 'outage', 'clients', 'cluster', 'operations'];
const CHECKS = ['lint', 'types', 'imports', 'unused', 'language', 'docs'];
/** Stands for Vitest. Its first argument is its result, and the second one that of a run of one test. */
const RUNNER = `import { writeFileSync } from 'node:fs';
const [, , first, again, ...rest] = process.argv;
const result = rest.includes('-t') ? again : first;
const failures = result === 'fails' ? [{ file: 'a.test.ts', test: 'a test', reason: 'wrong' }] : [];
const report = { skipped: 0, failures, files: [{ file: 'a.test.ts', seconds: 1, passed: 1 }] };
if (result !== 'crashes') writeFileSync(process.env.CI_REPORT, JSON.stringify(report));
process.exitCode = result === 'passes' ? 0 : 1;
`;

describe('the program of .ci/run', () => {
  let root: string;
  let scripts: Record<string, string>;
  const suite = (first: string, again = first) => `node runner.mjs ${first} ${again} vitest run`;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lockkeeper-ci-test-'));
    cpSync(join(ROOT, '.ci'), join(root, '.ci'), { recursive: true });
    cpSync(join(ROOT, 'test/flaky.md'), join(root, 'test/flaky.md'));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    write('runner.mjs', RUNNER);
    write('build/console.ts', '');
    write('test/support/program.ts', '');
    for (const folder of ['clients/support', 'operations/charts']) {
      write(`test/${folder}/installation.ts`, 'export default () => {};');
    }
    scripts = Object.fromEntries([
      ...CHECKS.map((name) => [name, `echo ${name} is fine`]),
      ...SUITES.map((name) => [name === '' ? 'test' : `test:${name}`, suite('passes')]),
    ]);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function run(...args: string[]) {
    write('package.json', JSON.stringify({ type: 'module', scripts }));
    const options = { cwd: root, encoding: 'utf8', env: { ...process.env, CI_NICENESS: '0' } } as const;
    const { stdout, status } = spawnSync(process.execPath, ['.ci/all.ts', ...args], options);
    return { text: stdout, last: stdout.trimEnd().split('\n').at(-1), status };
  }

  it('runs all suites and checks, and ends with what it counted', () => {
    const { text, last, status } = run('packages 1 s');
    expect([last, status], text).toEqual(['9 passed, 0 failed', 0]);
    for (const check of CHECKS) expect(text).toContain(`${check} is fine`);
    expect(text).toMatch(/\npackages 1 s; .*hostile \d+ s.*; lanes and reruns \d+ s\n/);
    expect(text).toContain('Slowest files:\n  1 s test: a.test.ts\n');
  });

  it('runs a failed test again, and passes with a flaky one', () => {
    scripts['test:hostile'] = suite('fails', 'passes');
    const { text, last, status } = run();
    expect([last, status], text).toEqual(['10 passed, 0 failed', 0]);
    expect(text).toContain('FLAKY hostile: a.test.ts > a test');
  });

  it('fails with a test that fails twice, a suite without a report, a failed check, and an earlier step', () => {
    scripts['test:hostile'] = suite('fails');
    scripts['test:outage'] = suite('crashes');
    scripts.lint = 'exit 2';
    const { text, last, status } = run('--failed', 'packages');
    expect([last, status], text).toEqual(['8 passed, 4 failed', 1]);
    expect(text).toContain('FAILED outage: the whole suite\n  The suite ended with 1 and without a report.');
    expect(text).toContain('FAILED step lint\n');
    expect(text).toContain('FAILED step packages\n');
  });

  it('fails before it starts if it cannot read the table of flaky tests', () => {
    write('test/flaky.md', '| Test |\n|---|\n| a |\n');
    const { last, status } = run();
    expect([last, status]).toEqual(['0 passed, 1 failed', 1]);
  });
});
