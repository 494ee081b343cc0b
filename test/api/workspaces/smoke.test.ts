import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';

describe.each(databaseKinds)('%s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('works', async () => {
    const ada = await api.user('ada');
    const org = await ada.call('POST', '/organizations', { data: { type: 'organizations', attributes: { name: 'acme', email: 'a@b.c' } } });
    console.log(JSON.stringify(org, null, 1));
    const ws = await ada.call('POST', '/organizations/acme/workspaces', { data: { type: 'workspaces', attributes: { name: 'one', 'terraform-version': '1.2.3' }, relationships: { tags: { data: [{ type: 'tags', attributes: { name: 'B' } }, { type: 'tags', attributes: { name: 'a' } }] }, 'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] } } } });
    console.log(JSON.stringify(ws, null, 1));
    expect(ws.status).toBe(201);
    const list = await ada.call('GET', '/organizations/acme/workspaces?search[tags]=a,env&include=project,organization,effective_tag_bindings');
    console.log(JSON.stringify(list.body.included, null, 1), JSON.stringify(list.body.meta), list.body.links);
    expect(list.status).toBe(200);
    console.log(api.routes);
  });
});
