import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../.ci/flaky.ts';
import { type Group, runLanes, type Step } from '../../.ci/lanes.ts';
import { groupsIn, HANGS_AFTER, SUITES } from '../../.ci/plan.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('lanes', () => {
  let folder: string;
  let printed: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-lanes-'));
    printed = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const step = (name: string, script: string, after: readonly string[] = []): Step => ({
    name,
    argv: ['sh', '-c', script],
    env: { FOLDER: folder },
    after,
  });
  const run = (...groups: Group[]) => runLanes(groups, folder, (text) => printed.push(text));
  /** Script that waits for a step that writes this file. */
  const await_ = (file: string) => `until [ -e "$FOLDER/${file}" ]; do sleep 0.01; done`;

  it('run side by side, and print the output of a step in one piece', async () => {
    const left = step('left', `echo left 1; touch "$FOLDER/left"; ${await_('right')}; echo left 2`);
    const right = step('right', `${await_('left')}; echo right 1; touch "$FOLDER/right"; echo right 2`);
    await run({ lanes: 2, steps: [left, right] });
    const text = printed.join('\n');
    expect(text).toContain('left 1\nleft 2\n');
    expect(text).toContain('right 1\nright 2\n');
  });

  it('are as many as the group has: a step starts when another has ended', async () => {
    const alone = `mkdir "$FOLDER/alone" && sleep 0.05 && rmdir "$FOLDER/alone"`;
    const results = await run({ lanes: 1, steps: [step('first', alone), step('second', alone), step('third', alone)] });
    expect(results.map(({ name, code }) => [name, code])).toEqual([
      ['first', 0],
      ['second', 0],
      ['third', 0],
    ]);
  });

  it('take a later step while the first one waits for a step of another group', async () => {
    const waits = step('waits', 'test -e "$FOLDER/needed"', ['needed']);
    const needed = step('needed', `${await_('later')}; touch "$FOLDER/needed"`);
    const later = step('later', 'touch "$FOLDER/later"');
    const results = await run({ lanes: 2, steps: [waits, later] }, { lanes: 1, steps: [needed] });
    expect(results.map(({ name, code }) => [name, code])).toEqual([
      ['later', 0],
      ['needed', 0],
      ['waits', 0],
    ]);
  });

  it('go on after a failure, and report each of them', async () => {
    const missing = { name: 'missing', argv: ['no-such-program'] };
    const steps = [step('wrong', 'exit 3'), step('fine', 'exit 0'), step('killed', 'kill -9 $$'), missing];
    const results = await run({ lanes: 2, steps });
    const codes = Object.fromEntries(results.map(({ name, code }) => [name, code]));
    expect(codes).toEqual({ wrong: 3, fine: 0, killed: 1, missing: 1 });
    expect(printed).toEqual(expect.arrayContaining(['!! wrong failed', '!! killed failed', '!! missing failed']));
  });
});

describe('the plan', () => {
  const steps = groupsIn('/reports').flatMap((group) => group.steps);

  it('runs every suite once', () => {
    const scripts = Object.entries<string>(JSON.parse(textOf('package.json')).scripts);
    const suites = scripts.filter(([name]) => /^test(:|$)/.test(name)).map(([, command]) => command);
    expect(suites.length).toBeGreaterThan(5);
    // A rerun takes the words of the command.
    expect(suites.filter((command) => /["'`$|;&]/.test(command))).toEqual([]);
    expect(
      Object.values(SUITES)
        .map(({ command }) => command)
        .toSorted(),
    ).toEqual(suites.toSorted());
    const names = steps.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(Object.values(SUITES).map(({ name }) => name)));
  });

  it('waits only for steps that exist and wait for none', () => {
    const needed = steps.flatMap(({ after = [] }) => after);
    expect(needed).toEqual(expect.arrayContaining(['clients are installed', 'tools for charts are installed']));
    const free = steps.filter(({ after = [] }) => after.length === 0).map(({ name }) => name);
    expect(free).toEqual(expect.arrayContaining(needed));
  });

  it('builds the console before the suites that use it', () => {
    const built = steps.filter(({ after = [] }) => after.includes('console is built')).map(({ name }) => name);
    expect(built).toEqual(['test', 'postgres', 'console', 'operations', 'console-postgres']);
  });

  it('bundles the program before the suites that start it', () => {
    const bundled = steps.filter(({ after = [] }) => after.includes('program is bundled')).map(({ name }) => name);
    const starts = globSync('vitest*.config.ts', { cwd: ROOT }).filter((file) =>
      textOf(file).includes('test/support/program.ts'),
    );
    // The suites `test` and `postgres` share a configuration.
    const suites = starts.flatMap((file) => file.split('.').slice(1, -2)[0] ?? ['test', 'postgres']);
    expect(bundled.toSorted()).toEqual(suites.toSorted());
  });

  it('names suites for the timeouts of hanging tests', () => {
    const withTimeout = steps.filter(({ argv }) => argv.some((word) => word.startsWith('--testTimeout=')));
    expect(withTimeout.map(({ name }) => name).toSorted()).toEqual(Object.keys(HANGS_AFTER).toSorted());
  });

  it('has a readable table of flaky tests', () => {
    expect(() => readRows(textOf('test/flaky.md'))).not.toThrow();
  });
});
