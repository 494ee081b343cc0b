import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('run triggers on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const newWorkspace = (attributes = {}) => acme.workspace(`t-${++names}`, attributes);
  const create = (workspace: string, source: string, caller: Pick<typeof acme.owner, 'call'> = acme.owner) => {
    api.advance(1);
    const sourceable = { data: { type: 'workspaces', id: source } };
    const body = { data: { type: 'run-triggers', relationships: { sourceable } } };
    return caller.call('POST', `/workspaces/${workspace}/run-triggers`, body);
  };
  const list = (workspace: string, type: string, query = '', caller: Pick<typeof acme.owner, 'call'> = acme.owner) =>
    caller.call('GET', `/workspaces/${workspace}/run-triggers?filter[run-trigger][type]=${type}${query}`);

  test('§6.12 a trigger is shown at both workspaces as it was created', async () => {
    const [workspace, source] = [await newWorkspace(), await newWorkspace()];
    const created = await create(workspace, source);
    expect(created.status, created.text).toBe(201);
    const { data } = created.body;
    expect(data.attributes).toMatchObject({ 'workspace-name': `t-${names - 1}`, 'sourceable-name': `t-${names}` });
    expect(data.relationships.sourceable.data).toEqual({ type: 'workspaces', id: source });
    expect(data.relationships.workspace.data).toEqual({ type: 'workspaces', id: workspace });
    expect((await acme.owner.call('GET', `/run-triggers/${data.id}`)).body.data).toEqual(data);
    const inbound = await list(workspace, 'inbound', '&include=sourceable');
    expect(inbound.body.data).toEqual([data]);
    expect(inbound.body.included).toMatchObject([{ type: 'workspaces', id: source }]);
    expect((await list(source, 'outbound')).body.data).toEqual([data]);
    expect((await list(source, 'inbound')).body.data).toEqual([]);
    const beyond = await list(workspace, 'inbound', '&page[number]=999');
    expect(beyond.body).toMatchObject({ data: [], meta: { pagination: { 'current-page': 999, 'total-count': 1 } } });
    const both = await acme.owner.call('GET', `/run-triggers/${data.id}?include=workspace,sourceable`);
    expect(both.body.included.map(({ id }: { id: string }) => id).toSorted()).toEqual([workspace, source].toSorted());

    expect((await acme.owner.call('DELETE', `/run-triggers/${data.id}`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/run-triggers/${data.id}`)).status).toBe(404);
    expect((await acme.owner.call('DELETE', `/run-triggers/${data.id}`)).status).toBe(404);
  });

  test('§6.12 the direction has to be given', async () => {
    const workspace = await newWorkspace();
    expect((await acme.owner.call('GET', `/workspaces/${workspace}/run-triggers`)).status).toBe(400);
    expect((await list(workspace, 'oubound')).status).toBe(400);
    expect((await list(workspace, 'inbound', '&include=nonsense')).status).toBe(400);
  });

  test('§6.12 a source is another workspace of the organization, once', async () => {
    const [workspace, source] = [await newWorkspace(), await newWorkspace()];
    const other = await (await newOrganization(api)).workspace('elsewhere');
    await create(workspace, source);
    for (const bad of [workspace, source, other, 'ws-nothing']) {
      const answer = await create(workspace, bad);
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)[0]).toContain('/data/relationships/sourceable:');
    }
    const body = { data: { type: 'run-triggers', relationships: {} } };
    expect((await acme.owner.call('POST', `/workspaces/${workspace}/run-triggers`, body)).status).toBe(422);
    expect((await list(workspace, 'inbound')).body.data).toHaveLength(1);
  });

  test('§6.12 at most twenty workspaces start the runs of one', async () => {
    const workspace = await newWorkspace();
    const sources = await Promise.all(Array.from({ length: 21 }, () => newWorkspace()));
    for (const source of sources.slice(0, 20)) expect((await create(workspace, source)).status).toBe(201);
    expect((await create(workspace, sources[20] ?? '')).status).toBe(422);
  });

  test('§6.12 administrators of the workspace manage its triggers; others see those with workspaces that they may see', async () => {
    const [workspace, source] = [await newWorkspace(), await newWorkspace()];
    const { id } = (await create(workspace, source)).body.data;
    const stranger = await api.user(`stranger-${++names}`);
    const reader = await acme.machine(`reader-${names}`, { 'read-workspaces': true });
    expect((await stranger.call('GET', `/run-triggers/${id}`)).status).toBe(404);
    expect((await list(workspace, 'inbound', '', stranger)).status).toBe(404);
    expect((await reader.call('GET', `/run-triggers/${id}`)).status).toBe(200);
    expect((await create(workspace, await newWorkspace(), reader)).status).toBe(404);
    expect((await reader.call('DELETE', `/run-triggers/${id}`)).status).toBe(404);
  });

  test('§6.12 a run that is applied starts those that hang on it', async () => {
    const source = await runs.workspace(`t-${++names}`);
    // The auto-apply setting for runs of users does not apply to triggered runs.
    const waiting = await runs.workspace(`t-${++names}`, { 'auto-apply': true });
    const automatic = await runs.workspace(`t-${++names}`, { 'auto-apply-run-trigger': true });
    const bare = await newWorkspace();
    for (const workspace of [waiting, automatic, bare]) await create(workspace, source);
    const run = await runs.run(source);
    await runs.through(run, 'planning', 'planned');
    const runsIn = async (workspace: string) =>
      (await acme.owner.call('GET', `/workspaces/${workspace}/runs`)).body.data;
    expect(await runsIn(waiting)).toEqual([]);
    await runs.act(run, 'apply');
    await runs.through(run, 'applying', 'applied');
    for (const [workspace, autoApply] of [
      [waiting, false],
      [automatic, true],
    ] as const) {
      const [started, ...more] = await runsIn(workspace);
      expect(more).toEqual([]);
      expect(started.attributes).toMatchObject({
        source: 'tfe-run-trigger',
        'trigger-reason': 'triggered',
        'auto-apply': autoApply,
        status: 'plan_queued',
      });
      expect(started.attributes.message).toContain(run);
    }
    expect(await runsIn(bare)).toEqual([]);
  });

  test('§6.12 a trigger is deleted with either of its workspaces', async () => {
    const [workspace, source] = [await newWorkspace(), await newWorkspace()];
    const { id } = (await create(workspace, source)).body.data;
    await acme.owner.call('DELETE', `/workspaces/${source}`);
    expect((await acme.owner.call('GET', `/run-triggers/${id}`)).status).toBe(404);
    expect((await list(workspace, 'inbound')).body.data).toEqual([]);
  });
});
