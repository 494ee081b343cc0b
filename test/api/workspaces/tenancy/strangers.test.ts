import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';

/** Without caches, the server reads the resource before it authenticates the caller. */
describe.each(databaseKinds)('a stranger on a server without caches, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let served: Awaited<ReturnType<TestApi['forgetful']>>;
  let id: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('shown');
    served = await api.forgetful();
  });
  afterAll(async () => {
    await served.close();
    await api.close();
  });

  async function readsFor(token: string, path: string, status: number): Promise<number> {
    const before = served.reads();
    const answer = await served.holder(token).call('GET', path);
    expect(answer.status).toBe(status);
    return served.reads() - before;
  }

  test('costs one look-up, for any request and after any other caller', async () => {
    const path = `/workspaces/${id}`;
    const unknown = `lku.${'Z'.repeat(16)}.${'z'.repeat(32)}`;
    const atOther = await readsFor(unknown, `/organizations/${acme.name}`, 401);
    expect(await readsFor(unknown, path, 401)).toBe(atOther);
    await readsFor(acme.owner.token, path, 200);
    await readsFor(acme.owner.token, path, 200);
    expect(await readsFor(unknown, path, 401)).toBe(atOther);
  });
});
