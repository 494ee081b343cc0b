import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STATUSES } from '../../../src/cli/workspace-api/run/statuses.ts';
import { RUN_STATUSES } from '../../../src/workspaces/execution/lifecycle/status.ts';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { type RunAgent, startRunAgent } from '../../support/cli/run-agent.ts';
import { Command } from '../../support/command.ts';

const PLAN = {
  resource_changes: [
    {
      address: 'aws_instance.web',
      change: {
        actions: ['update'],
        before: { ami: 'old', password: 'secret-one' },
        after: { ami: 'new', password: 'secret-two' },
        before_sensitive: { password: true },
        after_sensitive: { password: true },
      },
    },
  ],
};
const LINES = ['{"@level":"info","@message":"aws_instance.web: Plan to update","type":"planned_change"}', ''].join(
  '\n',
);

/** Runs the commands as processes; the test is the agent. */
describe('lockkeeper run', { timeout: 90_000 }, () => {
  let cli: CliClient;
  let agent: RunAgent;
  const execute = (kind: 'plan' | 'apply') => agent.execute(kind, { log: LINES, plan: PLAN });
  beforeAll(async () => {
    cli = await startCliClient();
    agent = await startRunAgent(cli);
    await agent.workspace('network');
  });
  afterAll(() => cli.stop());

  const SHOWN =
    '~ aws_instance.web\n      ami       "old" -> "new"\n      password  (sensitive) -> (sensitive)\nPlan: 1 to change\n';

  it('start follows the run, says what it waits for, and shows the whole plan', async () => {
    const started = new Command(['run', 'start', 'network', '--message', 'new image'], { ...cli.environment });
    started.process.stdin?.end();
    await expect.poll(() => started.stderr, { timeout: 30_000 }).toMatch(/^Run run-/m);
    const run = await execute('plan');
    const { code, stdout, stderr } = await started.ended();
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(SHOWN);
    expect(stdout).toContain(`The plan is waiting for confirmation: lockkeeper run follow ${run}`);
    expect(stdout).not.toContain('secret-');
  });

  it('list and show say how the run was started, by name of the workspace', async () => {
    const listed = JSON.parse(await cli.ok('run', 'list', 'network', '--json', 'status,trigger,message'));
    expect(listed).toEqual([
      { status: 'planned', trigger: expect.stringMatching(/^Triggered via CLI \(lockkeeper /), message: 'new image' },
    ]);
    expect(await cli.ok('run', 'list', '--status', 'planned')).toMatch(/^network +run-/m);
    expect(await cli.ok('run', 'list', '--status', 'errored', '--json', 'id')).toBe('[]\n');
    const none = await cli.run(['run', 'list', '--status', 'errored']);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, '', 'no runs\n']);
    const unknown = await cli.run(['run', 'list', '--status', 'planned,bogus']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no status bogus')]);
    expect(STATUSES.toSorted()).toEqual(RUN_STATUSES.toSorted());
    expect(await cli.ok('run', 'show', 'acme/network')).toMatch(/^status +planned$/m);
  });

  it('confirm shows the plan before it asks, and applies it', async () => {
    const asked = await cli.run(['run', 'confirm', 'network']);
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([2, SHOWN, expect.stringContaining('Confirm with --yes')]);
    const confirmed = await cli.ok('run', 'confirm', 'network', '--yes', '--comment', 'reviewed');
    expect(confirmed).toMatch(/^The run run-\w+ is confirmed \(apply_queued\)$/m);
    const run = await execute('apply');
    expect(await cli.ok('run', 'follow', run)).toContain(`The run ${run} is applied.`);
    // It is refused before the question, which no terminal could answer here.
    const again = await cli.run(['run', 'confirm', run]);
    const next = /^lockkeeper: The run is applied already\. `lockkeeper run start ws-\w+` starts a new one$/m;
    expect([again.code, again.stdout, again.stderr]).toEqual([5, '', expect.stringMatching(next)]);
  });

  it('discard and cancel end a run', async () => {
    const id = async () => JSON.parse(await cli.ok('api', 'POST', 'runs', '--data', await body())).data.id;
    const body = async () => {
      const workspace = (await cli.ok('workspace', 'show', 'network', '--field', 'id')).trim();
      return JSON.stringify({
        data: { type: 'runs', relationships: { workspace: { data: { type: 'workspaces', id: workspace } } } },
      });
    };
    const first = await id();
    await execute('plan');
    expect(await cli.ok('run', 'discard', 'network')).toBe(`The run ${first} is discarded\n`);
    const second = await id();
    expect(await cli.ok('run', 'cancel', second)).toContain(`The run ${second} is canceled`);
    expect((await cli.run(['run', 'cancel', second])).code).toBe(5);
    const followed = await cli.run(['run', 'follow', second]);
    expect([followed.code, followed.stdout]).toEqual([1, expect.stringContaining('is canceled')]);
    await cli.ok('workspace', 'create', 'empty');
    expect((await cli.run(['run', 'show', 'empty'])).code).toBe(4);
  });
});
