import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { LIVES, type Life } from './support/deleted/index.ts';
import { newOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, type Values } from './support/surface/index.ts';

async function living(life: Life): Promise<string[]> {
  const alive: string[] = [];
  for (const [name, lives] of Object.entries(life)) if (await lives()) alive.push(name);
  return alive;
}

/** Routes that return 405, so that nothing is deleted. */
const READ_ONLY = /^DELETE \/admin\/\w+-versions\//;

/** Passkeys come from a browser: test/api/sign-in/passkeys.test.ts removes them. */
const ELSEWHERE = ['DELETE /passkeys/:passkey_id'];

describe.each(databaseKinds)('dependents of a deleted resource stop working, on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('every route that deletes is listed', () => {
    const routes = api.routes.filter((route) => route.startsWith('DELETE ') && !READ_ONLY.test(route));
    expect([...Object.keys(LIVES), ...ELSEWHERE].toSorted()).toEqual(routes.toSorted());
  });

  test.each(Object.entries(LIVES))('%s', async (route, prepare) => {
    const acme = await newOrganization(api);
    const values: Record<string, string> = { ...(await oneOfEverything(acme)) };
    const use = (others: Values) => void Object.assign(values, others);
    const life = await prepare({ api, acme, values, use });
    expect(await living(life), 'before').toEqual(Object.keys(life));
    const { method, path, body } = requestOf(route, values);
    const deleted = await acme.owner.call(method, path, body);
    // The deletion of a saved view returns the view, as in HCP Terraform.
    expect(deleted.status, deleted.text).toBe(route.includes('/explorer/views/') ? 200 : 204);
    expect(await living(life), 'afterwards').toEqual([]);
  });
});
