import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';
import { LEVELS, withAccess } from './support/members.ts';

describe.each(databaseKinds)('spec §4.10 tags on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const named = (name: string) => ({ type: 'tags', attributes: { name } });
  const path = (id: string) => `/workspaces/${id}/relationships/tags`;
  const change = (method: string, id: string, data: unknown, caller: Pick<Caller, 'call'> = acme.owner) =>
    caller.call(method, path(id), { data });
  const tagsOf = async (id: string) => namesOf(await acme.owner.call('GET', path(id)));
  const tagsOfAll = async () => (await acme.owner.call('GET', `/organizations/${acme.name}/tags`)).body.data;

  /** A workspace with these tags in an organization that has no others. */
  async function begin(...tags: string[]): Promise<string> {
    acme = await newOrganization(api);
    const id = await acme.workspace(`t-${++names}`);
    if (tags.length > 0) expect((await change('POST', id, tags.map(named))).status).toBe(204);
    return id;
  }
  const idOf = async (name: string): Promise<string> =>
    (await tagsOfAll()).find((tag: { attributes: { name: string } }) => tag.attributes.name === name).id;

  test('added by name or by id, mixed, known or new, twice or not at all: 204 without a body', async () => {
    const first = await begin('red', 'blue');
    const second = await acme.workspace('second');
    const data = [{ type: 'tags', id: await idOf('red') }, named('green'), named('green'), named('blue')];
    const answer = await change('POST', second, data);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await tagsOf(second)).toEqual(['blue', 'green', 'red']);
    expect((await change('POST', second, [])).status).toBe(204);
    expect(await tagsOf(first)).toEqual(['blue', 'red']);
  });

  test('removed by name or by id; a name without a tag is ignored, also with a tag that others have', async () => {
    const first = await begin('red', 'blue', 'green');
    const second = await acme.workspace('second');
    await change('POST', second, [named('other')]);
    const data = [{ type: 'tags', id: await idOf('red') }, named('blue'), named('No Such Tag'), named('other')];
    const answer = await change('DELETE', first, data);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([['green'], ['other']]);
    expect((await change('DELETE', first, [])).status).toBe(204);
  });

  test('an id has to be that of a tag of the organization: 404, and nothing else is done', async () => {
    const foreign = await begin('foreign');
    const foreignTag = await idOf('foreign');
    const id = await begin('red');
    for (const method of ['POST', 'DELETE']) {
      for (const wrong of ['tag-none', foreignTag, foreign, 'red']) {
        const answer = await change(method, id, [named('red'), named('new'), { type: 'tags', id: wrong }]);
        expect(answer.status, `${method} ${wrong}`).toBe(404);
      }
    }
    expect(await tagsOf(id)).toEqual(['red']);
    expect(namesOf({ body: { data: await tagsOfAll() } } as never)).toEqual(['red']);
  });

  test.each([
    ['no data', {}],
    ['null', { data: null }],
    ['a single one', { data: { type: 'tags', attributes: { name: 'x' } } }],
    ['no type', { data: [{ attributes: { name: 'x' } }] }],
    ['another type', { data: [{ type: 'tag-bindings', attributes: { name: 'x' } }] }],
    ['neither id nor name', { data: [{ type: 'tags', attributes: { key: 'x' } }] }],
    ['an empty name', { data: [{ type: 'tags', attributes: { name: '' } }] }],
    ['a number for a name', { data: [{ type: 'tags', attributes: { name: 7 } }] }],
  ])('%s is refused when tags are added and removed, and changes nothing', async (_, body) => {
    const id = await begin('red');
    for (const method of ['POST', 'DELETE']) expect((await acme.owner.call(method, path(id), body)).status).toBe(422);
    expect(await tagsOf(id)).toEqual(['red']);
  });

  test('a tag that no workspace has any longer leaves the list of the organization, in every way to lose it', async () => {
    const first = await begin('red');
    const second = await acme.workspace('second');
    await change('POST', second, [named('red')]);
    const id = await idOf('red');
    await change('DELETE', first, [named('red')]);
    expect(await tagsOfAll()).toMatchObject([{ id, attributes: { name: 'red', 'instance-count': 1 } }]);
    await acme.owner.call('DELETE', `/workspaces/${second}`);
    expect(await tagsOfAll()).toEqual([]);
    expect((await change('POST', first, [{ type: 'tags', id }])).status).toBe(404);
    await change('POST', first, [named('red')]);
    expect(await tagsOfAll()).toMatchObject([{ attributes: { name: 'red', 'instance-count': 1 } }]);
  });

  test('permissions: reading requires any access, adding the level write, removing an administrator (else 404)', async () => {
    const id = await begin('red');
    for (const access of LEVELS) {
      const caller = await withAccess(api, acme, id, { access });
      expect(namesOf(await caller.call('GET', path(id)))).toContain('red');
      const adds = access === 'write' || access === 'admin';
      expect((await change('POST', id, [named(access)], caller)).status, access).toBe(adds ? 204 : 404);
      expect((await change('DELETE', id, [named(access)], caller)).status, access).toBe(access === 'admin' ? 204 : 404);
    }
    expect(await tagsOf(id)).toEqual(['red', 'write']);
    for (const caller of [await api.user(`stranger-${names}`), await acme.machine('none')]) {
      expect((await caller.call('GET', path(id))).status).toBe(404);
      for (const method of ['POST', 'DELETE']) expect((await change(method, id, [], caller)).status).toBe(404);
    }
    for (const of of ['ws-none', `t-${names}`]) expect((await change('POST', of, [named('x')])).status).toBe(404);
  });

  test('the other two lists have only key-value tags, and no pages', async () => {
    const id = await begin('flat');
    const bindings = Array.from({ length: 10 }, (_, i) => ({ type: 'tag-bindings', attributes: { key: `k${i}` } }));
    const body = { data: { type: 'workspaces', relationships: { 'tag-bindings': { data: bindings } } } };
    expect((await acme.owner.call('PATCH', `/workspaces/${id}`, body)).status).toBe(200);
    for (const type of ['tag-bindings', 'effective-tag-bindings']) {
      const { body: answer } = await acme.owner.call('GET', `/workspaces/${id}/${type}?page[size]=2`);
      expect(Object.keys(answer)).toEqual(['data']);
      expect(answer.data).toHaveLength(10);
      expect(new Set(answer.data.map((one: { type: string }) => one.type))).toEqual(new Set([type]));
      const ids = answer.data.filter((one: { id?: string }) => one.id !== undefined);
      expect(ids, 'effective ones have no id (§2.5)').toHaveLength(type === 'tag-bindings' ? 10 : 0);
    }
    expect(await tagsOf(id)).toEqual(['flat']);
  });
});
