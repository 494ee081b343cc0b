import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents, type TestAgent } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('which agent gets a run, by its engine, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let agents: ReturnType<typeof agentsOf>;
  let pool: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    runs = runsOf(api, acme);
    pool = await agents.pool('first');
  });

  /** An agent with these engines, which downloads none. */
  const having = (...engines: string[]): Promise<TestAgent> =>
    agents.agent(pool, undefined, { engines, 'any-engine': false });
  const queued = async (version: string, more: object = {}): Promise<string> =>
    runs.run(await runs.workspace(`w-${++names}`, { ...byAgents(pool), 'engine-version': version, ...more }));
  const isIdle = async (agent: TestAgent): Promise<boolean> => (await agent.claim()).status === 204;

  test('an agent leaves runs to others that have an engine for them, and takes what comes behind', async () => {
    const [old, current] = [await having('opentofu 1.9.4'), await having('opentofu 1.10.7', 'terraform 1.11.4')];
    const first = await queued('~> 1.10.0');
    expect(await isIdle(old)).toBe(true);
    const second = await queued('1.11.4', { engine: 'terraform' });
    const third = await queued('~> 1.9.0');
    const fourth = await queued('latest', { engine: 'terraform' });
    expect((await old.take()).runId).toBe(third);
    const taken = await current.take();
    expect(taken.runId).toBe(first);
    expect(taken.data.attributes.engine).toEqual({
      ...{ kind: 'opentofu', version: '1.10.10', newest: '1.10.10', constraint: '~> 1.10.0' },
    });
    for (const run of [second, fourth]) expect((await runs.show(run)).attributes.status).toBe('plan_queued');
  });

  test('an apply goes to an agent with the engine of its plan', async () => {
    const [old, current] = [await having('opentofu 1.9.4'), await having('opentofu 1.10.7')];
    const run = await queued('>= 1.9, < 1.11');
    const plan = await old.take();
    await plan.start();
    const engine = { kind: 'opentofu', version: '1.9.4' };
    await plan.finish('finished', { exit: 0, 'has-changes': true, engine });
    await acme.owner.call('POST', `/runs/${run}/actions/apply`);
    expect(await isIdle(current)).toBe(true);
    const apply = await old.take();
    expect([apply.runId, apply.data.attributes.engine]).toEqual([run, { ...engine, newest: '1.9.4' }]);
  });

  test('a run without a matching engine on any agent goes to the first agent, which reports it; also once the others are gone', async () => {
    const old = await having('opentofu 1.9.4', 'nonsense');
    const run = await queued('~> 1.10.0');
    const current = await having('opentofu 1.10.7');
    expect(await isIdle(old)).toBe(true);
    expect((await current.say('exited')).status).toBe(200);
    expect((await old.take()).runId).toBe(run);
  });

  test('an agent that downloads engines, has one program for all, or reports no engines takes every run', async () => {
    await having('opentofu 1.10.7');
    for (const offered of [{ engines: ['opentofu 1.9.4'], 'any-engine': true }, { engines: [] }, {}]) {
      const agent = await agents.agent(pool, undefined, offered);
      const run = await queued('~> 1.10.0');
      expect((await agent.take()).runId).toBe(run);
      expect((await agent.call('GET', `/agents/${agent.id}`)).body.data.attributes['any-engine']).toBe(true);
    }
  });

  test('engines of another pool count for nothing', async () => {
    const other = await agents.pool('second');
    await agents.agent(other, undefined, { engines: ['opentofu 1.10.7'] });
    const old = await having('opentofu 1.9.4');
    const run = await queued('~> 1.10.0');
    expect((await old.take()).runId).toBe(run);
  });

  test('a run whose constraint no release satisfies is refused at once', async () => {
    const made = await runs.workspace(`w-${++names}`, byAgents(pool));
    const attributes = { 'plan-only': true, 'terraform-version': '~> 99.0' };
    const refused = await runs.create(made, attributes);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      422,
      'No known release of OpenTofu satisfies the version ~> 99.0 of this run. Change the version or the engine of the workspace',
    ]);
    // The release belongs to the other engine.
    const change = (engine: string) =>
      acme.owner.call('PATCH', `/organizations/${acme.name}`, {
        data: { type: 'organizations', attributes: { 'default-engine': engine } },
      });
    await change('terraform');
    const inheriting = await runs.workspace(`w-${++names}`, { ...byAgents(pool), 'engine-version': '~> 1.15.0' });
    await change('opentofu');
    expect((await runs.create(inheriting)).status).toBe(422);
    const listed = await acme.owner.call('GET', `/workspaces/${inheriting}/runs`);
    expect(listed.body.data).toEqual([]);
  });
});
