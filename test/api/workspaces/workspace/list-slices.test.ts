import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { DEFAULT_SETTINGS } from '../../../../src/workspaces/workspace/model/settings.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** Number of workspaces: enough for slices, and for many of them where the server's thread reads them (SQLite). */
const COUNT = { sqlite: 20_000, postgres: 3000 } as const;
const LIST = '/api/v2/organizations/large/workspaces';
const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)';

interface Item {
  readonly attributes: { readonly name: string };
}

describe.each(databaseKinds)('the first request for a list in a large organization, on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'large', email: 'ops@example.com' } },
    });
    await fill(server);
  }, 240_000);
  afterAll(() => server.stop());

  const list = async (query: string) => {
    const answer = await server.user('GET', `${LIST}?page[size]=100&${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  test.each([
    ['sorted by change', 'search[name]=w&sort=latest-change-at'],
    ['by a tag that all have, and by name', 'search[name]=w&search[tags]=all'],
    ['by a key and value that all have, deep', 'filter[tagged][0][key]=all&filter[tagged][0][value]=v&page[number]=20'],
    ['after all of them have changed', 'search[name]=w&sort=-latest-change-at'],
  ])('is served while other requests get responses: %s', { timeout: 120_000 }, async (way, query) => {
    await list('search[name]=w');
    if (way.startsWith('after')) await change('UPDATE workspace SET latest_change_at = latest_change_at + 1', {});
    const order: string[] = [];
    const listed = list(query).finally(() => order.push('list'));
    const pinged = server.call('GET', '/api/v2/ping').finally(() => order.push('ping'));
    const { meta, data } = await listed;
    expect((await pinged).status).toBe(204);
    expect(meta.pagination['total-count']).toBe(COUNT[kind]);
    expect(data).toHaveLength(100);
    // PostgreSQL reads in its own process, so the order is open.
    if (kind === 'sqlite') expect(order).toEqual(['ping', 'list']);
  });

  test('contains all earlier writes, and finally also the concurrent ones', async () => {
    const rename = (from: number, to: string) =>
      change(
        `UPDATE workspace SET name = '${to}-' || substr(name, 3) WHERE organization_id = :organization AND name = :name`,
        {
          organization: organizationId,
          name: `w-${String(100_000 + from)}`,
        },
      );
    await rename(7, 'renamed');
    const asked = Array.from({ length: 8 }, (_, i) =>
      list(`search[wildcard-name]=renamed*&sort=-latest-change-at${'&'.repeat(i % 2)}`),
    );
    for (const number of [8, 9, 10]) await rename(number, 'renamed');
    for (const body of await Promise.all(asked)) {
      expect(body.data.map(({ attributes }: Item) => attributes.name)).toContain('renamed-100007');
    }
    const { data } = await list('search[wildcard-name]=renamed*');
    expect(data.map(({ attributes }: Item) => attributes.name)).toEqual(
      ['07', '08', '09', '10'].map((number) => `renamed-1000${number}`),
    );
  });

  let organizationId = '';
  const change = (text: string, params: Record<string, string | number>) =>
    server.application.workspaces.database.run(sql<Record<string, string | number>>(text), params);

  async function fill({ application }: TestServer): Promise<void> {
    const { database } = application.workspaces;
    const found = await database.one(
      sql<Record<never, never>, { id: string; project: string }>(
        'SELECT id, default_project_id AS project FROM organization',
      ),
      {},
    );
    const { id: organization = '', project = '' } = found ?? {};
    organizationId = organization;
    await change(
      `${NUMBERS} INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version, created_at,
         updated_at, latest_change_at)
       SELECT 'ws-' || cast(100000 + i as text), :organization, :project, 'w-' || cast(100000 + i as text), :settings, 0, 1, 0, 0,
         (i * 7919) % 10007 FROM n`,
      { count: COUNT[kind], organization, project, settings: JSON.stringify(DEFAULT_SETTINGS) },
    );
    await change('UPDATE organization SET workspace_count = :count', { count: COUNT[kind] });
    await change(
      `INSERT INTO tag (id, organization_id, name, instance_count, created_at) VALUES ('tag-all', :organization, 'all', :count, 0)`,
      { organization, count: COUNT[kind] },
    );
    // Each of ten thousand rows would increment one counter row, which takes long on PostgreSQL.
    for (const [table, trigger] of [
      ['workspace_tag', 'workspace_tag_insert_version'],
      ['tag_binding', 'tag_binding_insert_version'],
    ]) {
      if (kind === 'postgres') await change(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`, {});
    }
    await change(
      `INSERT INTO workspace_tag (tag_id, workspace_name, workspace_id) SELECT 'tag-all', name, id FROM workspace`,
      {},
    );
    await change(
      `INSERT INTO tag_binding (id, organization_id, workspace_id, workspace_name, key, value, created_at)
       SELECT 'tb-' || id, organization_id, id, name, 'all', 'v', 0 FROM workspace`,
      {},
    );
  }
});
