import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BINDINGS } from '../../../../src/workspaces/tenancy/tag-binding/key-value.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('tags of workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const newWorkspace = () => acme.workspace(`t-${++names}`);
  const tagsOf = (id: string, query = '') => acme.owner.call('GET', `/workspaces/${id}/relationships/tags${query}`);
  const change = (method: string, id: string, data: unknown) =>
    acme.owner.call(method, `/workspaces/${id}/relationships/tags`, { data });
  const named = (...tags: string[]) => tags.map((name) => ({ type: 'tags', attributes: { name } }));
  const bind = (id: string, ...pairs: [string, string?][]) =>
    acme.owner.call('PATCH', `/workspaces/${id}/tag-bindings`, {
      data: pairs.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
    });

  test('tags are added by name, in lower case, and once', async () => {
    const id = await newWorkspace();
    const added = await change('POST', id, named('Web', 'a:b_c-1'));
    expect(added.status).toBe(204);
    expect(added.text).toBe('');
    await change('POST', id, named('web'));
    const { body } = await tagsOf(id);
    expect(body.data).toMatchObject([
      { type: 'tags', attributes: { name: 'a:b_c-1', 'instance-count': 1 } },
      {
        type: 'tags',
        id: expect.stringMatching(/^tag-/),
        attributes: { name: 'web', 'created-at': new Date(api.now()).toISOString() },
        relationships: { organization: { data: { type: 'organizations', id: acme.name } } },
      },
    ]);
    const shown = await acme.owner.call('GET', `/workspaces/${id}`);
    expect(shown.body.data.attributes['tag-names']).toEqual(['a:b_c-1', 'web']);
  });

  test('a tag counts its workspaces, and is deleted with the last', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await change('POST', one, named('shared'));
    const [tag] = (await tagsOf(one)).body.data;
    await change('POST', two, [{ type: 'tags', id: tag.id }]);
    expect((await tagsOf(one)).body.data[0].attributes['instance-count']).toBe(2);
    await change('DELETE', one, [{ type: 'tags', id: tag.id }]);
    await change('DELETE', one, [{ type: 'tags', id: tag.id }]);
    expect((await tagsOf(two)).body.data[0].attributes['instance-count']).toBe(1);
    await change('DELETE', two, named('SHARED'));
    expect((await change('POST', one, [{ type: 'tags', id: tag.id }])).status, 'it is gone').toBe(404);
  });

  test('removing an unknown name does nothing, an unknown ID is refused, and no request has a partial effect', async () => {
    const id = await newWorkspace();
    await change('POST', id, named('stays'));
    expect((await change('DELETE', id, named('NonExistentTag', 'never heard of'))).status).toBe(204);
    expect((await change('DELETE', id, [...named('stays'), { type: 'tags', id: 'tag-none' }])).status).toBe(404);
    expect(namesOf(await tagsOf(id))).toEqual(['stays']);
  });

  test('the tags of another organization are unknown here', async () => {
    const other = await newOrganization(api);
    const foreign = await other.workspace('w', {}, { tags: { data: named('foreign') } });
    const [tag] = (await other.owner.call('GET', `/workspaces/${foreign}/relationships/tags`)).body.data;
    expect((await change('POST', await newWorkspace(), [{ type: 'tags', id: tag.id }])).status).toBe(404);
  });

  test('a list of tags is paged, and searched by a part of the name', async () => {
    const id = await newWorkspace();
    await change('POST', id, named('tag1', 'tag3', 'tag2', 'other_x'));
    expect(namesOf(await tagsOf(id, '?name=tag'))).toEqual(['tag1', 'tag2', 'tag3']);
    expect(namesOf(await tagsOf(id, '?name=_'))).toEqual(['other_x']);
    const page = await tagsOf(id, '?page[size]=2&page[number]=2');
    expect(namesOf(page)).toEqual(['tag2', 'tag3']);
    expect(page.body.meta.pagination['total-count']).toBe(4);
  });

  test.each(['-a', 'a-', 'two words', 'zürich', 'a,b', 'a\u0000', 'x'.repeat(256), '\u212A'])(
    'a tag cannot have the name %j',
    async (name) => {
      const id = await newWorkspace();
      const answer = await change('POST', id, named('fine', name));
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].source.pointer).toBe('/data/1/attributes/name');
      expect(namesOf(await tagsOf(id))).toEqual([]);
    },
  );

  test.each([
    ['{}', '/data'],
    [{ data: null }, '/data'],
    [{ data: [{ type: 'tags' }] }, '/data/0'],
    [{ data: [{ type: 'tags', attributes: {} }] }, '/data/0'],
    [{ data: [{ type: 'workspaces', id: 'x' }] }, '/data/0/type'],
    [{ data: [7] }, '/data/0'],
    [{ data: Array(101).fill({ type: 'tags', id: 'x' }) }, '/data'],
  ])('the body %j is refused', async (body, pointer) => {
    const id = await newWorkspace();
    const answer = await acme.owner.call('POST', `/workspaces/${id}/relationships/tags`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test('a new tag moves the time of the last change, and that of no other workspace', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await change('POST', two, named('moved'));
    const updatedAt = async (id: string) =>
      (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes['updated-at'];
    const before = await updatedAt(two);
    api.advance(1000);
    await change('POST', one, named('moved'));
    expect(await updatedAt(one)).toBe(new Date(api.now()).toISOString());
    expect(await updatedAt(two)).toBe(before);
  });

  test('key-value tags are added and changed, in the order of the request', async () => {
    const id = await newWorkspace();
    await bind(id, ['b', '1'], ['a', '2']);
    const answer = await bind(id, ['c', 'x y'], ['b', '3'], ['d']);
    expect(answer.status).toBe(200);
    const pairs = answer.body.data.map(({ attributes: { key, value } }: never) => `${key}=${value}`);
    expect(pairs).toEqual(['c=x y', 'b=3', 'd=', 'a=2']);
    const list = await acme.owner.call('GET', `/workspaces/${id}/tag-bindings`);
    expect(list.body.data).toHaveLength(4);
    expect(list.body.data[0]).toEqual({
      id: expect.stringMatching(/^tb-/),
      type: 'tag-bindings',
      attributes: { key: 'a', value: '2', 'created-at': expect.any(String) },
    });
  });

  test('effective ones of the workspace itself show no origin', async () => {
    const id = await newWorkspace();
    await bind(id, ['env', 'prod']);
    const { body } = await acme.owner.call('GET', `/workspaces/${id}/effective-tag-bindings`);
    expect(body.data).toEqual([{ type: 'effective-tag-bindings', attributes: { key: 'env', value: 'prod' } }]);
  });

  test('a workspace has at most ten key-value tags', async () => {
    const id = await newWorkspace();
    const keys = Array.from({ length: MAX_BINDINGS }, (_, i): [string, string] => [`k${i}`, 'v']);
    expect((await bind(id, ...keys)).status).toBe(200);
    expect((await bind(id, ['k0', 'changed'])).status).toBe(200);
    const eleventh = await bind(id, ['k1', 'lost'], ['k10', 'v']);
    expect(eleventh.status).toBe(422);
    expect(eleventh.body.errors[0].detail).toContain(`cannot exceed ${MAX_BINDINGS} bindings per resource`);
    const { body } = await acme.owner.call('GET', `/workspaces/${id}/tag-bindings`);
    expect(body.data.find(({ attributes }: never) => (attributes as { key: string }).key === 'k1')).toMatchObject({
      attributes: { value: 'v' },
    });
  });

  test.each<[string, string, string]>([
    ['', 'v', 'key'],
    ['a b', 'v', 'key'],
    ['hc:x', 'v', 'key'],
    ['hcp:x', 'v', 'key'],
    ['ü', 'v', 'key'],
    ['a\u0000', 'v', 'key'],
    ['x'.repeat(129), 'v', 'key'],
    ['a', 'v\n', 'value'],
    ['a', 'v'.repeat(257), 'value'],
  ])('%j=%j is refused', async (key, value, part) => {
    const answer = await bind(await newWorkspace(), [key, value]);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(`/data/0/attributes/${part}`);
  });

  test('a key is given once in a request', async () => {
    const answer = await bind(await newWorkspace(), ['a', '1'], ['a', '2']);
    expect(issuesOf(answer)).toEqual(['/data/1/attributes/key: Key a is repeated']);
  });

  test('of many concurrent requests that add the same new tag, none fails and each is counted', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, newWorkspace));
    const answers = await Promise.all(ids.map((id) => change('POST', id, named('rush', 'hour'))));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
    const { body } = await tagsOf(ids[0] ?? '');
    expect(body.data.map(({ attributes }: never) => (attributes as Record<string, number>)['instance-count'])).toEqual([
      8, 8,
    ]);
  });
});
