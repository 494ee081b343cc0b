import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, soon } from '../support/runner/installation.ts';
import { scriptedLedger } from '../support/runner/ledger.ts';
import { Wire } from '../support/runner/wire.ts';

/** All of them wait at the same time. */
describe('a network that is lost while a run is applied', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start();
  });
  afterAll(() => installation.stop());

  async function begun(name: string, seconds: number) {
    const folder = join(installation.folder, name);
    const ledger = scriptedLedger(folder, seconds);
    const wire = await Wire.to(Number(new URL(installation.address).port));
    const place = ['--folder', join(folder, 'agent'), '--address', wire.address];
    const pool = await installation.newPool();
    const agent = installation.agent([...place, '--token-file', pool.tokenFile, ...ledger.args]);
    const workspace = await installation.workspace({ 'agent-pool-id': pool.id });
    const run = await installation.run(workspace, ledger.files);
    await installation.untilLogged(run, 'apply', 'begun');
    // The state is current when the run is finished.
    await soon(async () => (await installation.statesOf(workspace)) > 0, 'a state');
    return { agent, ledger, run, wire, workspace };
  }

  test.concurrent('and comes back in time has no effect', async () => {
    const { ledger, run, wire, workspace } = await begun('short', 20);
    wire.lose();
    await sleep(40_000);
    wire.restore();
    await installation.until(run, 'applied');
    expect(ledger.applies()).toEqual([run]);
    expect((await installation.stateOf(workspace)).runs).toBe(` ${run}:done`);
    wire.close();
  });

  test.concurrent('and comes back too late ends the run; the engine is interrupted, and its state uploaded', async () => {
    const { agent, run, wire, workspace } = await begun('late', 300);
    wire.lose();
    await soon(async () => (await installation.statusOf(run)) === 'errored', 'the end of the run', 200);
    expect(await installation.isLocked(workspace)).toBe(false);
    const [, reason] = (await installation.eventsOf(run)).at(-1) ?? [];
    expect(reason).toMatch(/^The agent .* is lost\. Its progress is unknown\./);
    expect((await installation.logOf(run, 'apply')).trimEnd().split('\n').at(-1)).toBe(reason);
    wire.restore();
    await soon(() => agent.stderr.includes('no longer accepts this job from this agent'), 'the job is lost', 90);
    const { included } = await installation.runOf(run);
    const apply = included.find(({ type }: { type: string }) => type === 'applies').id;
    const isThere = async () => (await installation.user('GET', `/applies/${apply}/errored-state`)).status === 200;
    await soon(isThere, 'the errored state');
    // The acknowledged state is still the current state of the workspace.
    expect((await installation.stateOf(workspace)).runs).toBe(` ${run}:begun`);
    wire.close();
  });

  test.concurrent('and does not come back does not block the workspace', async () => {
    const { run, wire, workspace } = await begun('never', 300);
    wire.lose();
    await soon(async () => (await installation.statusOf(run)) === 'errored', 'the end of the run', 200);
    expect(await installation.isLocked(workspace)).toBe(false);
    expect((await installation.stateOf(workspace)).runs).toBe(` ${run}:begun`);
    wire.close();
  });
});
