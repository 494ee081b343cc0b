import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon } from '../../support/runner/installation.ts';
import { SharedAgent } from './support/shared-agent.ts';

/** Argument of `sleep` that identifies an engine of this test among all processes. */
const MARK = `60${process.pid}`;
const APPLIES = `[ $1 = apply ] && {
  echo '{"version":4,"serial":1,"lineage":"l","resources":[],"made":"by this run"}' >$state; echo begun; sleep ${MARK} & wait; }`;

const isThere = (mark: string): boolean => execFileSync('ps', ['-eo', 'args']).toString().includes(`sleep ${mark}`);

describe('the process of a job', { timeout: 180_000 }, () => {
  let shared: SharedAgent;
  beforeAll(async () => {
    shared = await SharedAgent.start();
  });
  afterAll(() => shared.stop());

  test('is one for each run, and shows its environment to no other run', async () => {
    const [one, other] = [await shared.honestRun(), await shared.honestRun()];
    const pids = shared.jobProcesses();
    expect(pids).toHaveLength(2);
    for (const pid of pids) {
      const shown = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1')).join('');
      expect(shown).not.toMatch(/lk[a-z]\.\w|(run|apply)-\w{16}/);
      expect(shown).toContain('--max-old-space-size=512');
    }
    expect(await one.end()).toMatchObject({ status: 'applied' });
    expect(await other.end()).toMatchObject({ status: 'applied' });
    await soon(() => shared.jobProcesses().length === 0, 'the end of the processes');
  });

  test('that is killed stops its engine, and nothing else; the state is kept', async () => {
    const { pid } = shared;
    const before = shared.jobProcesses();
    const run = await shared.queue(APPLIES);
    await shared.installation.untilLogged(run, 'apply', 'begun');
    const [victim = 0] = shared.jobProcesses().filter((one) => !before.includes(one));
    const honest = await shared.honestRun();
    process.kill(victim, 'SIGKILL');
    const { status, reason } = await shared.outcomeOf(run);
    expect([status, reason]).toEqual([
      'errored',
      expect.stringMatching(
        /^Error: The agent's process for this run was ended from outside \(SIGKILL\) during "apply"/,
      ),
    ]);
    const kept = shared.keptState(run) ?? '';
    expect(reason).toContain(kept);
    expect(readFileSync(kept, 'utf8')).toContain('by this run');
    expect(isThere(MARK)).toBe(false);
    expect(await honest.end()).toMatchObject({ status: 'applied' });
    expect([shared.isAlive, shared.pid]).toEqual([true, pid]);
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
  });

  test('exits with its agent, and its engine with it', async () => {
    const run = await shared.queue(APPLIES);
    await shared.installation.untilLogged(run, 'apply', 'begun');
    const [child = 0] = shared.jobProcesses();
    await shared.restart();
    await soon(() => !isThere(MARK) && !SharedAgent.hasProcess(child), 'the end of the process and its engine');
    expect(await shared.outcomeOf(run)).toMatchObject({ status: 'errored' });
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
  });

  test('leaves folders that are thousands of levels deep, and the agent continues, also after a restart', async () => {
    const step = 'd/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d';
    const deep = `[ $1 = plan ] && ( n=0; while [ $n -lt 200 ]; do mkdir -p ${step}; cd -P ${step}; n=$((n + 1)); done; chmod 500 . )`;
    const run = await shared.queue(`${deep}; [ $1 = plan ] && { echo made; sleep 600 & wait; }`);
    await shared.installation.untilLogged(run, 'plan', 'made');
    await shared.restart();
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
    expect(await shared.outcomeOf(run)).toMatchObject({ status: 'errored' });
    await soon(() => shared.discarded().length === 0, 'the removal of the folders');
  });
});
