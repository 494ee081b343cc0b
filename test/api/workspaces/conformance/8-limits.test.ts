import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

describe.each(databaseKinds)('spec §8 limits on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  /** 22 workspaces, 21 of which read the state of the first; it has 21 tags. */
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('w-00');
    const others = [];
    for (let i = 1; i < 22; i++) others.push(await acme.workspace(`w-${String(i).padStart(2, '0')}`));
    const data = others.map((one) => ({ type: 'workspaces', id: one }));
    await acme.owner.call('POST', `/workspaces/${id}/relationships/remote-state-consumers`, { data });
    const tags = others.map((_, i) => ({ type: 'tags', attributes: { name: `tag-${i}` } }));
    await acme.owner.call('POST', `/workspaces/${id}/relationships/tags`, { data: tags });
  });
  afterAll(() => api.close());

  const LISTS: readonly [what: string, path: () => string, total: number][] = [
    ['workspaces', () => `/organizations/${acme.name}/workspaces`, 22],
    ['remote state consumers', () => `/workspaces/${id}/relationships/remote-state-consumers`, 21],
    ['flat tags', () => `/workspaces/${id}/relationships/tags`, 21],
  ];
  test.each(LISTS)('a page of %s has 20 by default', async (_, path, total) => {
    const first = (await acme.owner.call('GET', path())).body;
    expect(first.data).toHaveLength(20);
    expect(first.meta.pagination).toMatchObject({ 'page-size': 20, 'next-page': 2, 'total-count': total });
    const second = (await acme.owner.call('GET', `${path()}?page[number]=2`)).body;
    expect(second.data).toHaveLength(total - 20);
    expect(second.meta.pagination).toMatchObject({ 'page-size': 20, 'next-page': null, 'prev-page': 1 });
    const all = (await acme.owner.call('GET', `${path()}?page%5Bsize%5D=100`)).body.data;
    expect([...first.data, ...second.data]).toEqual(all);
  });

  const setDuration = (value: unknown) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody({ 'auto-destroy-activity-duration': value }));

  test.each(['1h', '1d', '9999h', '9999d', '14d', '0001d', null])(
    'an auto-destroy duration may be %j',
    async (value) => {
      const answer = await setDuration(value);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.data.attributes['auto-destroy-activity-duration']).toBe(value);
    },
  );

  test.each([
    '0d',
    '0h',
    '0000d',
    '10000h',
    '00001d',
    '-1d',
    '+1d',
    '1.5d',
    '1',
    'd',
    '1m',
    '1D',
    '1 d',
    ' 1d',
    '1d ',
    '1d\n',
    '١d',
    '',
    14,
    true,
    ['1d'],
  ])('an auto-destroy duration is not %j', async (value) => {
    await setDuration('7d');
    const answer = await setDuration(value);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ pointer: '/data/attributes/auto-destroy-activity-duration' });
    const { attributes } = (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;
    expect(attributes['auto-destroy-activity-duration']).toBe('7d');
  });
});
