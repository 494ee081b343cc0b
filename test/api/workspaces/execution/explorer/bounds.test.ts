import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileBlobs, type Params, sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { lockedWorkspace, resource, stateText } from '../../support/states.ts';

const AWS = 'registry.opentofu.org/hashicorp/aws';
const MEMORY = { total: 400_000, table: 250_000 };
const inParallel = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

/** Adds workspaces with the same settings and packages as a workspace that the API made. */
async function fill(api: TestApi, like: string, count: number, packages: object): Promise<void> {
  const copies = sql<Params>(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < CAST(:count AS INTEGER))
     INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version, created_at,
       updated_at, latest_change_at)
     SELECT w.id || '-' || n.i, w.organization_id, w.project_id, w.name || '-' || n.i, w.settings, 0, 1, w.created_at,
       w.updated_at, w.latest_change_at FROM workspace w CROSS JOIN n WHERE w.id = :like`,
  );
  const used = sql<Params>(
    `INSERT INTO workspace_packages (workspace_id, packages, recorded_at, applied_at)
     SELECT id, :packages, created_at, created_at FROM workspace WHERE id LIKE CAST(:like AS TEXT) || '-%'`,
  );
  await api.workspaces.database.run(copies, { like, count });
  await api.workspaces.database.run(used, { like, packages: JSON.stringify(packages) });
}

describe.each(databaseKinds)('queries of the explorer on %s', (kind) => {
  let api: TestApi;
  let greedy: TestOrganization;
  let modest: TestOrganization;
  const path = ({ name }: TestOrganization) => `/organizations/${name}/explorer`;
  const ask = (one: TestOrganization) => one.owner.call('GET', `${path(one)}?type=workspaces&fields=workspace_name`);

  beforeAll(async () => {
    api = await startApi(kind);
    greedy = await newOrganization(api);
    modest = await newOrganization(api);
    await modest.workspace('only');
    const like = await greedy.workspace('many');
    const modules = Array.from({ length: 100 }, (_, at) => ({
      ...{ key: `m${at}`, source: `git::https://example.com/${'a'.repeat(200)}/${at}.git`, version: null },
    }));
    await fill(api, like, 1000, { providers: [{ source: AWS, version: '5.0.0' }], modules });
  });
  afterAll(() => api.close());

  it('are limited for one organization, while others get their answers', async () => {
    const [own, others] = await Promise.all([inParallel(40, () => ask(greedy)), inParallel(4, () => ask(modest))]);
    const refused = own.filter(({ status }) => status === 429);
    expect(own.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(8);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(refused[0]?.body.errors[0].detail).toContain('Too many explorer queries are running');
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask(greedy)).status).toBe(200);
  });

  it('send CSV files of groups after one pass over the workspaces', async () => {
    const modules = await greedy.owner.call('GET', `${path(greedy)}/export/csv?type=modules&sort=source`);
    const lines = modules.text.trim().split('\n');
    expect(lines).toHaveLength(101);
    // The names are those of the page, of which there are at most 100.
    const first = await greedy.owner.call('GET', `${path(greedy)}?type=modules&sort=source&page[size]=1`);
    expect(lines[1]).toContain(`"${first.body.data[0].attributes.workspaces}"`);
    expect(first.body.data[0].attributes.workspaces.split(', ')).toHaveLength(100);
  });

  it('sort by lists, whose texts are shared, and show their first entries', async () => {
    const sorted = await greedy.owner.call('GET', `${path(greedy)}?type=workspaces&sort=-modules&page[size]=2`);
    expect(sorted.status, sorted.text).toBe(200);
    expect(sorted.body.meta.pagination['total-count']).toBe(1001);
    const [first] = sorted.body.data;
    const modules: string[] = first.attributes.modules.split(', ');
    expect(modules[0]).toContain('/0.git');
    expect(modules.at(-1)).toBe(`and ${100 - (modules.length - 1)} more`);
    expect(first.attributes.modules.length).toBeLessThan(4100);
    expect(first.attributes['module-count']).toBe(100);
    const query = `type=workspaces&fields=modules&filter[0][external_id][is][0]=${first.id}`;
    const file = await greedy.owner.call('GET', `${path(greedy)}/export/csv?${query}`);
    expect(file.text).toContain('/99.git"');
    expect(file.text).not.toContain(' more');
  });

  it('send few CSV files at a time, also to readers that do not read', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.app.server.address() as AddressInfo;
    const silent = await inParallel(2, () => unread(port, `${path(greedy)}/export/csv?type=workspaces`, greedy.owner));
    const third = await greedy.owner.call('GET', `${path(greedy)}/export/csv?type=tf_versions`);
    expect(third.status, third.text).toBe(429);
    expect(third.headers['retry-after']).toBe('10');
    expect(third.headers['content-type']).toContain('application/vnd.api+json');
    expect(third.body.errors[0].detail).toContain('CSV files');
    const other = await modest.owner.call('GET', `${path(modest)}/export/csv?type=workspaces&fields=workspace_name`);
    expect(other.text).toBe('workspace_name\n"only"\n');
    expect((await ask(greedy)).status).toBe(200);
    for (const socket of silent) socket.destroy();
    await expect
      .poll(async () => (await greedy.owner.call('GET', `${path(greedy)}/export/csv?type=tf_versions`)).status)
      .toBe(200);
  });
});

/** Requests a file on a connection, and reads nothing of it but its beginning. */
async function unread(port: number, path: string, { token }: Caller): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v2${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

describe.each(databaseKinds)('the memory of the explorer on %s', (kind) => {
  let api: TestApi;
  let wordy: TestOrganization;
  let modest: TestOrganization;
  const ask = ({ name, owner }: TestOrganization, query: string) =>
    owner.call('GET', `/organizations/${name}/explorer?${query}`);

  beforeAll(async () => {
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, {}, { explorerMemory: MEMORY });
    wordy = await newOrganization(api);
    modest = await newOrganization(api);
    const app = await lockedWorkspace(api, modest, 'app');
    await app.write(stateText(1, { resources: [resource('aws_vpc', 'main', [{ id: 'v' }])] }), { serial: 1 });
  });
  afterAll(() => api.close());

  /** Types whose names nobody else has, as long as the server takes them. */
  const types = (of: string) =>
    Array.from({ length: 120 }, (_, at) => resource(`aws_${of}_${at}_${'x'.repeat(230)}`, 'one', [{ id: 'i' }]));

  it('says which fields to leave out if what the workspaces use does not fit', async () => {
    const first = await lockedWorkspace(api, wordy, 'first');
    await first.write(stateText(1, { resources: types('first') }), { serial: 1 });
    const counted = await ask(wordy, 'type=resource_types&page[size]=1');
    expect(counted.status, counted.text).toBe(200);
    expect(counted.body.meta.pagination['total-count']).toBeGreaterThan(100);

    for (const name of ['second', 'third', 'fourth']) {
      const one = await lockedWorkspace(api, wordy, name);
      await one.write(stateText(1, { resources: types(name) }), { serial: 1 });
    }
    for (const query of ['type=resource_types', 'type=workspaces', 'type=workspaces&fields=provider_count']) {
      const refused = await ask(wordy, query);
      expect(refused.status, query).toBe(422);
      expect(refused.body.errors[0].detail).toContain('choose fields without providers');
    }
    const names = await ask(wordy, 'type=workspaces&fields=workspace_name,resource_count&sort=workspace_name');
    expect(names.status, names.text).toBe(200);
    expect(names.body.data.map(({ attributes }: { attributes: object }) => Object.values(attributes))).toEqual([
      ...[
        ['120', 'first'],
        ['120', 'fourth'],
        ['120', 'second'],
        ['120', 'third'],
      ].map(([count, name]) => [Number(count), name]),
    ]);
    expect((await ask(wordy, 'type=tf_versions')).status).toBe(200);
    const other = await ask(modest, 'type=resource_types');
    expect(other.body.data[0].attributes['resource-type']).toBe('aws_vpc');

    // The organization gets everything again after it has removed what did not fit.
    for (const name of ['second', 'third', 'fourth']) {
      await wordy.owner.call('POST', `/organizations/${wordy.name}/workspaces/${name}/actions/force-unlock`);
      const path = `/organizations/${wordy.name}/workspaces/${name}`;
      expect((await wordy.owner.call('DELETE', path)).status).toBe(204);
    }
    api.advance(600_000);
    expect((await ask(wordy, 'type=resource_types')).status).toBe(200);
  });

  it('refuses an organization whose names do not fit, with words, and others get their answers', async () => {
    const like = await wordy.workspace(`w${'n'.repeat(70)}`);
    await fill(api, like, 500, { providers: [], modules: [] });
    for (let round = 0; round < 3; round++) {
      const refused = await ask(wordy, 'type=workspaces&fields=workspace_name');
      expect(refused.status, refused.text).toBe(422);
      expect(refused.body.errors[0].detail).toContain('Use the list of workspaces');
      expect((await ask(modest, 'type=workspaces')).status).toBe(200);
    }
  });
});
