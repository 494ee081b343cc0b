import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';

const OURS = { field: 'workspace_name', operator: 'contains', value: ['o'] };
const view = (attributes: object) => ({ data: { type: 'explorer-saved-queries', attributes } });

describe.each(databaseKinds)('saved views of the explorer on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  const path = () => `/organizations/${acme.name}/explorer/views`;
  const save = (attributes: object, by = acme.owner) => by.call('POST', path(), view(attributes));

  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    for (const name of ['one', 'two', 'green']) await acme.workspace(name);
  });
  afterAll(() => api.close());

  it('are created, run, changed and deleted', async () => {
    const query = { type: 'workspaces', filter: [OURS], fields: ['workspace_name'], sort: ['-workspace_name'] };
    const made = await save({ name: 'With o', 'query-type': 'workspaces', query });
    expect(made.status, made.text).toBe(201);
    const { id, type, attributes } = made.body.data;
    expect(type).toBe('explorer-saved-queries');
    expect(attributes).toEqual({
      name: 'With o',
      'created-at': new Date(api.now()).toISOString(),
      'query-type': 'workspaces',
      query,
    });
    const results = await acme.owner.call('GET', `${path()}/${id}/results?page[size]=1`);
    expect(results.body.data).toMatchObject([{ attributes: { 'workspace-name': 'two' } }]);
    expect(results.body.meta.pagination['total-count']).toBe(2);
    const csv = await acme.owner.call('GET', `${path()}/${id}/csv`);
    expect(csv.text).toBe('workspace_name\n"two"\n"one"\n');

    const changed = await acme.owner.call('PATCH', `${path()}/${id}`, view({ query: { filter: [] } }));
    expect(changed.body.data.attributes).toMatchObject({ name: 'With o', query: { filter: [], fields: [], sort: [] } });
    const all = await acme.owner.call('GET', `${path()}/${id}/results`);
    expect(all.body.meta.pagination['total-count']).toBe(3);
    const deleted = await acme.owner.call('DELETE', `${path()}/${id}`);
    expect(deleted.body.data.id).toBe(id);
    expect((await acme.owner.call('GET', `${path()}/${id}`)).status).toBe(404);
  });

  it('take the bodies of the documentation and of the clients of HCP Terraform', async () => {
    const nested = {
      filter: [{ 'workspace-name': { contains: ['o'] } }],
      fields: { workspaces: ['drifted'] },
      sort: [],
    };
    const fromPython = await save({ name: 'python', 'query-type': 'workspaces', query: nested });
    expect(fromPython.body.data.attributes.query).toEqual({
      type: 'workspaces',
      filter: [OURS],
      fields: ['drifted'],
      sort: [],
    });
    const documented = { name: 'documented', query_type: 'providers', query: { sort: '-workspace_count' } };
    const fromDocs = await acme.owner.call('POST', path(), { data: documented });
    expect(fromDocs.body.data.attributes).toMatchObject({
      'query-type': 'providers',
      query: { type: 'providers', sort: ['-workspace_count'] },
    });
    const list = await acme.owner.call('GET', path());
    expect(list.body.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual([
      'documented',
      'python',
    ]);
  });

  it.each([
    [{}, '/data/attributes/name', 'name is required'],
    [{ name: 'a', 'query-type': 'colors', query: {} }, '/data/attributes/query-type', 'must be one of'],
    [
      { name: 'a', 'query-type': 'workspaces', query: { filter: [OURS, { ...OURS, field: 'color' }] } },
      '/data/attributes/query/filter/1',
      'no field "color"',
    ],
    [
      { name: 'a', 'query-type': 'workspaces', query: { filter: [{ ...OURS, operator: 'like' }] } },
      '/data/attributes/query/filter/0',
      'no operator "like"',
    ],
    [
      { name: 'a', 'query-type': 'workspaces', query: { filter: [{ ...OURS, value: ['a', 'b'] }] } },
      '/data/attributes/query/filter/0',
      'takes one value',
    ],
    [
      { name: 'a', 'query-type': 'modules', query: { fields: ['drifted'] } },
      '/data/attributes/query/fields',
      'no field',
    ],
    [{ name: 'a', 'query-type': 'modules', query: { sort: ['drifted'] } }, '/data/attributes/query/sort', 'no field'],
    [{ name: 'a', 'query-type': 'modules', query: { type: 'workspaces' } }, '/data/attributes/query/type', 'modules'],
  ])('refuses %j', async (attributes, pointer, detail) => {
    const answer = await save(attributes);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ source: { pointer }, detail: expect.stringContaining(detail) });
  });

  it('are changed only by members who may see all workspaces', async () => {
    const made = await save({ name: 'shared', 'query-type': 'workspaces', query: {} });
    const { id } = made.body.data;
    const member = await acme.machine('member');
    expect((await member.call('GET', `${path()}/${id}`)).status).toBe(200);
    expect((await member.call('GET', `${path()}/${id}/results`)).body.data).toEqual([]);
    expect((await member.call('PATCH', `${path()}/${id}`, view({ name: 'mine' }))).status).toBe(404);
    expect((await member.call('DELETE', `${path()}/${id}`)).status).toBe(404);
    const reader = await acme.machine('reader', { 'read-workspaces': true });
    expect((await reader.call('PATCH', `${path()}/${id}`, view({ name: 'ours' }))).status).toBe(200);
    const elsewhere = await newOrganization(api);
    const foreign = await elsewhere.owner.call('GET', `/organizations/${elsewhere.name}/explorer/views/${id}`);
    expect(foreign.status).toBe(404);
  });

  it('have a query of limited size', async () => {
    const filter = Array.from({ length: 20 }, () => ({ ...OURS, value: ['ä'.repeat(500)] }));
    const refused = await save({ name: 'long', 'query-type': 'workspaces', query: { filter } });
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0]).toMatchObject({
      source: { pointer: '/data/attributes/query' },
      detail: expect.stringContaining('more than 16384 bytes'),
    });
    const half = { name: 'half', 'query-type': 'workspaces', query: { filter: filter.slice(0, 10) } };
    expect((await save(half)).status).toBe(201);
  });

  it('are limited in number', async () => {
    const other = await newOrganization(api);
    const views = `/organizations/${other.name}/explorer/views`;
    const create = (name: string) =>
      other.owner.call('POST', views, view({ name, 'query-type': 'workspaces', query: {} }));
    for (let number = 0; number < 200; number++) expect((await create(`${number}`)).status).toBe(201);
    const page = await other.owner.call('GET', `${views}?page[size]=3&page[number]=2`);
    expect(page.body.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual([
      '100',
      '101',
      '102',
    ]);
    expect(page.body.meta.pagination).toMatchObject({ 'total-count': 200, 'total-pages': 67 });
    const refused = await create('one more');
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].detail).toContain('at most 200 saved views');
  });
});
