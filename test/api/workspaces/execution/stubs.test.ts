import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';

describe.each(databaseKinds)('resources that this server never creates, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let paths: readonly string[];
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const runs = runsOf(api, acme);
    const workspace = await runs.workspace('app');
    const run = await runs.run(workspace);
    paths = [
      ...['policies', 'policy-sets'].map((kind) => `/organizations/${acme.name}/${kind}`),
      `/runs/${run}/policy-checks`,
    ];
  });
  afterAll(() => api.close());

  test('is a list of nothing: clients list it on their way to something else', async () => {
    for (const path of paths) {
      const { status, body } = await acme.owner.call('GET', `${path}?page[size]=100&page[number]=1`);
      expect([path, status, body.data]).toEqual([path, 200, []]);
      expect(body.meta.pagination).toMatchObject({ 'current-page': 1, 'total-count': 0, 'total-pages': 1 });
    }
  });

  test('gets 404 from callers who do not see the parent', async () => {
    const { owner: stranger } = await newOrganization(api);
    for (const path of paths) {
      expect([path, (await stranger.call('GET', path)).status]).toEqual([path, 404]);
      expect([path, (await api.nobody().call('GET', path)).status]).toEqual([path, 401]);
    }
    expect((await acme.owner.call('GET', '/runs/run-none/policy-checks')).status).toBe(404);
  });
});
