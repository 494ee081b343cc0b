import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { type Caller, startApi, type TestApi } from './support/api.ts';
import { newOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, SURFACE } from './support/surface/index.ts';

describe.each(databaseKinds)('cached reads equal the database after every write, on %s', (kind) => {
  let api: TestApi;
  let forgetful: Awaited<ReturnType<TestApi['forgetful']>>;
  beforeAll(async () => {
    api = await startApi(kind);
    forgetful = await api.forgetful();
  });
  afterAll(async () => {
    await forgetful.close();
    await api.close();
  });

  test('after each route of the surface', { timeout: 120_000 }, async () => {
    const acme = await newOrganization(api);
    const values = await oneOfEverything(acme);
    const list = `/organizations/${acme.name}/workspaces`;
    const id = values.workspace_id ?? '';
    const { name } = (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes;
    const paths = [
      `/workspaces/${id}`,
      `${list}/${name}`,
      `${list}?sort=-latest-change-at`,
      `/organizations/${acme.name}`,
    ];
    const runner = await acme.machine('kept', { 'read-workspaces': true });
    const callers: Caller[] = [acme.owner, runner];
    const answers = async (holder: TestApi['holder']) => {
      const all: [string, number, string][] = [];
      for (const { token } of callers) {
        for (const path of paths) {
          const { status, text } = await holder(token).call('GET', path);
          all.push([path, status, text]);
        }
      }
      return all;
    };

    let before = await answers(api.holder);
    const changed = new Set<string>();
    const isRemoval = (route: string) => Number(/^DELETE|delete|remov/.test(route));
    const writes = Object.keys(SURFACE).filter((route) => !route.startsWith('GET'));
    for (const route of writes.toSorted((one, other) => isRemoval(one) - isRemoval(other))) {
      const { method, path, body } = requestOf(route, values);
      await acme.owner.call(method, path, body);
      const [kept, read] = [await answers(api.holder), await answers(forgetful.holder)];
      expect([route, kept]).toEqual([route, read]);
      if (JSON.stringify(kept) !== JSON.stringify(before)) changed.add(route);
      before = kept;
    }
    // The test proves something only if enough of them have changed.
    expect(changed.size).toBeGreaterThan(15);
  });
});
