import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(databaseKinds)('the users of a policy, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });

  const uses = async (name: string) => (await server.root('GET', `/v1/sys/policies/uses/${name}`)).body.data;
  const countsOf = async (name: string) => Object.values((await uses(name)).counts);

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it('lists roles, token roles, entities and groups, as soon as they are written', async () => {
    expect(await uses('web')).toEqual({
      roles: [],
      token_roles: [],
      entities: [],
      groups: [],
      counts: { roles: 0, token_roles: 0, entities: 0, groups: 0 },
    });
    const role = { certificate: ca.pem, token_policies: ['Web', 'other', 'WEB'] };
    await server.root('POST', '/v1/auth/cert/certs/runner', role);
    await server.root('POST', '/v1/auth/token/roles/deployers', { allowed_policies: 'web,api' });
    const entity = (await server.root('POST', '/v1/identity/entity', { name: 'mara', policies: ['web'] })).body.data;
    const group = (await server.root('POST', '/v1/identity/group', { name: 'ops', policies: ['web'] })).body.data;
    expect(await uses('WEB')).toEqual({
      roles: [{ mount_path: 'auth/cert/', name: 'runner' }],
      token_roles: ['deployers'],
      entities: [{ id: entity.id, name: 'mara' }],
      groups: [{ id: group.id, name: 'ops' }],
      counts: { roles: 1, token_roles: 1, entities: 1, groups: 1 },
    });

    await server.root('POST', '/v1/auth/cert/certs/runner', { ...role, token_policies: ['other'] });
    await server.root('POST', '/v1/auth/token/roles/deployers', { allowed_policies: ['api'] });
    await server.root('POST', `/v1/identity/entity/id/${entity.id}`, { policies: ['api'] });
    await server.root('POST', `/v1/identity/group/id/${group.id}`, { policies: [] });
    expect([await countsOf('web'), await countsOf('api')]).toEqual([
      [0, 0, 0, 0],
      [0, 1, 1, 0],
    ]);

    await server.root('DELETE', '/v1/auth/token/roles/deployers');
    await server.root('DELETE', `/v1/identity/entity/id/${entity.id}`);
    await server.root('DELETE', '/v1/auth/cert/certs/runner');
    expect([await countsOf('api'), await countsOf('other')]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
  });

  it('works with any other content of a role', async () => {
    const odd = ['\ud800', '\\ud800"', 'a\\', '\u0001', '😀'];
    for (const [index, display_name] of odd.entries()) {
      const role = { certificate: ca.pem, display_name, token_policies: ['odd', display_name] };
      expect((await server.root('POST', `/v1/auth/cert/certs/odd-${index}`, role)).status).toBe(204);
    }
    expect((await server.root('POST', '/v1/auth/token/roles/odd', { allowed_policies: odd })).status).toBe(204);
    expect(await countsOf('odd')).toEqual([odd.length, 0, 0, 0]);
    expect(await countsOf(encodeURIComponent('😀'))).toEqual([1, 1, 0, 0]);
  });

  it('excludes deleted mounts, and objects that the caller may not read', async () => {
    await server.root('POST', '/v1/sys/auth/second', { type: 'cert' });
    await server.root('POST', '/v1/auth/second/certs/runner', { certificate: ca.pem, token_policies: ['gone'] });
    expect((await uses('gone')).roles).toEqual([{ mount_path: 'auth/second/', name: 'runner' }]);
    await server.root('DELETE', '/v1/sys/auth/second');
    expect(await uses('gone')).toMatchObject({ roles: [], counts: { roles: 0 } });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['default'] });
    const token = made.body.auth.client_token;
    expect((await server.call('GET', '/v1/sys/policies/uses/gone', { token })).status).toBe(403);
  });
});
