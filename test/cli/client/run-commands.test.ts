import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { Command } from '../../support/command.ts';
import { archive } from '../../support/samples/archive.ts';

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
  let agent: { id: string; token: string };
  beforeAll(async () => {
    cli = await startCliClient();
    const pool = await cli.made('/organizations/acme/agent-pools', 'agent-pools', { name: 'racks' });
    const token = await cli.made(`/agent-pools/${pool.id}/authentication-tokens`, 'authentication-tokens', {
      description: 'a',
    });
    const text = token.attributes.token;
    const registered = await cli.server.call('POST', `/api/v2/agent-pools/${pool.id}/agents`, {
      ...{ token: text, body: { data: { type: 'agents', attributes: { name: 'runner-1' } } } },
    });
    expect(registered.status, registered.text).toBe(201);
    agent = { id: registered.body.data.id, token: text };
    const attributes = { name: 'network', 'execution-mode': 'agent', 'agent-pool-id': pool.id };
    const workspace = await cli.made('/organizations/acme/workspaces', 'workspaces', attributes);
    const version = await cli.made(`/workspaces/${workspace.id}/configuration-versions`, 'configuration-versions', {
      'auto-queue-runs': false,
    });
    const headers = { 'content-type': 'application/octet-stream' };
    await cli.server.call('PUT', new URL(version.attributes['upload-url']).pathname, { body: archive(), headers });
  });
  afterAll(() => cli.stop());

  /** Takes the next job, and finishes it as an agent does: log, data of the plan, result. */
  async function execute(kind: 'plan' | 'apply'): Promise<string> {
    const claimed = await cli.server.call('POST', `/api/v2/agents/${agent.id}/actions/claim`, {
      ...{ token: agent.token, headers: { 'agent-id': agent.id } },
    });
    expect(claimed.status, claimed.text).toBe(200);
    const { id, attributes } = claimed.body.data;
    const send = async (method: string, path: string, body: unknown, headers = {}) => {
      const answer = await cli.server.call(method, `/api/v2${path}`, { token: attributes.token, body, headers });
      expect(answer.status, answer.text).toBeLessThan(300);
    };
    await send('POST', `/jobs/${id}/actions/start`, {});
    const bytes = { 'content-type': 'application/octet-stream' };
    await send('PATCH', `/jobs/${id}/log?offset=0`, LINES, bytes);
    if (kind === 'plan') await send('PUT', `/plans/${id}/json-output-redacted`, PLAN);
    const result = { outcome: 'finished', ...(kind === 'plan' && { 'has-changes': true }) };
    await send('POST', `/jobs/${id}/actions/finish`, { data: { type: 'jobs', attributes: result } });
    return attributes['run-id'];
  }

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
    expect(await cli.ok('run', 'show', 'acme/network')).toMatch(/^status +planned$/m);
  });

  it('confirm shows the plan before it asks, and applies it', async () => {
    const asked = await cli.run(['run', 'confirm', 'network']);
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([2, SHOWN, expect.stringContaining('Confirm with --yes')]);
    const confirmed = await cli.ok('run', 'confirm', 'network', '--yes', '--comment', 'reviewed');
    expect(confirmed).toMatch(/^The run run-\w+ is confirmed \(apply_queued\)$/m);
    const run = await execute('apply');
    expect(await cli.ok('run', 'follow', run)).toContain(`The run ${run} is applied.`);
    const again = await cli.run(['run', 'confirm', run, '--yes']);
    expect(again.code).toBe(5);
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
    expect(await cli.ok('run', 'discard', 'network')).toBe(`The run ${first} is discarded (discarded)\n`);
    const second = await id();
    expect(await cli.ok('run', 'cancel', second)).toContain(`The run ${second} is being canceled (canceled)`);
    expect((await cli.run(['run', 'cancel', second])).code).toBe(5);
    const followed = await cli.run(['run', 'follow', second]);
    expect([followed.code, followed.stdout]).toEqual([1, expect.stringContaining('is canceled')]);
    await cli.ok('workspace', 'create', 'empty');
    expect((await cli.run(['run', 'show', 'empty'])).code).toBe(4);
  });
});
