import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

const selectTokens = sql<Record<string, never>, { hash: Uint8Array }>('SELECT hash FROM agent_token');

describe.each(databaseKinds)('agent pools on %s (facts §6.7)', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const body = (attributes: object, relationships = {}) => ({
    data: { type: 'agent-pools', attributes, relationships },
  });
  const path = (query = '') => `/organizations/${acme.name}/agent-pools${query}`;
  const refs = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) });
  async function create(name: string, attributes = {}, relationships = {}): Promise<string> {
    const made = await acme.owner.call('POST', path(), body({ name, ...attributes }, relationships));
    expect(made.status, made.text).toBe(201);
    return made.body.data.id;
  }

  test('a pool is made, shown, listed, changed and deleted', async () => {
    acme = await newOrganization(api);
    const made = await acme.owner.call('POST', path(), body({ name: 'first' }));
    const { id } = made.body.data;
    const self = `/api/v2/agent-pools/${id}`;
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^apool-[1-9A-Za-z]{16}$/),
      type: 'agent-pools',
      attributes: {
        name: 'first',
        'created-at': new Date(api.now()).toISOString(),
        'organization-scoped': true,
        'agent-count': 0,
      },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        agents: { links: { related: `${self}/agents` } },
        'authentication-tokens': { links: { related: `${self}/authentication-tokens` } },
        workspaces: { data: [] },
        'allowed-workspaces': { data: [] },
        'excluded-workspaces': { data: [] },
        'allowed-projects': { data: [] },
      },
      links: { self },
    });
    expect((await acme.owner.call('GET', `/agent-pools/${id}`)).body.data).toEqual(made.body.data);
    expect((await acme.owner.call('GET', path())).body.data).toEqual([made.body.data]);
    expect((await acme.owner.call('GET', `/agent-pools/${id}/agents`)).body.data).toEqual([]);
    const changed = await acme.owner.call('PATCH', `/agent-pools/${id}`, body({ 'organization-scoped': false }));
    expect(changed.body.data.attributes).toMatchObject({ name: 'first', 'organization-scoped': false });
    expect((await acme.owner.call('DELETE', `/agent-pools/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect((await acme.owner.call(method, `/agent-pools/${id}`)).status).toBe(404);
    }
  });

  test('the scope of a pool is replaced by given lists, cleared by empty ones, and kept if it is omitted', async () => {
    acme = await newOrganization(api);
    const [one, two] = [await acme.workspace('one'), await acme.workspace('two')];
    const project = await acme.project('Net');
    const id = await create(
      'scoped',
      { 'organization-scoped': false },
      {
        'allowed-workspaces': refs('workspaces', one),
        'allowed-projects': refs('projects', project),
        'excluded-workspaces': refs('workspaces', two),
      },
    );
    const patch = async (attributes: object, relationships = {}) =>
      (await acme.owner.call('PATCH', `/agent-pools/${id}`, body(attributes, relationships))).body.data.relationships;
    const kept = await patch({ name: 'renamed' });
    expect(kept['allowed-workspaces']).toEqual(refs('workspaces', one));
    expect(kept['allowed-projects']).toEqual(refs('projects', project));
    expect(kept['excluded-workspaces']).toEqual(refs('workspaces', two));
    expect(
      (await patch({}, { 'allowed-workspaces': refs('workspaces', two, one, two) }))['allowed-workspaces'],
    ).toEqual(refs('workspaces', one, two));
    const emptied = await patch({}, { 'allowed-workspaces': refs('workspaces'), 'allowed-projects': refs('projects') });
    expect(emptied['allowed-workspaces']).toEqual({ data: [] });
    expect(emptied['allowed-projects']).toEqual({ data: [] });
    expect(emptied['excluded-workspaces']).toEqual(refs('workspaces', two));
  });

  test('an unknown reference, or a name that is taken or empty, gets an error with its pointer', async () => {
    acme = await newOrganization(api);
    await create('taken');
    const foreign = await (await newOrganization(api)).workspace('foreign');
    const answers = [
      await acme.owner.call('POST', path(), body({ name: 'taken' })),
      await acme.owner.call('POST', path(), body({ name: ' ' })),
      await acme.owner.call('POST', path(), body({ name: 'a' }, { 'allowed-workspaces': refs('workspaces', foreign) })),
      await acme.owner.call('POST', path(), body({ name: 'b' }, { 'allowed-projects': refs('projects', 'prj-none') })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(answers.flatMap(issuesOf)).toEqual([
      '/data/attributes/name: Name has already been taken',
      "/data/attributes/name: Name can't be blank",
      '/data/relationships/allowed-workspaces/data/0: Workspace not found',
      '/data/relationships/allowed-projects/data/0: Project not found',
    ]);
    expect(namesOf(await acme.owner.call('GET', path()))).toEqual(['taken']);
  });

  test('lists are narrowed by name, and by who may use a pool, and sorted', async () => {
    acme = await newOrganization(api);
    const [one, two] = [await acme.workspace('one'), await acme.workspace('two')];
    const project = await acme.project('Net');
    await create('c-everybody');
    api.advance(1000);
    await create('a-one', { 'organization-scoped': false }, { 'allowed-workspaces': refs('workspaces', one) });
    api.advance(1000);
    await create('b-two', {}, { 'excluded-workspaces': refs('workspaces', two) });
    api.advance(1000);
    await create('d-net', { 'organization-scoped': false }, { 'allowed-projects': refs('projects', project) });
    const names = async (query: string) => namesOf(await acme.owner.call('GET', path(query)));
    expect(await names('')).toEqual(['c-everybody', 'a-one', 'b-two', 'd-net']);
    expect(await names('?sort=-created-at')).toEqual(['d-net', 'b-two', 'a-one', 'c-everybody']);
    expect(await names('?sort=name')).toEqual(['a-one', 'b-two', 'c-everybody', 'd-net']);
    expect(await names('?q=EVERY')).toEqual(['c-everybody']);
    expect(await names('?q=none')).toEqual([]);
    expect(await names('?filter[allowed_workspaces][name]=one')).toEqual(['c-everybody', 'a-one', 'b-two']);
    expect(await names('?filter[allowed_workspaces][name]=two')).toEqual(['c-everybody']);
    expect(await names('?filter[allowed_projects][name]=Net')).toEqual(['c-everybody', 'b-two', 'd-net']);
    expect(await names('?page[number]=999')).toEqual([]);
  });

  test('the workspaces that have it are pointed at, and included in full; an unknown include is a 400', async () => {
    acme = await newOrganization(api);
    const id = await create('used');
    const workspace = await acme.workspace('uses', { 'execution-mode': 'agent', 'agent-pool-id': id });
    const shown = await acme.owner.call('GET', `/agent-pools/${id}?include=workspaces`);
    expect(shown.body.data.relationships.workspaces).toEqual(refs('workspaces', workspace));
    expect(shown.body.included).toEqual([(await acme.owner.call('GET', `/workspaces/${workspace}`)).body.data]);
    const listed = await acme.owner.call('GET', path('?include=workspaces'));
    expect(listed.body.included).toEqual(shown.body.included);
    const unknown = await acme.owner.call('GET', path('?include=agents_of_chaos'));
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('include parameter');
  });

  test('a pool that a workspace has, or would inherit, is not deleted', async () => {
    acme = await newOrganization(api);
    const [used, byDefault] = [await create('used'), await create('by-default')];
    const workspace = await acme.workspace('uses', { 'execution-mode': 'agent', 'agent-pool-id': used });
    await acme.owner.call('PATCH', `/organizations/${acme.name}`, {
      data: {
        type: 'organizations',
        attributes: { 'default-execution-mode': 'agent' },
        relationships: { 'default-agent-pool': { data: { type: 'agent-pools', id: byDefault } } },
      },
    });
    for (const id of [used, byDefault]) {
      expect((await acme.owner.call('DELETE', `/agent-pools/${id}`)).status).toBe(409);
    }
    await acme.owner.call('DELETE', `/workspaces/${workspace}`);
    expect((await acme.owner.call('DELETE', `/agent-pools/${used}`)).status).toBe(204);
  });

  test('tokens are shown once, kept as a hash, listed and deleted, and show no organization', async () => {
    acme = await newOrganization(api);
    const pool = await create('tokens');
    const tokens = `/agent-pools/${pool}/authentication-tokens`;
    const token = (type: string, description: string) => ({ data: { type, attributes: { description } } });
    const made = await acme.owner.call('POST', tokens, token('agent-tokens', 'rack 7'));
    expect(made.status, made.text).toBe(201);
    const { id, attributes, relationships } = made.body.data;
    expect(attributes.token).toMatch(/^lka\.[1-9A-Za-z]{16}\.[1-9A-Za-z]{32}$/);
    expect(relationships['created-by'].data).toEqual({ type: 'users', id: acme.owner.id });
    expect((await acme.owner.call('POST', tokens, token('authentication-tokens', 'second'))).status).toBe(201);
    expect((await acme.owner.call('POST', tokens, token('agent-tokens', ' '))).status).toBe(422);

    const listed = await acme.owner.call('GET', tokens);
    expect(listed.body.meta.pagination).toMatchObject({ 'current-page': 1, 'total-count': 2 });
    const shown = await acme.owner.call('GET', `/authentication-tokens/${id}`);
    expect(shown.body.data).toEqual({ ...made.body.data, attributes: { ...attributes, token: null } });
    expect(listed.body.data).toContainEqual(shown.body.data);
    for (const { hash } of await api.workspaces.database.all(selectTokens, {})) {
      expect(Buffer.from(hash).toString('latin1')).not.toContain(attributes.token);
    }

    const { agentTokens } = api.workspaces.execution;
    expect(await agentTokens.admit(attributes.token, '')).toMatchObject({
      holder: { tokenId: id },
      agentPoolId: pool,
    });
    const forged = `${attributes.token.slice(0, -1)}${attributes.token.endsWith('1') ? '2' : '1'}`;
    expect(await agentTokens.admit(forged, '')).toBeUndefined();
    expect(await agentTokens.admit(acme.owner.token, '')).toBeUndefined();
    const asAgent = { authorization: `Bearer ${attributes.token}` };
    expect((await api.nobody().call('GET', '/organizations', undefined, asAgent)).body.data).toEqual([]);
    expect((await acme.owner.call('GET', `/authentication-tokens/${id}`)).body.data.attributes['last-used-at']).toBe(
      new Date(api.now()).toISOString(),
    );

    const manager = await acme.machine('manager', { 'manage-workspaces': true });
    expect((await manager.call('GET', `/authentication-tokens/${id}`)).status).toBe(404);
    expect((await manager.call('DELETE', `/authentication-tokens/${id}`)).status).toBe(404);
    expect((await acme.owner.call('DELETE', `/authentication-tokens/${id}`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/authentication-tokens/${id}`)).status).toBe(404);
    expect(await agentTokens.admit(attributes.token, '')).toBeUndefined();
  });

  test('pools are managed by users with permission to manage them, and readable by users who assign them to workspaces', async () => {
    acme = await newOrganization(api);
    const id = await create('ruled');
    const pools = await acme.machine('pools', { 'manage-agent-pools': true });
    const manager = await acme.machine('workspaces', { 'manage-workspaces': true });
    const reader = await acme.machine('reads', { 'read-workspaces': true });
    expect((await pools.call('PATCH', `/agent-pools/${id}`, body({ name: 'theirs' }))).status).toBe(200);
    expect(namesOf(await manager.call('GET', path()))).toEqual(['theirs']);
    expect((await manager.call('GET', `/agent-pools/${id}`)).status).toBe(200);
    expect((await manager.call('PATCH', `/agent-pools/${id}`, body({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('POST', path(), body({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('GET', `/agent-pools/${id}/authentication-tokens`)).status).toBe(404);
    expect((await reader.call('GET', path())).status).toBe(404);
    expect((await reader.call('GET', `/agent-pools/${id}`)).status).toBe(404);
  });
});
