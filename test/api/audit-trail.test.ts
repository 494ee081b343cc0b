import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const TRAIL = '/api/v2/organization/audit-trail';

describe.each(databaseKinds)('the audit trail of a server, on %s', (kind) => {
  const workspace = (name: string) => ({ data: { type: 'workspaces', attributes: { name } } });

  async function founded(server: TestServer): Promise<string> {
    const organization = { data: { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } } };
    await server.user('POST', '/api/v2/organizations', organization);
    const path = '/api/v2/organizations/acme/authentication-token?token=audit-trails';
    return (await server.user('POST', path)).body.data.attributes.token;
  }

  it('refers to the entries of the audit log, and is complete after a shutdown', async () => {
    const server = await startTestServer(kind);
    const token = await founded(server);
    const made = await server.user('POST', '/api/v2/organizations/acme/workspaces', workspace('one'));
    const { body } = await server.call('GET', TRAIL, { token });
    const id = made.headers['x-request-id'];
    expect(body.data[0]).toMatchObject({ request: { id }, resource: { id: made.body.data.id, action: 'create' } });
    expect(server.auditLines().filter(({ request_id }) => request_id === id)).toHaveLength(2);

    // A second node, which is stopped before its pending audit events are due.
    const beside = await startTestServer(kind, { beside: server });
    expect((await beside.user('POST', '/api/v2/organizations/acme/workspaces', workspace('two'))).status).toBe(201);
    await beside.stop();
    const { data } = (await server.call('GET', TRAIL, { token })).body;
    expect(data.slice(0, 2).map(({ resource }: { resource: { action: string } }) => resource.action)).toEqual([
      'create',
      'create',
    ]);
    await server.stop();
  });
});
