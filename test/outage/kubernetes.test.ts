import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../support/command.ts';
import { FakeCluster, settingsOfGuide, waiting } from '../support/kubernetes/cluster.ts';
import { scripted } from '../support/runner/engine.ts';
import { Installation } from '../support/runner/installation.ts';
import { hasEngine } from '../support/runner/run.ts';

const MAIN = { 'main.tf': 'resource "terraform_data" "a" { input = "x" }\n' };
const quota = (verb: string, kind: string) =>
  verb === 'create' && kind === 'jobs'
    ? { status: 403, json: { message: 'jobs.batch "x" is forbidden: exceeded quota: jobs, used: count/jobs.batch=4' } }
    : undefined;

let installation: Installation;
let cluster: FakeCluster;
let agents: Command[] = [];
let names = 0;
beforeAll(async () => {
  installation = await Installation.start();
});
afterAll(() => installation.stop());
beforeEach(async () => {
  cluster = await FakeCluster.start();
  names += 1;
});
afterEach(async () => {
  for (const agent of agents) agent.signal('SIGKILL');
  await Promise.all(agents.map((agent) => agent.ended()));
  agents = [];
  await cluster.stop();
});

/** Starts the agent of the cluster. A second call restarts the same agent. */
function start(engine = '/usr/local/bin/terraform', settings: object = {}): Command {
  // As in the guide, except for the addresses and paths.
  const { executor, kubernetes } = settingsOfGuide() as { executor: string; kubernetes: object };
  const here = { kubeconfig: cluster.kubeconfig, args: ['--engine', engine] };
  const config = { executor, kubernetes: { ...kubernetes, ...here, ...settings } };
  const folder = join(cluster.folder, `agent-${agents.length}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'agent.yaml'), JSON.stringify(config));
  const place = ['--config', join(folder, 'agent.yaml'), '--folder', folder, '--name', `rack-${names}`];
  const agent = installation.agent(['--token-file', installation.tokenFile, ...place]);
  agents.push(agent);
  return agent;
}

/** An engine that runs a script. */
const engine = (script: string): string =>
  join(
    scripted(`[ $1 = version ] && exec echo 'Terraform v1.11.4'\n${script}`).engines.folder ?? '',
    'terraform/99.0.0/terraform',
  );
const SLEEPS = 'trap "echo interrupted; exit 1" INT; [ $1 = plan ] && { echo begun; sleep 60 & wait; }; exit 0';

async function queue(files: Readonly<Record<string, string>> = MAIN): Promise<string> {
  return await installation.run(await installation.workspace(), files);
}

/** An agent that was without a cluster for long pauses up to 30 seconds before it tries again. */
const eventually = (isSo: () => unknown): Promise<void> =>
  expect.poll(isSo, { timeout: 60_000, interval: 50 }).toBeTruthy();
const isEmpty = (): boolean => cluster.jobs.size + cluster.secrets.size + cluster.pods.size === 0;
/** Texts that users see about a failed run: in its log, and in its events. */
async function reasonOf(run: string, phase: 'plan' | 'apply' = 'plan'): Promise<string> {
  await installation.until(run, 'errored');
  const events = (await installation.user('GET', `/runs/${run}/run-events`)).body.data;
  const told = events.map(({ attributes }: { attributes: { description: string | null } }) => attributes.description);
  const last = (await installation.logOf(run, phase)).trim().split('\n').at(-1) ?? '';
  expect(last).toMatch(/^Error: /);
  expect(told).toContain(last.slice('Error: '.length));
  return last;
}

describe.skipIf(!hasEngine)('an agent of a cluster (needs terraform)', { timeout: 90_000 }, () => {
  test('executes a plan and its apply in one Job each, and removes them', async () => {
    start();
    const run = await queue();
    await installation.until(run, 'applied');
    expect(await installation.logOf(run, 'apply')).toContain('1 added, 0 changed, 0 destroyed');
    await eventually(isEmpty);
    expect(cluster.made.map(({ metadata }) => metadata?.name)).toEqual([
      expect.stringMatching(/^lockkeeper-plan-[a-z0-9]+-[0-9a-f]{10}$/),
      expect.stringMatching(/^lockkeeper-apply-[a-z0-9]+-[0-9a-f]{10}$/),
    ]);
    expect(JSON.stringify(cluster.made)).not.toMatch(/lk[ajr]\./);
  });
});

describe('an agent of a cluster', { timeout: 90_000 }, () => {
  test('continues with its Jobs after it was killed, and starts none twice', async () => {
    const before = start(engine('[ $1 = plan ] && { echo begun; sleep 6; echo done; exit 1; }; exit 0'));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    before.signal('SIGKILL');
    await before.ended();
    start();
    await installation.until(run, 'errored');
    expect(await installation.logOf(run, 'plan')).toContain('done');
    await eventually(isEmpty);
    expect(cluster.made).toHaveLength(1);
  });

  test('when killed before it has seen the result of a pod, reports it after a restart', async () => {
    const before = start(engine(SLEEPS));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    before.signal('SIGKILL');
    await before.ended();
    await cluster.fail({ reason: 'Evicted', message: 'The node was low on resource: ephemeral-storage.' });
    start();
    expect(await reasonOf(run)).toBe(
      'Error: The pod was evicted from its node: The node was low on resource: ephemeral-storage.',
    );
    expect(cluster.made).toHaveLength(1);
  });

  test('stopped at once, it deletes its Jobs, which report why', async () => {
    const agent = start(engine(SLEEPS));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    // Waits until the agent has seen that the pod runs.
    await new Promise((done) => setTimeout(done, 3000));
    agent.signal('SIGTERM');
    await new Promise((done) => setTimeout(done, 500));
    agent.signal('SIGTERM');
    expect(await reasonOf(run)).toContain('The agent was stopped and interrupted the run');
    expect(await installation.logOf(run, 'plan')).toContain('interrupted');
    expect((await agent.ended()).code).toBe(0);
    await eventually(isEmpty);
  });

  test('reports why the run failed when its Job was deleted by someone else', async () => {
    start(engine(SLEEPS));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    await cluster.deleteJobs();
    expect(await reasonOf(run)).toContain('The agent was stopped and interrupted the run');
  });

  test('lets a canceled run stop by itself', async () => {
    start(engine(SLEEPS));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    expect((await installation.user('POST', `/runs/${run}/actions/cancel`, {})).status).toBe(202);
    await installation.until(run, 'canceled');
    expect(await installation.logOf(run, 'plan')).toContain('interrupted');
    await eventually(isEmpty);
  });

  test('deletes the Job of a run that is canceled before its pod runs', async () => {
    cluster.fate = { status: { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes' }] } };
    start();
    const run = await queue();
    await eventually(() => cluster.pods.size === 1);
    expect((await installation.user('POST', `/runs/${run}/actions/cancel`, {})).status).toBe(202);
    await installation.until(run, 'canceled');
    await eventually(isEmpty);
  });

  test('finds a Job whose creation got no answer', async () => {
    let lost = 2;
    cluster.intercept = ({ verb }) => (verb === 'create' && lost-- > 0 ? 'no answer' : undefined);
    start(engine('[ $1 = plan ] && exit 1; exit 0'));
    const run = await queue();
    await installation.until(run, 'errored');
    await eventually(isEmpty);
    expect(cluster.made).toHaveLength(1);
  });

  test('removes a Job whose deletion failed while the cluster was unavailable', async () => {
    let lost = 2;
    cluster.intercept = ({ verb }) =>
      verb === 'delete' && lost-- > 0 ? { status: 503, json: { message: 'unavailable' } } : undefined;
    start(engine('[ $1 = plan ] && exit 1; exit 0'));
    await installation.until(await queue(), 'errored');
    await eventually(isEmpty);
    expect(lost).toBeLessThan(0);
  });

  test('continues when the cluster was unavailable for a while', async () => {
    const agent = start(engine('[ $1 = plan ] && { echo begun; sleep 4; echo done; exit 1; }; exit 0'));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    await cluster.goAway();
    await installation.until(run, 'errored');
    expect(await installation.logOf(run, 'plan')).toContain('done');
    expect(cluster.jobs.size).toBe(1);
    await cluster.comeBack();
    await eventually(isEmpty);
    agent.signal('SIGTERM');
    expect((await agent.ended()).stderr).toMatch(/cluster unavailable[\s\S]*cluster available again/);
  });

  test('waits when a quota is used up, and reports it', async () => {
    cluster.intercept = ({ verb, kind }) => quota(verb, kind);
    const agent = start(engine('[ $1 = plan ] && exit 1; exit 0'));
    const run = await queue();
    await new Promise((done) => setTimeout(done, 3000));
    expect(await installation.statusOf(run)).toBe('plan_queued');
    cluster.intercept = () => undefined;
    await installation.until(run, 'errored');
    expect(cluster.made).toHaveLength(1);
    agent.signal('SIGTERM');
    expect((await agent.ended()).stderr).toContain('exceeded quota: jobs, used: count/jobs.batch=4');
  });

  test.each([
    [
      'an image that cannot be pulled',
      { status: { containerStatuses: [waiting('ImagePullBackOff', 'Back-off pulling image: not found')] } },
      'The pod did not run within 3 s. The image registry.example.com/runner:3 cannot be pulled: Back-off pulling image: not found',
    ],
    [
      'an image that is none',
      { status: { containerStatuses: [waiting('InvalidImageName', 'invalid reference format')] } },
      'The image registry.example.com/runner:3 cannot be pulled: invalid reference format',
    ],
    [
      'no node that takes the pod',
      { status: { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] } },
      'The pod did not run within 3 s. No node of the cluster accepts the pod: 0/3 nodes are available',
    ],
    [
      'a quota that has no room for the pod',
      { event: 'Error creating: pods "x" is forbidden: exceeded quota: memory' },
      'The pod did not run within 6 s. Error creating: pods "x" is forbidden: exceeded quota: memory',
    ],
  ] as const)('reports why the run failed: %s', async (_what, fate, reason) => {
    cluster.fate = structuredClone(fate) as never;
    start(undefined, { start_timeout: 'event' in fate ? '6s' : '3s' });
    const run = await queue();
    expect(await reasonOf(run)).toBe(`Error: ${reason}`);
    await eventually(isEmpty);
  });

  test.each([
    ['is evicted', { reason: 'Evicted', message: 'low on memory' }, 'was evicted from its node: low on memory'],
    [
      'needs too much memory',
      { containerStatuses: [{ ...waiting(''), state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }] },
      'exceeded its memory limit (2Gi) and was killed',
    ],
    [
      'is being evicted from its node',
      {
        conditions: [{ type: 'DisruptionTarget', status: 'True', message: 'preempted by a pod on node node-1' }],
      },
      'was evicted from its node: preempted by a pod on node node-1',
    ],
  ])('reports why the run failed: the pod %s', async (_what, status, reason) => {
    start(engine(SLEEPS));
    const run = await queue();
    await installation.untilLogged(run, 'plan', 'begun');
    await cluster.fail(status as never);
    expect(await reasonOf(run)).toBe(`Error: The pod ${reason}`);
    expect(cluster.jobs.size).toBe(1);
  });

  test('does not start without the necessary permissions in the cluster', async () => {
    cluster.intercept = ({ kind }) => (kind === 'jobs' ? { status: 403, json: { message: 'no' } } : undefined);
    const { code, stderr } = await start().ended();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('does not allow this agent to list its Jobs: no (403)'),
    ]);
  });
});
