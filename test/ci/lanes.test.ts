import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../.ci/flaky.ts';
import { runLanes, type Step } from '../../.ci/lanes.ts';
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
  const run = (...lanes: Step[][]) => runLanes([lanes], folder, (text) => printed.push(text));
  /** Script that waits for a step that writes this file. */
  const await_ = (file: string) => `until [ -e "$FOLDER/${file}" ]; do sleep 0.01; done`;

  it('run side by side, and print the output of a step in one piece', async () => {
    const left = step('left', `echo left 1; touch "$FOLDER/left"; ${await_('right')}; echo left 2`);
    const right = step('right', `${await_('left')}; echo right 1; touch "$FOLDER/right"; echo right 2`);
    await run([left], [right]);
    const text = printed.join('\n');
    expect(text).toContain('left 1\nleft 2\n');
    expect(text).toContain('right 1\nright 2\n');
  });

  it('run the steps of a lane one after the other, and a step after those that it needs', async () => {
    const needed = step('needed', `${await_('first')}; touch "$FOLDER/needed"`);
    const second = step('second', 'test -e "$FOLDER/needed"', ['needed']);
    const results = await run([step('first', 'touch "$FOLDER/first"'), second], [needed]);
    expect(results.map(({ name, code }) => [name, code])).toEqual([
      ['first', 0],
      ['needed', 0],
      ['second', 0],
    ]);
  });

  it('take a step of a longer lane at their end, but none of another group', async () => {
    const long = [step('waits', await_('last')), step('last', 'touch "$FOLDER/last"')];
    expect((await run(long, [])).map(({ name }) => name).toSorted()).toEqual(['last', 'waits']);
    const alone = [step('first', 'exit 0'), step('last', 'exit 0')];
    const results = await runLanes([[alone], [[]]], folder, () => {});
    expect(results.map(({ name }) => name)).toEqual(['first', 'last']);
  });

  it('go on after a failure, and report each of them', async () => {
    const lanes = [[step('wrong', 'exit 3'), step('fine', 'exit 0')], [step('killed', 'kill -9 $$')]];
    const missing = { name: 'missing', argv: ['no-such-program'] };
    const results = await run(...lanes, [missing]);
    const codes = Object.fromEntries(results.map(({ name, code }) => [name, code]));
    expect(codes).toEqual({ wrong: 3, fine: 0, killed: 1, missing: 1 });
    expect(printed).toEqual(expect.arrayContaining(['!! wrong failed', '!! killed failed', '!! missing failed']));
  });
});

describe('the plan', () => {
  const groups = groupsIn('/reports');
  const steps = groups.flat(2);

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

  it('waits only for steps of other groups, which wait for none', () => {
    const names = (ofGroup: (typeof groups)[number]) => ofGroup.flat().map(({ name }) => name);
    const [suites, ...background] = groups;
    const needed = (suites ?? []).flat().flatMap(({ after = [] }) => after);
    expect(needed.length).toBeGreaterThan(0);
    expect(background.flatMap(names)).toEqual(expect.arrayContaining(needed));
    expect(background.flat(2).filter(({ after = [] }) => after.length > 0)).toEqual([]);
  });

  it('builds the console before the suites that use it', () => {
    expect(groups[0]?.[0]?.[0]?.name).toBe('console is built');
    expect(groups[0]?.[0]?.map(({ name }) => name)).toEqual(expect.arrayContaining(['test', 'console']));
  });

  it('names suites for the timeouts of hanging tests', () => {
    const withTimeout = steps.filter(({ argv }) => argv.some((word) => word.startsWith('--testTimeout=')));
    expect(withTimeout.map(({ name }) => name).toSorted()).toEqual(Object.keys(HANGS_AFTER).toSorted());
  });

  it('has a readable table of flaky tests', () => {
    expect(() => readRows(textOf('test/flaky.md'))).not.toThrow();
  });
});
