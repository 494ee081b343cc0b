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

/** Passkeys come from a browser: test/api/sign-in/passkeys.test.ts removes them. */
const ELSEWHERE = ['DELETE /passkeys/:passkey_id'];

describe.each(databaseKinds)('dependents of a deleted resource stop working, on %s', (kind) => {
  let api: TestApi;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into the document
  let paths: any;
  beforeAll(async () => {
    api = await startApi(kind);
    ({ paths } = (await api.nobody().call('GET', '/openapi.json')).body);
  });
  afterAll(() => api.close());

  /** Returns whether the document has any other response than a refusal. */
  function succeeds(route: string): boolean {
    const [method = '', path = ''] = route.split(' ');
    const { responses } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    return Object.keys(responses).some((status) => status !== 'default');
  }

  test('every route that deletes is listed', () => {
    const routes = api.routes.filter((route) => route.startsWith('DELETE ') && succeeds(route));
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
    expect(deleted.status, deleted.text).toBeLessThan(300);
    expect(await living(life), 'afterwards').toEqual([]);
  });
});
