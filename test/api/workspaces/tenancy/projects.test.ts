import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization } from '../support/organization.ts';

const projectBody = (attributes: object, relationships: object = {}) => ({
  data: { type: 'projects', attributes, relationships },
});
const tagged = (...pairs: (readonly [string, string?])[]) => ({
  data: pairs.map(([key, value = '']) => ({ type: 'tag-bindings', attributes: { key, value } })),
});
const pairsOf = (answer: Answer) =>
  answer.body.data.map(({ attributes }: { attributes: { key: string; value: string } }) => [
    attributes.key,
    attributes.value,
  ]);
const workspaces = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'workspaces', id })) });

describe.each(databaseKinds)('projects on %s (facts §6.2)', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('projects are made, found by name and shown', async () => {
    const { name, owner, defaultProjectId } = await newOrganization(api);
    const path = `/organizations/${name}/projects`;
    api.advance(1000);
    const made = await owner.call('POST', path, projectBody({ name: 'Core Network', description: 'routers' }));
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      name: 'Core Network',
      description: 'routers',
      'workspace-count': 0,
      'team-count': 0,
      'auto-destroy-activity-duration': null,
      'default-execution-mode': 'remote',
      'setting-overwrites': { 'default-execution-mode': false, 'default-agent-pool': false },
    });
    expect(made.body.data.relationships.organization.data).toEqual({ type: 'organizations', id: name });
    expect((await owner.call('GET', `/projects/${made.body.data.id}`)).body).toEqual(made.body);

    expect(namesOf(await owner.call('GET', `${path}?sort=name`))).toEqual(['Core Network', 'Default Project']);
    expect(namesOf(await owner.call('GET', `${path}?sort=-name`))).toEqual(['Default Project', 'Core Network']);
    api.advance(1000);
    await owner.call('POST', path, projectBody({ name: 'Newest' }));
    expect(namesOf(await owner.call('GET', path)), 'the default first').toEqual([
      'Default Project',
      'Newest',
      'Core Network',
    ]);
    const including = await owner.call('GET', `${path}?include=organization`);
    expect(namesOf(including), 'the newest first, as a client expects it').toEqual([
      'Newest',
      'Core Network',
      'Default Project',
    ]);
    const named = await owner.call('GET', `${path}?filter[names]=core%20network,none`);
    expect(named.body.data).toEqual([made.body.data]);
    expect(named.body.data[0].id).not.toBe(defaultProjectId);
    expect(namesOf(await owner.call('GET', `${path}?q=NETW`))).toEqual(['Core Network']);
    expect(namesOf(await owner.call('GET', `${path}?q=%25`))).toEqual([]);
  });

  test.each(['ab', ' abc', 'abc ', 'a/b/c', '! / nope', 'x'.repeat(41), 'zürich'])(
    'a project cannot have the name %j, at creation and later',
    async (projectName) => {
      const { name, owner, defaultProjectId } = await newOrganization(api);
      const body = projectBody({ name: projectName });
      for (const answer of [
        await owner.call('POST', `/organizations/${name}/projects`, body),
        await owner.call('PATCH', `/projects/${defaultProjectId}`, body),
      ]) {
        expect(answer.status).toBe(422);
        expect(answer.body.errors).toMatchObject([
          { title: 'invalid attribute', source: { pointer: '/data/attributes/name' } },
        ]);
        expect(answer.body.errors[0].detail).toMatch(/^Name may only contain/);
      }
    },
  );

  test('a project name is unique in an organization', async () => {
    const { name, owner, project, defaultProjectId } = await newOrganization(api);
    await project('Twice');
    const taken = ['/data/attributes/name: Name has already been taken'];
    const body = projectBody({ name: 'Twice' });
    expect(issuesOf(await owner.call('POST', `/organizations/${name}/projects`, body))).toEqual(taken);
    expect(issuesOf(await owner.call('PATCH', `/projects/${defaultProjectId}`, body))).toEqual(taken);
  });

  test('PATCH changes the given attributes, null clears, and omitted ones stay', async () => {
    const { owner, project } = await newOrganization(api);
    const id = await project('Before');
    const given = { name: 'After', description: 'd', 'auto-destroy-activity-duration': '14d' };
    const changed = await owner.call('PATCH', `/projects/${id}`, projectBody(given));
    expect(changed.body.data.attributes).toMatchObject(given);
    const empty = await owner.call('PATCH', `/projects/${id}`, { data: { type: 'projects' } });
    expect(empty.body).toEqual(changed.body);
    const cleared = { description: null, 'auto-destroy-activity-duration': null };
    const nulls = await owner.call('PATCH', `/projects/${id}`, projectBody(cleared));
    expect(nulls.body.data.attributes).toMatchObject({ name: 'After', ...cleared });
    for (const wrong of ['20m', 'bar', '0d', '12345h', '']) {
      const body = projectBody({ name: 'Never', 'auto-destroy-activity-duration': wrong });
      const refused = await owner.call('PATCH', `/projects/${id}`, body);
      expect(issuesOf(refused)).toEqual([
        '/data/attributes/auto-destroy-activity-duration: Auto destroy activity duration has an incorrect format, ' +
          "we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
      ]);
    }
    expect((await owner.call('GET', `/projects/${id}`)).body).toEqual(nulls.body);
  });

  test('a mode of its own is overwritten, false gives the organization’s back', async () => {
    const { name, owner } = await newOrganization(api, { 'default-execution-mode': 'local' });
    const path = `/organizations/${name}/projects`;
    const made = await owner.call('POST', path, projectBody({ name: 'Own', 'default-execution-mode': 'remote' }));
    expect(made.body.data.attributes).toMatchObject({
      'default-execution-mode': 'remote',
      'setting-overwrites': { 'default-execution-mode': true, 'default-agent-pool': true },
    });
    const inherit = { 'setting-overwrites': { 'default-execution-mode': false, 'default-agent-pool': false } };
    const given = { 'default-execution-mode': 'remote', ...inherit };
    const back = await owner.call('PATCH', `/projects/${made.body.data.id}`, projectBody(given));
    expect(back.body.data.attributes).toMatchObject({ 'default-execution-mode': 'local', ...inherit });
    await owner.call('PATCH', `/organizations/${name}`, {
      data: { type: 'organizations', attributes: { 'default-execution-mode': 'remote' } },
    });
    const followed = await owner.call('GET', `/projects/${made.body.data.id}`);
    expect(followed.body.data.attributes['default-execution-mode']).toBe('remote');
  });

  test.each([
    [{ 'default-execution-mode': 'agent' }, "must be specified when using 'agent' execution mode"],
    [
      { 'default-execution-mode': 'remote', 'default-agent-pool-id': 'apool-1' },
      "must not be specified unless using 'agent' execution mode",
    ],
    [{ 'default-execution-mode': 'agent', 'default-agent-pool-id': 'apool-1' }, 'Default agent pool not found'],
    [
      { 'setting-overwrites': { 'default-execution-mode': true, 'default-agent-pool': false } },
      'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.',
    ],
    [
      { 'setting-overwrites': { 'default-execution-mode': true } },
      'Default execution mode must be specified when it overwrites the default',
    ],
  ])('%j is refused', async (attributes, detail) => {
    const { name, owner } = await newOrganization(api);
    const body = projectBody({ name: 'Never', ...attributes });
    const answer = await owner.call('POST', `/organizations/${name}/projects`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].detail).toContain(detail);
    expect(namesOf(await owner.call('GET', `/organizations/${name}/projects`))).toEqual(['Default Project']);
  });

  test('tags are given with the project, added to, and replaced', async () => {
    const { name, owner } = await newOrganization(api);
    const bindings = { 'tag-bindings': tagged(['env', 'prod'], ['team', 'a']) };
    const made = await owner.call('POST', `/organizations/${name}/projects`, projectBody({ name: 'Tagged' }, bindings));
    expect(made.status).toBe(201);
    const path = `/projects/${made.body.data.id}`;
    expect(pairsOf(await owner.call('GET', `${path}/tag-bindings`))).toEqual([
      ['env', 'prod'],
      ['team', 'a'],
    ]);
    const added = await owner.call('PATCH', `${path}/tag-bindings`, tagged(['zone', '1'], ['env', 'test']));
    expect(added.status).toBe(200);
    expect(pairsOf(added)).toEqual([
      ['zone', '1'],
      ['env', 'test'],
      ['team', 'a'],
    ]);
    expect((await owner.call('PATCH', path, projectBody({}, { 'tag-bindings': tagged(['only']) }))).status).toBe(200);
    expect(pairsOf(await owner.call('GET', `${path}/relationships/tag-bindings`))).toEqual([['only', '']]);
    expect((await owner.call('POST', `${path}/relationships/tag-bindings`, tagged(['more']))).status).toBe(204);
    const effective = await owner.call('GET', `${path}/effective-tag-bindings`);
    expect(Object.keys(effective.body.data[0]).toSorted(), 'no id (§2.5)').toEqual(['attributes', 'type']);
    expect(pairsOf(effective)).toEqual([
      ['more', ''],
      ['only', ''],
    ]);
    expect((await owner.call('PATCH', `${path}/relationships/tag-bindings`, tagged(['last']))).status).toBe(204);
    expect(pairsOf(await owner.call('GET', `${path}/tag-bindings`))).toEqual([['last', '']]);
    await owner.call('PATCH', path, projectBody({}, { 'tag-bindings': { data: [] } }));
    expect(pairsOf(await owner.call('GET', `${path}/tag-bindings`))).toEqual([]);

    const many = Array.from({ length: 11 }, (_, index) => [`key${index}`] as const);
    const refused = await owner.call('PATCH', `${path}/tag-bindings`, tagged(...many));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('cannot exceed 10 bindings per resource');
    expect(pairsOf(await owner.call('GET', `${path}/tag-bindings`))).toEqual([]);
    const wrong = await owner.call('POST', `/organizations/${name}/projects`, {
      data: { type: 'projects', attributes: { name: 'Never' }, relationships: { 'tag-bindings': tagged(['hc:no']) } },
    });
    expect(wrong.body.errors[0].source.pointer).toBe('/data/relationships/tag-bindings/data/0/attributes/key');
  });

  test('lists are filtered by tags, and include effective tags', async () => {
    const { name, owner, defaultProjectId } = await newOrganization(api);
    const path = `/organizations/${name}/projects`;
    const make = async (projectName: string, ...pairs: (readonly [string, string])[]) => {
      const body = projectBody({ name: projectName }, { 'tag-bindings': tagged(...pairs) });
      return (await owner.call('POST', path, body)).body.data.id as string;
    };
    await make('One', ['key1', 'value1'], ['key2', 'value2a']);
    const two = await make('Two', ['key2', 'value2b'], ['key3', 'value3']);
    const get = async (query: string) => namesOf(await owner.call('GET', `${path}?sort=name&${query}`));
    expect(await get('filter[tagged][0][key]=key1&filter[tagged][0][value]=')).toEqual(['One']);
    expect(await get('filter[tagged][0][key]=key2')).toEqual(['One', 'Two']);
    expect(await get('filter[tagged][0][key]=key2&filter[tagged][0][value]=value2b')).toEqual(['Two']);
    expect(await get('filter[tagged][0][key]=key1&filter[tagged][1][key]=key3')).toEqual([]);

    const list = await owner.call('GET', `${path}?sort=name&include=effective_tag_bindings`);
    const pointedAt = list.body.data.map(
      (item: { relationships: Record<string, { data: unknown[] }> }) =>
        item.relationships['effective-tag-bindings']?.data.length,
    );
    expect(pointedAt).toEqual([0, 2, 2]);
    expect(list.body.included).toHaveLength(4);
    const shown = await owner.call('GET', `/projects/${two}?include=effective-tag-bindings,organization`);
    expect(shown.body.included.map(({ type }: { type: string }) => type)).toEqual([
      'effective-tag-bindings',
      'effective-tag-bindings',
      'organizations',
    ]);
    expect((await owner.call('GET', `/projects/${defaultProjectId}?include=what`)).status).toBe(400);
  });

  test("a list is filtered by the caller's permissions", async () => {
    const { name, owner, machine } = await newOrganization(api);
    const reader = await machine('reader', { 'read-projects': true });
    const get = async (caller: typeof reader, query: string) =>
      namesOf(await caller.call('GET', `/organizations/${name}/projects?${query}`));
    for (const permission of ['update', 'create-workspace']) {
      expect(await get(owner, `filter[permissions][${permission}]=true`)).toEqual(['Default Project']);
      expect(await get(reader, `filter[permissions][${permission}]=true`)).toEqual([]);
      expect(await get(reader, `filter[permissions][${permission}]=false`)).toEqual(['Default Project']);
    }
  });

  test('only an empty project is deleted, and never the default one (facts §10.1, 18)', async () => {
    const { owner, project, workspace, defaultProjectId } = await newOrganization(api);
    const id = await project('Doomed');
    const relation = { project: { data: { type: 'projects', id } } };
    const workspaceId = await workspace('inside', {}, relation);
    const full = await owner.call('DELETE', `/projects/${id}`);
    expect(full.status).toBe(409);
    expect(full.body.errors[0].title).toBe('conflict');
    expect((await owner.call('GET', `/workspaces/${workspaceId}`)).status).toBe(200);
    expect((await owner.call('DELETE', `/projects/${defaultProjectId}`)).status).toBe(409);

    expect(
      (await owner.call('POST', `/projects/${defaultProjectId}/relationships/workspaces`, workspaces(workspaceId)))
        .status,
    ).toBe(204);
    expect((await owner.call('DELETE', `/projects/${id}`)).status).toBe(204);
    expect((await owner.call('GET', `/projects/${id}`)).status).toBe(404);
    expect((await owner.call('DELETE', `/projects/${id}`)).status).toBe(404);
  });

  test('many workspaces move into a project at once, all of them or none', async () => {
    const { owner, project, workspace, defaultProjectId, machine } = await newOrganization(api);
    const id = await project('Target');
    const ids = [await workspace('a'), await workspace('b'), await workspace('c')];
    const foreign = await (await newOrganization(api)).workspace('theirs');
    const path = `/projects/${id}/relationships/workspaces`;
    const projectOf = async (workspaceId: string) =>
      (await owner.call('GET', `/workspaces/${workspaceId}`)).body.data.relationships.project.data.id;
    const countOf = async (projectId: string) =>
      (await owner.call('GET', `/projects/${projectId}`)).body.data.attributes['workspace-count'];

    expect((await owner.call('POST', path, workspaces(...ids, foreign))).status).toBe(404);
    expect((await owner.call('POST', path, workspaces(...ids, 'ws-none'))).status).toBe(404);
    expect(await countOf(id)).toBe(0);
    expect((await owner.call('POST', path, workspaces(...ids, ...ids))).status).toBe(204);
    expect(await Promise.all(ids.map(projectOf))).toEqual([id, id, id]);
    expect(await countOf(id)).toBe(3);
    expect(await countOf(defaultProjectId)).toBe(0);
    expect((await owner.call('POST', path, workspaces(...ids))).status).toBe(204);
    expect(await countOf(id)).toBe(3);
    const reader = await machine('reader', { 'read-workspaces': true });
    expect((await reader.call('POST', path, workspaces(...ids))).status).toBe(404);
  });

  test('users who may read see them, users who may manage change them (facts §10.1, 17)', async () => {
    const { owner, project, machine } = await newOrganization(api);
    const id = await project('Guarded');
    const reader = await machine('reader', { 'read-projects': true });
    const stranger = await machine('stranger');
    expect((await reader.call('GET', `/projects/${id}/tag-bindings`)).status).toBe(200);
    expect((await stranger.call('GET', `/projects/${id}/tag-bindings`)).status).toBe(404);
    for (const caller of [reader, stranger]) {
      expect((await caller.call('PATCH', `/projects/${id}`, projectBody({ name: 'Mine' }))).status).toBe(404);
      expect((await caller.call('DELETE', `/projects/${id}`)).status).toBe(404);
      expect((await caller.call('PATCH', `/projects/${id}/tag-bindings`, tagged(['mine']))).status).toBe(404);
    }
    expect((await owner.call('GET', `/projects/${id}`)).body.data.attributes.name).toBe('Guarded');
  });
});
