import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents, type TestAgent } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';

const HAS_CHANGES = { exit: 0, 'has-changes': true };

describe.each(databaseKinds)('the engine of a job on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let agent: TestAgent;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const { agent: register, pool } = agentsOf(api, acme);
    agent = await register(await pool('pool'));
  });
  afterAll(() => api.close());

  /** Queues a run for the agent, in a new workspace. */
  async function queued(attributes: object): Promise<string> {
    const runs = runsOf(api, acme);
    return runs.run(await runs.workspace(`w-${++names}`, { ...byAgents(agent.poolId), ...attributes }));
  }

  async function shown(run: string): Promise<string> {
    const { attributes } = await runsOf(api, acme).show(run);
    return `${attributes.engine} ${attributes['terraform-version']}`;
  }

  test.each([
    [{}, { kind: 'opentofu', version: null, newest: '1.12.6' }],
    [{ engine: 'terraform' }, { kind: 'terraform', version: null, newest: '1.16.3' }],
    [
      { 'engine-version': '~> 1.11.11' },
      { kind: 'opentofu', version: '1.11.14', newest: '1.11.14', constraint: '~> 1.11.11' },
    ],
    [{ 'engine-version': '1.5.7' }, { kind: 'terraform', version: '1.5.7', newest: '1.5.7' }],
  ])('of a workspace with %j is %j', async (attributes, engine) => {
    await queued(attributes);
    const job = await agent.take();
    expect(job.data.attributes.engine).toEqual(engine);
    await job.start();
    expect((await job.finish('failed', { reason: 'enough' })).status).toBe(204);
  });

  test('is in the apply what the plan was made with, and the run shows it', async () => {
    const run = await queued({});
    expect(await shown(run)).toBe('opentofu 1.12.6');
    const plan = await agent.take();
    await plan.start();
    const engine = { kind: 'terraform', version: '1.11.4' };
    expect((await plan.finish('finished', { ...HAS_CHANGES, engine })).status).toBe(204);
    expect(await shown(run)).toBe('terraform 1.11.4');
    expect((await acme.owner.call('POST', `/runs/${run}/actions/apply`)).status).toBe(202);
    const apply = await agent.take();
    expect(apply.data.attributes.engine).toEqual({ ...engine, newest: '1.11.4' });
    await apply.start();
    await apply.finish('finished', { exit: 0, engine: { kind: 'opentofu', version: '1.12.6' } });
    expect(await shown(run)).toBe('terraform 1.11.4');
  });

  test('of a constraint is one of those that satisfy it: the apply gets the one that made the plan, and no other', async () => {
    const run = await queued({ 'engine-version': '~> 1.11.0' });
    const plan = await agent.take();
    await plan.start();
    const engine = { kind: 'opentofu', version: '1.11.5' };
    expect(plan.data.attributes.engine.constraint).toBe('~> 1.11.0');
    expect((await plan.finish('finished', { ...HAS_CHANGES, engine })).status).toBe(204);
    expect((await acme.owner.call('POST', `/runs/${run}/actions/apply`)).status).toBe(202);
    const apply = await agent.take();
    expect(apply.data.attributes.engine).toEqual({ ...engine, newest: '1.11.5' });
    await apply.start();
    await apply.finish('finished');
  });

  test.each([
    { kind: 'pulumi', version: '1.0.0' },
    { kind: 'opentofu', version: '../1.0.0' },
    { kind: 'opentofu', version: `1.0.0-${'x'.repeat(60)}` },
    'opentofu',
  ])('is not %j', async (engine) => {
    const run = await queued({});
    const job = await agent.take();
    await job.start();
    expect((await job.finish('finished', { ...HAS_CHANGES, engine })).status).toBe(422);
    expect((await job.finish('finished', HAS_CHANGES)).status).toBe(204);
    expect(await shown(run)).toBe('opentofu 1.12.6');
  });
});
