import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { base64, md5, stateText } from '../support/states.ts';

const removeWorkspace = sql<{ id: string }>('DELETE FROM workspace WHERE id = :id');

describe.each(databaseKinds)('the bytes of states on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind, { stateSnapshotInterval: 30 });
    const organization = { data: { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } } };
    expect((await server.user('POST', '/api/v2/organizations', organization)).status).toBe(201);
  });
  afterAll(() => server.stop());

  const files = () =>
    !existsSync(join(server.folder, 'blobs'))
      ? []
      : readdirSync(join(server.folder, 'blobs'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name));

  async function workspaceWithStates(name: string, states: readonly string[]): Promise<string> {
    const body = { data: { type: 'workspaces', attributes: { name } } };
    const { id } = (await server.user('POST', '/api/v2/organizations/acme/workspaces', body)).body.data;
    await server.user('POST', `/api/v2/workspaces/${id}/actions/lock`);
    for (const [serial, text] of states.entries()) {
      const attributes = { serial, md5: md5(text), state: base64(text) };
      const answer = await server.user('POST', `/api/v2/workspaces/${id}/state-versions`, {
        data: { type: 'state-versions', attributes },
      });
      expect(answer.status, answer.text).toBe(201);
    }
    return id;
  }

  async function keepHouse(): Promise<void> {
    const { housekeeping } = server.application.workspaces.states;
    // A pass of the server may be in progress: the first loop finishes it, and the second one is a complete pass.
    for (const _ of ['the end of one', 'another']) while (await housekeeping.step());
  }

  test('a retention policy frees old states and never the current one', async () => {
    const before = files().length;
    const id = await workspaceWithStates(
      'old',
      [1, 2, 3].map((serial) => stateText(serial)),
    );
    expect(files()).toHaveLength(before + 3);
    server.advance(10 * 86_400);
    const { hooks } = server.application.workspaces.workspace;
    const [store] = hooks.retained.filter((one) => one.kind === 'state-versions');
    const older = { before: Date.now() + 5 * 86_400_000, keepLatest: 0, limit: 100 };
    expect(await store?.deleteOlder(id, { ...older, before: 0 })).toBe(0);
    expect(await store?.deleteOlder(id, { ...older, keepLatest: 2 })).toBe(1);
    expect(await store?.deleteOlder(id, older)).toBe(1);
    expect(await store?.deleteOlder(id, older)).toBe(0);
    await expect.poll(() => files().length).toBe(before + 1);
    const current = await server.user('GET', `/api/v2/workspaces/${id}/current-state-version`);
    expect(current.body.data.attributes).toMatchObject({ serial: 2, status: 'finalized' });
  });

  test('only old files without a reference are deleted, including partial ones', async () => {
    await workspaceWithStates('kept', [stateText(7)]);
    const kept = files();
    const [one = ''] = kept;
    const fresh = one.replace(/.{4}$/, 'aaaa');
    const orphans = [one.replace(/.{4}$/, 'bbbb'), `${one.replace(/.{4}$/, 'cccc')}.draft`];
    for (const path of [fresh, ...orphans]) writeFileSync(path, 'left over');
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    for (const path of [...kept, ...orphans]) utimesSync(path, longAgo, longAgo);
    utimesSync(fresh, new Date(Date.now() + 30 * 86_400_000), new Date(Date.now() + 30 * 86_400_000));
    await keepHouse();
    expect(files().toSorted()).toEqual([...kept, fresh].toSorted());
  });

  test('the JSON form and the outputs beside an encrypted state are encrypted like the state', async () => {
    const id = await workspaceWithStates('sealed', []);
    const before = files();
    const value = 'hunter2-hunter2';
    const state = JSON.stringify({ serial: 1, encryption_version: 'v0', encrypted_data: 'QUJD' });
    const form = JSON.stringify({ format_version: '1.0', values: { outputs: { password: { value } } } });
    const outputs = base64(JSON.stringify({ password: { value, type: 'string', sensitive: true } }));
    const create = async (serial: number, given: object) => {
      const attributes = { serial, md5: md5(state), 'json-state-outputs': outputs, ...given };
      const body = { data: { type: 'state-versions', attributes } };
      const answer = await server.user('POST', `/api/v2/workspaces/${id}/state-versions`, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.attributes;
    };
    const at = (method: string, address: string, body?: string) => {
      const { pathname, search } = new URL(address);
      const headers = { 'content-type': 'application/json' };
      return server.call(method, `${pathname}${search}`, { headers, ...(body && { body }) });
    };
    const whole = await create(1, { state: base64(state), 'json-state': base64(form) });
    const waiting = await create(2, {});
    expect((await at('PUT', waiting['hosted-json-state-upload-url'], `${form} `)).status).toBe(200);

    const { database } = server.application.workspaces;
    const tables = ['state_version WHERE workspace_id', 'blob WHERE workspace_id'];
    const rows = await Promise.all(
      [...tables, 'state_content c JOIN blob b ON b.name = c.blob_name WHERE b.workspace_id'].map((from) =>
        database.dynamic<Record<string, unknown>>({ sql: `SELECT * FROM ${from} = '${id}'`, parameters: [] }),
      ),
    );
    expect(rows.map(({ length }) => length)).toEqual([2, 3, 1]);
    const columns = rows.flat().flatMap((row) => Object.values(row));
    const stored = columns.map((one) => Buffer.from(one instanceof Uint8Array ? one : String(one)));
    const added = files().filter((path) => !before.includes(path));
    expect(added).toHaveLength(3);
    const all = Buffer.concat([...stored, ...added.map((path) => readFileSync(path))]).toString('latin1');
    expect(all).not.toMatch(/hunter2|password|format_version|encrypted_data/);
    expect(all).not.toContain(outputs.slice(0, 20));
    expect((await at('GET', whole['hosted-json-state-download-url'])).text).toBe(form);
  });

  test('the bytes of a workspace that is gone go after it', async () => {
    const before = files().length;
    const id = await workspaceWithStates('gone', [stateText(1), stateText(2)]);
    expect(files()).toHaveLength(before + 2);
    const { database } = server.application.workspaces;
    await database.transaction(async (tx) => {
      await tx.run(removeWorkspace, { id });
    });
    await keepHouse();
    expect(files()).toHaveLength(before);
  });

  test('facts §4.3: responses about versions have the snapshot interval, if there is one', async () => {
    const id = await workspaceWithStates('snapshots', [stateText(1)]);
    const current = await server.user('GET', `/api/v2/workspaces/${id}/current-state-version`);
    expect(current.headers['x-terraform-snapshot-interval']).toBe('30');
    const workspace = await server.user('GET', `/api/v2/workspaces/${id}`);
    expect(workspace.headers).not.toHaveProperty('x-terraform-snapshot-interval');
  });

  test('an upload over HTTP/1.1 is audited: the caller and the purpose, and no secret of the URL', async () => {
    const id = await workspaceWithStates('audited', []);
    const text = stateText(1);
    const created = await server.user('POST', `/api/v2/workspaces/${id}/state-versions`, {
      data: { type: 'state-versions', attributes: { serial: 1, md5: md5(text) } },
    });
    const address = new URL(created.body.data.attributes['hosted-state-upload-url']);
    expect(address.origin).toBe(server.address);
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `${address.pathname}${address.search}`;
    const put = await server.call('PUT', path, { body: text, headers });
    expect(put.status, put.text).toBe(200);
    const lines = () => server.auditLines().filter(({ method, status }) => method === 'PUT' && status === 200);
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    expect(lines().at(-1)).toMatchObject({
      path: address.pathname,
      actor_kind: 'signed-address',
      actor_id: server.userId,
    });
    const signature = address.searchParams.get('link')?.split('.').at(-1) ?? 'none';
    expect(JSON.stringify([server.auditLines(), server.logLines()])).not.toContain(signature);
  });
});
