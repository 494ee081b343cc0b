import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('the origin of a run, its engine, and why it waits, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let agents: ReturnType<typeof agentsOf>;
  let pool: string;
  beforeAll(async () => {
    api = await startApi(kind, FileBlobs, {}, 'agents');
    acme = await newOrganization(api);
    [runs, agents] = [runsOf(api, acme), agentsOf(api, acme)];
    pool = await agents.pool('racks');
  });
  afterAll(() => api.close());

  const CLOUD = { 'terraform-version': '1.10.7', 'x-terraform-integration': 'cloud', 'user-agent': 'go-tfe' };

  async function started(workspace: string, headers: Record<string, string>) {
    const relationships = { workspace: { data: { type: 'workspaces', id: workspace } } };
    const answer = await acme.owner.call('POST', '/runs', { data: { type: 'runs', relationships } }, headers);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }

  test('is the program that requested it', async () => {
    const workspace = await runs.workspace('origin', byAgents(pool));
    await runs.run(workspace);
    for (const [headers, source, client] of [
      [CLOUD, 'terraform+cloud', 'tofu or terraform 1.10.7'],
      [{ 'user-agent': 'lockkeeper/0.1.0' }, 'lockkeeper-cli', 'lockkeeper 0.1.0'],
      [{ 'sec-fetch-site': 'same-origin' }, 'tfe-ui', null],
      [{}, 'tfe-api', null],
    ] as const) {
      const { id, attributes } = await started(workspace, headers);
      expect(attributes).toMatchObject({ source, client, 'trigger-reason': 'manual', 'engine-used': null });
      const listed = await acme.owner.call(
        'GET',
        `/workspaces/${workspace}/runs?filter[source]=${encodeURIComponent(source)}`,
      );
      expect(listed.body.data.map((run: { id: string }) => run.id)).toContain(id);
    }
    const path = `/workspaces/${workspace}/configuration-versions`;
    const version = await acme.owner.call('POST', path, { data: { type: 'configuration-versions' } }, CLOUD);
    expect(version.body.data.attributes.source).toBe('terraform+cloud');
  });

  test('an engine that the agent did not use as requested is a warning', async () => {
    for (const [name, version, used, warning] of [
      ['pinned', '1.9.0', '1.11.0', /^The workspace asks for OpenTofu 1\.9\.0, but the agent used OpenTofu 1\.11\.0: /],
      ['range', '~> 1.9.0', '1.9.1', null],
      ['newest', 'latest', '1.11.0', null],
    ] as const) {
      const own = await agents.pool(name);
      const workspace = await runs.workspace(name, { ...byAgents(own), engine: 'opentofu', 'engine-version': version });
      const run = await runs.run(workspace);
      const job = await (await agents.agent(own)).take();
      await job.start();
      await job.finish('finished', { 'has-changes': false, engine: { kind: 'opentofu', version: used } });
      const { attributes } = await runs.show(run);
      expect(attributes['engine-used']).toBe(`OpenTofu ${used}`);
      if (warning === null) expect(attributes['engine-warning']).toBeNull();
      else expect(attributes['engine-warning']).toMatch(warning);
    }
  });

  test('a run that no agent can ever execute is refused with the reason', async () => {
    const workspace = await runs.workspace('remote', { 'execution-mode': 'remote' });
    const relationships = { workspace: { data: { type: 'workspaces', id: workspace } } };
    const refused = await acme.owner.call('POST', '/runs', { data: { type: 'runs', relationships } });
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].detail).toContain('this server has no agents of its own');
  });

  test('a run whose pool has no agent says so in its log at once; the log of the agent follows', async () => {
    const empty = await agents.pool('empty');
    const workspace = await runs.workspace('waits', byAgents(empty));
    const run = await runs.run(workspace);
    const logOf = async () => {
      const { relationships } = await runs.show(run);
      const plan = await acme.owner.call('GET', `/plans/${relationships.plan.data.id}`);
      const url = new URL(plan.body.data.attributes['log-read-url']);
      return (await api.app.inject(`${url.pathname}${url.search}`)).rawPayload.toString();
    };
    const waiting = await logOf();
    expect(waiting).toContain('Waiting: No agent of pool empty is connected: none has ever registered');
    expect(waiting).toContain('The run starts when an agent connects.\n');
    expect((await runs.show(run)).attributes['without-agent']).toBe(false);
    api.advance(31_000);
    await api.workspaces.execution.runReconciler.sweep();
    expect((await runs.show(run)).attributes['without-agent']).toBe(true);
    const job = await (await agents.agent(empty)).take();
    expect((await runs.show(run)).attributes['without-agent']).toBe(false);
    await job.start();
    expect((await job.log(0, 'planned\n')).status).toBe(200);
    await job.finish('finished', { 'has-changes': false });
    expect(await logOf()).toContain('connects.\nplanned\n\u0003');
    const served = await runs.run(workspace);
    expect((await runs.show(served)).attributes['waiting-for']).toBeNull();
    const { relationships } = await runs.show(served);
    const plan = await acme.owner.call('GET', `/plans/${relationships.plan.data.id}`);
    expect(plan.body.data.attributes['log-bytes']).toBe(0);
  });
});
