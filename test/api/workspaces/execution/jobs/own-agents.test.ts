import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents, jobOf } from '../../support/agents.ts';
import { type Caller, startApi, type TestApi } from '../../support/api.ts';
import { created, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';
import { base64, stateText, versionBody } from '../../support/states.ts';

const HOUR = 3_600_000;

describe.each(databaseKinds)('agents of the installation itself on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    api = await startApi(kind, FileBlobs, {}, 'embedded');
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });

  const body = { data: { type: 'agents', attributes: { name: 'embedded', engines: ['opentofu 1.10.7'] } } };
  const issue = () => api.workspaces.execution.ownAgents.issue();
  const registered = async (token = issue()) => {
    const holder = api.holder(token);
    const made = await holder.call('POST', '/agents', body);
    const id = created(made);
    const call: Caller['call'] = (method, path, sent) => holder.call(method, path, sent, { 'agent-id': id });
    const claim = () => call('POST', `/agents/${id}/actions/claim`);
    return { id, token, call, claim, take: async () => jobOf(api, (await claim()).body.data) };
  };

  test('take what workspaces leave to the installation, in every organization, in the order of the queue', async () => {
    const other = runsOf(api, await newOrganization(api));
    const agent = await registered();
    const remote = await runs.workspace('one', { 'execution-mode': 'remote' });
    const inherits = await other.workspace('two');
    const [first, second] = [await runs.run(remote), await other.run(inherits)];
    const job = await agent.take();
    expect(job.runId).toBe(first);
    expect(job.data.attributes).toMatchObject({ organization: acme.name, workspace: { id: remote } });
    expect((await job.start()).status).toBe(204);
    expect(api.lastEvent()).toMatchObject({ actor_kind: 'agent', actor_id: agent.id, actor_run: first });
    expect((await job.finish('finished')).status).toBe(204);
    expect(await runs.statusOf(first)).toBe('planned_and_finished');
    const next = await agent.take();
    expect(next.runId).toBe(second);
    await next.finish('failed');
    expect((await agent.claim()).status).toBe(204);
  });

  test('serve organizations by turns: one with many workspaces does not keep another waiting', async () => {
    const other = runsOf(api, await newOrganization(api));
    const places = [await runs.workspace('a'), await runs.workspace('b'), await runs.workspace('c')];
    const theirs = await other.workspace('d');
    const mine: string[] = [];
    for (const place of places) mine.push(await runs.run(place));
    const late = await other.run(theirs);
    const agent = await registered();
    const order: string[] = [];
    for (let taken = 0; taken < 4; taken++) {
      const job = await agent.take();
      order.push(job.runId);
      await job.finish('failed');
    }
    expect(order).toEqual([mine[0], late, mine[1], mine[2]]);
  });

  test('take no runs of agent pools or of local workspaces; agents of pools take none of theirs', async () => {
    const pools = agentsOf(api, acme);
    const pool = await pools.pool('first');
    const [own, pooled] = [await registered(), await pools.agent(pool)];
    const run = await runs.run(await runs.workspace('one', byAgents(pool)));
    expect((await own.claim()).status).toBe(204);
    const mine = await runs.run(await runs.workspace('two', { 'execution-mode': 'remote' }));
    expect((await pooled.take()).runId).toBe(run);
    expect((await (await pools.agent(pool)).claim()).status).toBe(204);
    const job = await own.take();
    expect(job.runId).toBe(mine);
    await job.finish('failed');
  });

  test('open what the job needs, with its token, and nothing with their own', async () => {
    const workspace = await runs.workspace('one', { 'execution-mode': 'remote' });
    const run = await runs.run(workspace);
    const agent = await registered();
    const job = await agent.take();
    for (const path of [`/workspaces/${workspace}`, `/runs/${run}`, `/organizations/${acme.name}`, `/jobs/${job.id}`]) {
      expect((await agent.call('GET', path)).status, path).toBe(404);
    }
    expect((await job.call('GET', `/jobs/${job.id}`)).status).toBe(200);
    expect((await job.call('GET', `/workspaces/${workspace}`)).status).toBe(404);
    expect((await job.call('GET', `/organizations/${acme.name}`)).status).toBe(404);
    expect((await acme.owner.call('GET', `/agents/${agent.id}`)).status).toBe(404);
    const pool = await agentsOf(api, acme).pool('first');
    expect((await agent.call('POST', `/agent-pools/${pool}/agents`, body)).status).toBe(404);
    const other = await registered();
    expect((await other.call('POST', `/jobs/${job.id}/actions/start`)).status).toBe(404);
    await job.finish('failed');
  });

  test('are in the audit trail of the organization whose run they execute', async () => {
    const workspace = await runs.workspace('one', { 'execution-mode': 'remote' });
    const run = await runs.run(workspace);
    const agent = await registered();
    const plan = await agent.take();
    await plan.start();
    const configuration = plan.data.links.configuration.replace('/api/v2', '');
    expect((await plan.call('GET', configuration)).status).toBe(200);
    await plan.call('PUT', `/plans/${plan.id}/folder`, { of: 'the plan' });
    await plan.finish('finished', { 'has-changes': true });
    await runs.act(run, 'apply');
    const apply = await agent.take();
    await apply.start();
    const ofRun = { run: { data: { type: 'runs', id: run } } };
    const state = versionBody(stateText(1), { serial: 1, state: base64(stateText(1)) }, ofRun);
    const id = created(await apply.call('POST', `/workspaces/${workspace}/state-versions`, state));
    const path = `/organizations/${acme.name}/authentication-token?token=audit-trails`;
    const reader = api.holder((await acme.owner.call('POST', path)).body.data.attributes.token);
    const { data } = (await reader.call('GET', '/organization/audit-trail?page[size]=4')).body;
    const by = { type: 'System', accessor_id: agent.id, description: 'embedded' };
    expect(data.slice(1)).toMatchObject([
      { auth: by, resource: { type: 'state_version', action: 'create', id } },
      { auth: { type: 'Client' }, resource: { type: 'run', action: 'apply', id: run } },
      { auth: by, resource: { type: 'configuration_version', action: 'download', id: configuration.split('/')[2] } },
    ]);
  });

  test('have tokens for an hour; the job goes on under the next one', async () => {
    const agent = await registered();
    const workspace = await runs.workspace('one', { 'execution-mode': 'remote' });
    await runs.run(workspace);
    const job = await agent.take();
    await job.start();
    api.advance(HOUR);
    expect((await agent.claim()).status).toBe(401);
    expect((await job.heartbeat()).status).toBe(200);
    const later = api.holder(issue());
    const busy = { data: { type: 'agents', attributes: { status: 'busy' } } };
    expect((await later.call('PATCH', `/agents/${agent.id}`, busy)).status).toBe(200);
    expect((await job.finish('failed')).status).toBe(204);
  });

  test('that say goodbye, or are silent, leave nothing behind that is locked', async () => {
    const workspace = await runs.workspace('one', { 'execution-mode': 'remote' });
    const run = await runs.run(workspace);
    const agent = await registered();
    const job = await agent.take();
    await job.start();
    const exited = { data: { type: 'agents', attributes: { status: 'exited' } } };
    expect((await agent.call('PATCH', `/agents/${agent.id}`, exited)).status).toBe(200);
    expect(await runs.statusOf(run)).toBe('errored');
    expect((await job.heartbeat()).status).toBe(401);
    const second = await runs.run(workspace);
    const silent = await (await registered()).take();
    await silent.start();
    api.advance(120_001);
    await api.workspaces.execution.runClaims.sweep();
    expect(await runs.statusOf(second)).toBe('errored');
    expect((await runs.place(workspace)).attributes.locked).toBe(false);
  });

  test('are not authenticated by a token that is cut, changed or made up', async () => {
    const [, end = '', hash = ''] = issue().split('.');
    const flipped = `${hash.startsWith('A') ? 'B' : 'A'}${hash.slice(1)}`;
    const spare = `${hash.slice(0, -1)}${String.fromCharCode(hash.charCodeAt(42) + 1)}`;
    const longer = (Number.parseInt(end, 36) + 1).toString(36);
    for (const text of [
      `lkh.${end}.${flipped}`,
      `lkh.${end}.${spare}`,
      `lkh.${longer}.${hash}`,
      `lkh.${end}`,
      'lkh.',
      `lkh..${hash}`,
    ]) {
      expect((await api.holder(text).call('POST', '/agents', body)).status, text).toBe(401);
    }
  });

  test.each(['none', 'agents'] as const)('are not authenticated where the server has none: %s', async (execution) => {
    const plain = await startApi(kind, FileBlobs, {}, execution);
    const token = plain.workspaces.execution.ownAgents.issue();
    expect((await plain.holder(token).call('POST', '/agents', body)).status).toBe(401);
    await plain.close();
  });
});
