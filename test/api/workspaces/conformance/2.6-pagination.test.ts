import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';

const COUNT = 21;
const ORIGIN = 'http://keeper.example.com:8443';

describe.each(databaseKinds)('spec §2.6 pagination on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  /** Each list of §8, with 21 in it. */
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const ids: string[] = [];
    for (let i = 0; i < COUNT; i++) ids.push(await acme.workspace(`w-${i}`));
    const provider = await acme.workspace('provider');
    const own = `/workspaces/${provider}/relationships`;
    const consumers = { data: ids.map((id) => ({ type: 'workspaces', id })) };
    expect((await acme.owner.call('POST', `${own}/remote-state-consumers`, consumers)).status).toBe(204);
    const tags = ids.map((_, i) => ({ type: 'tags', attributes: { name: `tag-${i}` } }));
    expect((await acme.owner.call('POST', `${own}/tags`, { data: tags })).status).toBe(204);
    paths.workspaces = `/organizations/${acme.name}/workspaces?search[name]=w-`;
    paths['remote state consumers'] = `${own}/remote-state-consumers?`;
    paths['flat tags'] = `${own}/tags?`;
  }, 60_000);
  afterAll(() => api.close());

  const get = (list: string, query = '') => acme.owner.call('GET', `${paths[list]}${query}`);
  const LISTS = ['workspaces', 'remote state consumers', 'flat tags'];

  test.each(LISTS)('%s: 20 on the first page by default, and the rest on the next', async (list) => {
    const first = await get(list);
    expect(first.body.data).toHaveLength(20);
    expect(first.body.meta.pagination).toEqual({
      'current-page': 1,
      'page-size': 20,
      'prev-page': null,
      'next-page': 2,
      'total-pages': 2,
      'total-count': COUNT,
    });
    expect(Object.keys(first.body.links).toSorted()).toEqual(['first', 'last', 'next', 'prev', 'self']);
    expect(first.body.links).toMatchObject({ prev: null, first: first.body.links.self, last: first.body.links.next });

    expect(first.body.links.next.startsWith(`${ORIGIN}/api/v2/`)).toBe(true);
    const next = await acme.owner.call('GET', first.body.links.next.slice(`${ORIGIN}/api/v2`.length));
    expect(next.body.data).toHaveLength(1);
    expect(next.body.meta.pagination).toMatchObject({ 'current-page': 2, 'prev-page': 1, 'next-page': null });
    expect(next.body.links).toMatchObject({ prev: first.body.links.self, self: first.body.links.next, next: null });
    const ids = [...first.body.data, ...next.body.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(COUNT);
  });

  test.each(LISTS)('%s: any size up to 100, and every page of it', async (list) => {
    const whole = (await get(list, '&page[size]=100')).body;
    expect(whole.meta.pagination).toMatchObject({ 'page-size': 100, 'total-pages': 1 });
    expect((await get(list, '&page[size]=101')).body.meta.pagination).toEqual(whole.meta.pagination);
    const seen: unknown[] = [];
    for (const number of [1, 2, 3]) {
      const { body } = await get(list, `&page%5Bsize%5D=7&page%5Bnumber%5D=${number}`);
      expect(body.meta.pagination).toMatchObject({ 'current-page': number, 'page-size': 7, 'total-pages': 3 });
      seen.push(...body.data);
    }
    expect(seen).toEqual(whole.data);
  });

  test.each(LISTS)('%s: a page behind the last one is empty, and knows the way back', async (list) => {
    const { status, body } = await get(list, '&page[number]=999999999&page[size]=100');
    expect([status, body.data]).toEqual([200, []]);
    expect(body.meta.pagination).toMatchObject({ 'prev-page': 1, 'next-page': null, 'total-count': COUNT });
  });

  test.each(LISTS)('%s: a number or a size that is none is a bad request', async (list) => {
    const none = ['-1', '01', '1e1', ' 1', '', 'x', '10000000000'];
    for (const [name, values] of [['page[number]', none] as const, ['page[size]', ['0', ...none]] as const]) {
      for (const value of values) {
        const answer = await get(list, `&${name}=${encodeURIComponent(value)}`);
        expect(answer.status, `${name}=${value}`).toBe(400);
        expect(answer.body.errors[0].source).toEqual({ parameter: name });
      }
    }
  });

  test.each(LISTS)('%s: page 0 is the first page', async (list) => {
    const { body } = await get(list, '&page[number]=0&page[size]=2');
    expect(body).toEqual((await get(list, '&page[number]=1&page[size]=2')).body);
    expect(body.meta.pagination['current-page']).toBe(1);
  });
});
