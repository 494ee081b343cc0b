import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('facts §6.3, flat tags of organizations on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const fresh = async () => {
    acme = await newOrganization(api);
    return acme;
  };
  const list = (query = '') => acme.owner.call('GET', `/organizations/${acme.name}/tags${query}`);
  const tagged = (name: string, ...tags: string[]) =>
    acme.workspace(name, {}, { tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: tag } })) } });
  const remove = (...ids: string[]) =>
    acme.owner.call('DELETE', `/organizations/${acme.name}/tags`, { data: ids.map((id) => ({ type: 'tags', id })) });
  const addTo = (tagId: string, ...ids: string[]) =>
    acme.owner.call('POST', `/tags/${tagId}/relationships/workspaces`, {
      data: ids.map((id) => ({ type: 'workspaces', id })),
    });
  const idOf = async (name: string) => (await list(`?q=${name}`)).body.data[0].id as string;

  test('all tags by name, with their counts; paged, searched, and without those of one workspace', async () => {
    await fresh();
    const one = await tagged('one', 'web', 'prod');
    await tagged('two', 'prod', 'db');
    const { body } = await list();
    expect(namesOf({ body } as never)).toEqual(['db', 'prod', 'web']);
    expect(body.data[1]).toEqual({
      id: expect.stringMatching(/^tag-/),
      type: 'tags',
      attributes: { name: 'prod', 'created-at': expect.any(String), 'instance-count': 2 },
      relationships: { organization: { data: { type: 'organizations', id: acme.name } } },
    });
    expect(namesOf(await list('?q=PRO'))).toEqual(['prod']);
    expect(namesOf(await list('?q=_'))).toEqual([]);
    expect(namesOf(await list(`?filter[exclude][taggable][id]=${one}`))).toEqual(['db']);
    expect(namesOf(await list(`?filter[exclude][taggable][id]=${body.data[0].id}`))).toEqual(['prod', 'web']);
    const page = await list('?page[size]=2&page[number]=2');
    expect(namesOf(page)).toEqual(['web']);
    expect(page.body.meta.pagination['total-count']).toBe(3);
  });

  test('deleted tags are removed from every workspace; all of them or none', async () => {
    await fresh();
    const one = await tagged('one', 'a', 'b');
    await tagged('two', 'a');
    const [a, b] = [await idOf('a'), await idOf('b')];
    expect((await remove(b, 'tag-none')).status).toBe(404);
    expect(namesOf(await list())).toEqual(['a', 'b']);
    expect((await remove(a, a)).status).toBe(204);
    expect(namesOf(await list())).toEqual(['b']);
    const shown = await acme.owner.call('GET', `/workspaces/${one}`);
    expect(shown.body.data.attributes['tag-names']).toEqual(['b']);
    expect((await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[tags]=a`)).body.data).toEqual(
      [],
    );
  });

  test('a tag is added to several workspaces, to all of them or none', async () => {
    await fresh();
    await tagged('one', 'shared');
    const [two, three] = [await acme.workspace('two'), await acme.workspace('three')];
    const id = await idOf('shared');
    expect((await addTo(id, two, 'ws-none')).status).toBe(404);
    expect((await list()).body.data[0].attributes['instance-count']).toBe(1);
    expect((await addTo(id, three, two, two)).status).toBe(204);
    expect((await list()).body.data[0].attributes['instance-count']).toBe(3);
    const tags = await acme.owner.call('GET', `/workspaces/${three}/relationships/tags`);
    expect(tags.body.data[0].id).toBe(id);
    expect((await addTo('tag-none', two)).status).toBe(404);
    const other = await newOrganization(api);
    const foreign = await other.workspace('w');
    const answer = await other.owner.call('POST', `/tags/${id}/relationships/workspaces`, {
      data: [{ type: 'workspaces', id: foreign }],
    });
    expect(answer.status, 'a tag of another organization').toBe(404);
  });

  test('counts stay right while tags are added and deleted at the same time', async () => {
    await fresh();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => tagged(name, 'rush', `own-${name}`)));
    const rush = await idOf('rush');
    const change = (method: string, id: string) =>
      acme.owner.call(method, `/workspaces/${id}/relationships/tags`, {
        data: [{ type: 'tags', attributes: { name: 'rush' } }],
      });
    const answers = await Promise.all([
      remove(rush),
      ...ids.map((id) => change('DELETE', id)),
      ...ids.map((id) => change('POST', id)),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 204 && status !== 404)).toEqual([]);
    const shown = await Promise.all(ids.map((id) => acme.owner.call('GET', `/workspaces/${id}`)));
    const carriers = shown.filter(({ body }) => body.data.attributes['tag-names'].includes('rush')).length;
    const [tag] = (await list('?q=rush')).body.data;
    expect(tag?.attributes['instance-count'] ?? 0).toBe(carriers);
  });

  test.each([
    ['DELETE', '/organizations/:o/tags', {}],
    ['DELETE', '/organizations/:o/tags', { data: [] }],
    ['DELETE', '/organizations/:o/tags', { data: [{ type: 'workspaces', id: 'x' }] }],
    ['POST', '/tags/tag-x/relationships/workspaces', { data: [{ type: 'tags', id: 'x' }] }],
    ['POST', '/tags/tag-x/relationships/workspaces', { data: Array(101).fill({ type: 'workspaces', id: 'x' }) }],
  ])('%s %s refuses %j', async (method, path, body) => {
    await fresh();
    expect((await acme.owner.call(method, path.replace(':o', acme.name), body)).status).toBe(422);
  });

  test('§5.4: members see the tags of workspaces they see; deleting requires permission for all workspaces', async () => {
    await fresh();
    const one = await tagged('one', 'seen', 'both');
    await tagged('two', 'hidden', 'both');
    const reader = await acme.machine('tag-reader', { 'read-workspaces': true });
    expect(namesOf(await reader.call('GET', `/organizations/${acme.name}/tags`))).toEqual(['both', 'hidden', 'seen']);
    const team = await acme.team('few');
    await acme.owner.call('POST', `/teams/${team}/machine-identities`, {
      data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${acme.name}/few` } },
    });
    const few = api.machine({ role: `${acme.name}/few` });
    expect(namesOf(await few.call('GET', `/organizations/${acme.name}/tags`))).toEqual([]);
    await acme.owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'write' },
        relationships: {
          workspace: { data: { type: 'workspaces', id: one } },
          team: { data: { type: 'teams', id: team } },
        },
      },
    });
    expect(namesOf(await few.call('GET', `/organizations/${acme.name}/tags`))).toEqual(['both', 'seen']);
    const body = { data: [{ type: 'tags', id: await idOf('seen') }] };
    for (const caller of [reader, few]) {
      expect((await caller.call('DELETE', `/organizations/${acme.name}/tags`, body)).status).toBe(404);
    }
    const manager = await acme.machine('tag-manager', { 'manage-workspaces': true });
    expect((await manager.call('DELETE', `/organizations/${acme.name}/tags`, body)).status).toBe(204);
    const stranger = await newOrganization(api);
    expect((await stranger.owner.call('GET', `/organizations/${acme.name}/tags`)).status).toBe(404);
  });
});
