import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const WORKSPACES = '/api/v2/organizations/acme/workspaces';

describe.each(databaseKinds)('the default of global-remote-state on %s', (kind) => {
  let sharing: TestServer;
  let usual: TestServer;
  beforeAll(async () => {
    sharing = await startTestServer(kind, { globalRemoteState: true });
    usual = await startTestServer(kind);
    for (const server of [sharing, usual]) {
      const attributes = { name: 'acme', email: 'acme@example.com' };
      const body = { data: { type: 'organizations', attributes } };
      expect((await server.user('POST', '/api/v2/organizations', body)).status).toBe(201);
    }
  });
  afterAll(() => Promise.all([sharing.stop(), usual.stop()]));

  let names = 0;
  async function made(server: TestServer, attributes: object) {
    const body = { data: { type: 'workspaces', attributes: { name: `w-${++names}`, ...attributes } } };
    const answer = await server.user('POST', WORKSPACES, body);
    expect(answer.status).toBe(201);
    return answer.body.data;
  }
  const isGlobal = async (server: TestServer, attributes: object) =>
    (await made(server, attributes)).attributes['global-remote-state'];

  it("follows the operator's default, unless a new workspace sets it", async () => {
    expect([await isGlobal(sharing, {}), await isGlobal(usual, {})]).toEqual([true, false]);
  });

  it('is overridden by the workspace, also for sharing with its project', async () => {
    expect(await isGlobal(sharing, { 'global-remote-state': false })).toBe(false);
    expect(await isGlobal(usual, { 'global-remote-state': true })).toBe(true);
    expect(await isGlobal(sharing, { 'project-remote-state': true })).toBe(false);
  });

  it('is of new workspaces: a change of another setting leaves it', async () => {
    const { id } = await made(sharing, { 'global-remote-state': false });
    const body = { data: { type: 'workspaces', attributes: { description: 'changed' } } };
    const changed = await sharing.user('PATCH', `/api/v2/workspaces/${id}`, body);
    expect(changed.body.data.attributes['global-remote-state']).toBe(false);
  });
});
