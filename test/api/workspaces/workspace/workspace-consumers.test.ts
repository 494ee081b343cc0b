import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

describe.each(databaseKinds)('remote state consumers on %s (§4.9)', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let ids: Record<string, string>;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  async function begin(names = ['a', 'b', 'c', 'producer', 'x']): Promise<void> {
    acme = await newOrganization(api);
    ids = {};
    for (const name of names) ids[name] = await acme.workspace(name);
  }
  const path = (query = '') => `/workspaces/${ids.producer}/relationships/remote-state-consumers${query}`;
  const change = (method: string, ...names: string[]) => send(acme.owner, method, names);
  const send = (caller: Pick<Caller, 'call'>, method: string, names: readonly string[]) =>
    caller.call(method, path(), { data: names.map((name) => ({ type: 'workspaces', id: ids[name] ?? name })) });
  const list = (query = ''): Promise<Answer> => acme.owner.call('GET', path(query));
  const set = (attributes: object) =>
    acme.owner.call('PATCH', `/workspaces/${ids.producer}`, workspaceBody(attributes));

  test('they are added, removed and replaced; existing or missing ones are ignored', async () => {
    await begin();
    expect((await change('POST', 'b', 'a')).status).toBe(204);
    expect((await change('POST', 'c', 'a')).status).toBe(204);
    expect(namesOf(await list())).toEqual(['a', 'b', 'c']);
    expect((await change('DELETE', 'a', 'x')).status).toBe(204);
    expect(namesOf(await list())).toEqual(['b', 'c']);
    expect((await change('PATCH', 'a', 'c')).status).toBe(204);
    expect(namesOf(await list())).toEqual(['a', 'c']);
    expect((await change('PATCH')).status).toBe(204);
    expect((await list()).body.meta.pagination['total-count']).toBe(0);
  });

  test('the list has full documents, page by page', async () => {
    await begin();
    await change('POST', 'a', 'b', 'c');
    const first = await list('?page[size]=2');
    expect(namesOf(first)).toEqual(['a', 'b']);
    expect(first.body.meta.pagination).toMatchObject({ 'total-count': 3, 'total-pages': 2 });
    expect(first.body.data[0]).toEqual((await acme.owner.call('GET', `/workspaces/${ids.a}`)).body.data);
    expect(namesOf(await list('?page[size]=2&page[number]=2'))).toEqual(['c']);
    expect((await list('?page[number]=999')).body).toMatchObject({
      data: [],
      meta: { pagination: { 'total-count': 3 } },
    });
  });

  test('sharing changes no shown field of either workspace', async () => {
    await begin();
    const before = await Promise.all(
      ['producer', 'a'].map((name) => acme.owner.call('GET', `/workspaces/${ids[name]}`)),
    );
    api.advance(60_000);
    await change('POST', 'a');
    const after = await Promise.all(
      ['producer', 'a'].map((name) => acme.owner.call('GET', `/workspaces/${ids[name]}`)),
    );
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });

  test('the workspace itself, an unknown one and a foreign one are refused with a pointer', async () => {
    await begin();
    const foreign = await (await newOrganization(api)).workspace('foreign');
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const refused = await change(method, 'a', 'producer', 'ws-none', foreign);
      expect(refused.status).toBe(422);
      expect(issuesOf(refused)).toEqual([
        '/data/1/id: A workspace cannot be a consumer of itself',
        '/data/2/id: Workspace not found',
        '/data/3/id: Workspace not found',
      ]);
    }
    expect(namesOf(await list())).toEqual([]);
    expect((await acme.owner.call('POST', path(), { data: [{ type: 'runs', id: 'x' }] })).status).toBe(422);
    expect((await acme.owner.call('POST', path(), {})).status).toBe(422);
  });

  test('with the whole organization: every other workspace, whichever page it would be on, and none can be chosen', async () => {
    await begin();
    await change('POST', 'x');
    await set({ 'global-remote-state': true });
    expect(namesOf(await list())).toEqual(['a', 'b', 'c', 'x']);
    const pages = [];
    for (const number of [1, 2, 3, 4, 5]) pages.push(namesOf(await list(`?page[size]=1&page[number]=${number}`)));
    expect(pages).toEqual([['a'], ['b'], ['c'], ['x'], []]);
    const pairs = [];
    for (const number of [1, 2, 3]) pairs.push(namesOf(await list(`?page[size]=2&page[number]=${number}`)));
    expect(pairs).toEqual([['a', 'b'], ['c', 'x'], []]);
    expect((await list()).body.meta.pagination['total-count']).toBe(4);
    expect(namesOf(await list('?show_only_configured=true'))).toEqual(['x']);
    expect((await change('POST', 'a')).status).toBe(422);
  });

  test('with the project: every other workspace in it', async () => {
    await begin();
    const project = await acme.project('Shared');
    const moved = {
      data: { type: 'workspaces', relationships: { project: { data: { type: 'projects', id: project } } } },
    };
    for (const name of ['producer', 'b']) await acme.owner.call('PATCH', `/workspaces/${ids[name]}`, moved);
    await change('POST', 'a', 'b');
    await set({ 'project-remote-state': true });
    const shared = await list();
    expect(namesOf(shared)).toEqual(['b']);
    expect(shared.body.meta.pagination['total-count']).toBe(1);
    await set({ 'project-remote-state': false });
    expect(namesOf(await list())).toEqual(['a', 'b']);
  });

  test('a consumer that is renamed or deleted is listed as it is, or not at all', async () => {
    await begin();
    await change('POST', 'a', 'b', 'c');
    await acme.owner.call('PATCH', `/workspaces/${ids.a}`, workspaceBody({ name: 'z' }));
    await acme.owner.call('DELETE', `/workspaces/${ids.b}`);
    expect(namesOf(await list())).toEqual(['c', 'z']);
    expect((await list()).body.meta.pagination['total-count']).toBe(2);
  });

  test('§5.6: replacing requires permission to manage all workspaces; a team sees and adds only workspaces it may read', async () => {
    await begin();
    await change('POST', 'a', 'b');
    const team = await acme.team('admins');
    const grant = async (name: string, access: string) => {
      const relationships = {
        team: { data: { type: 'teams', id: team } },
        workspace: { data: { type: 'workspaces', id: ids[name] } },
      };
      const body = { data: { type: 'team-workspaces', attributes: { access }, relationships } };
      expect((await acme.owner.call('POST', '/team-workspaces', body)).status).toBe(201);
    };
    await grant('producer', 'admin');
    await grant('a', 'read');
    const { name, owner } = acme;
    const identity = { data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${name}/rsc` } } };
    await owner.call('POST', `/teams/${team}/machine-identities`, identity);
    const member = api.machine({ role: `${name}/rsc` });

    const seen = await member.call('GET', path());
    expect(namesOf(seen)).toEqual(['a']);
    expect(seen.body.meta.pagination['total-count']).toBe(1);
    expect((await send(member, 'DELETE', ['a'])).status).toBe(204);
    expect((await send(member, 'POST', ['a'])).status).toBe(204);
    expect((await send(member, 'POST', ['c'])).status).toBe(422);
    expect((await send(member, 'PATCH', ['a'])).status).toBe(404);
    expect(namesOf(await list())).toEqual(['a', 'b']);
  });
});
