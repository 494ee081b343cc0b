import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { newOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, SURFACE } from './support/surface/index.ts';

/** Reads first, deletions last. */
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const rank = (route: string): number => ORDER.indexOf(route.split(' ')[0] ?? '');

describe.each(databaseKinds)('every statement of the workspace API is one that %s takes', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('each route once, with one of everything there', { timeout: 120_000 }, async () => {
    const { owner, ...organization } = await newOrganization(api);
    const values = await oneOfEverything({ owner, ...organization });
    for (const route of Object.keys(SURFACE).toSorted((one, other) => rank(one) - rank(other))) {
      const { method, path, body } = requestOf(route, values);
      const { status, text } = await owner.call(method, path, body);
      // Writing requests depend on the rows that earlier ones left.
      if (method === 'GET') expect([route, status, text]).toEqual([route, SURFACE[route]?.owner, text]);
      expect(status, `${route}: ${text}`).toBeLessThan(500);
    }
  });
});
