import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('the users of large teams, on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  /** The rows are inserted with one statement, because the test needs tens of thousands. */
  const insert = (statement: string) =>
    api.workspaces.database.transaction((tx) => tx.dynamic({ sql: statement, parameters: [] }));

  test('are included up to the maximum size of a response; a smaller page has them (400)', async () => {
    const acme = await newOrganization(api);
    const path = `/organizations/${acme.name}/teams`;
    for (const name of ['one', 'two']) {
      const made = await acme.owner.call('POST', path, { data: { type: 'teams', attributes: { name } } });
      const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 14000)';
      await insert(`INSERT INTO account (id, username, email, created_at)
        ${numbers} SELECT 'user-${name}' || i, '${name}' || i, '', 1 FROM n`);
      await insert(`INSERT INTO team_member (team_id, account_id)
        ${numbers} SELECT '${made.body.data.id}', 'user-${name}' || i FROM n`);
    }
    const one = await acme.owner.call('GET', `${path}?include=users&filter[names]=one`);
    expect([one.status, one.body.included.length]).toEqual([200, 14_000]);
    expect(one.body.data[0].relationships.users.data).toHaveLength(14_000);
    const refused = await acme.owner.call('GET', `${path}?include=users`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].source).toEqual({ parameter: 'page[size]' });
    expect((await acme.owner.call('GET', path)).status).toBe(200);
  });
});
