import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HERE = '127.0.0.1';
const ELSEWHERE = '127.0.0.2';
const CONFLICT = { errors: ["'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one"] };

describe.each(databaseKinds)('token_strictly_bind_ip, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot();
  const certificate = ca.issue();

  const writeRole = (settings: object) =>
    server.root('POST', '/v1/auth/cert/certs/bound', { certificate: ca.pem, ...settings });
  const writeTokenRole = (settings: object) => server.root('POST', '/v1/auth/token/roles/bound', settings);
  const login = (localAddress: string) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, localAddress, body: { name: 'bound' } });
  const lookup = (token: string, localAddress: string) =>
    server.call('GET', '/v1/auth/token/lookup-self', { token, localAddress });
  const create = (path: string, token: string, localAddress: string, body = {}) =>
    server.call('POST', `/v1/auth/token/${path}`, { token, localAddress, body });

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it.each(['service', 'batch'])("binds the %s token of a login to the client's IP address", async (type) => {
    expect((await writeRole({ token_strictly_bind_ip: true, token_type: type })).status).toBe(204);
    for (const [own, other] of [
      [HERE, ELSEWHERE],
      [ELSEWHERE, HERE],
    ] as const) {
      const { client_token: token, token_type: issued } = (await login(own)).body.auth;
      expect(issued).toBe(type);
      const shown = await lookup(token, own);
      expect([shown.status, shown.body.data.bound_cidrs]).toEqual([200, [own]]);
      const refused = await lookup(token, other);
      expect([refused.status, refused.body]).toEqual([403, { errors: ['permission denied'] }]);
      const asRoot = await server.root('POST', '/v1/auth/token/lookup', { token });
      expect(asRoot.body.data.bound_cidrs).toEqual([own]);
    }
  });

  it('also applies to renewals and to child tokens', async () => {
    await writeRole({ token_strictly_bind_ip: true, token_type: 'service', token_policies: 'maker' });
    await server.root('PUT', '/v1/sys/policies/acl/maker', {
      policy: 'path "auth/token/create" { capabilities = ["update"] }',
    });
    const { client_token: token } = (await login(HERE)).body.auth;
    const renew = (localAddress: string) =>
      server.call('POST', '/v1/auth/token/renew-self', { token, certificate, localAddress });
    expect([(await renew(HERE)).status, (await renew(ELSEWHERE)).status]).toEqual([200, 403]);
    const child = (await create('create', token, HERE)).body.auth.client_token;
    expect([(await lookup(child, HERE)).status, (await lookup(child, ELSEWHERE)).status]).toEqual([200, 403]);
    await writeRole({ token_policies: '' });
  });

  it('has no effect when it is off', async () => {
    await writeRole({ token_strictly_bind_ip: false });
    const { client_token: token } = (await login(HERE)).body.auth;
    const { status, body } = await lookup(token, ELSEWHERE);
    expect([status, body.data]).toEqual([200, expect.not.objectContaining({ bound_cidrs: expect.anything() })]);
  });

  it.each(['service', 'batch'])(
    'of a token role binds the %s token to the IP address that requested it',
    async (type) => {
      const settings = { token_strictly_bind_ip: true, orphan: true, renewable: type !== 'batch', token_type: type };
      expect((await writeTokenRole(settings)).status).toBe(204);
      expect((await server.root('GET', '/v1/auth/token/roles/bound')).body.data.token_strictly_bind_ip).toBe(true);
      const created = await create('create/bound', server.rootToken, ELSEWHERE, { policies: ['default'] });
      const { client_token: token } = created.body.auth;
      expect((await lookup(token, ELSEWHERE)).body.data.bound_cidrs).toEqual([ELSEWHERE]);
      expect((await lookup(token, HERE)).status).toBe(403);
      await server.root('DELETE', '/v1/auth/token/roles/bound');
    },
  );

  it.each([
    ['certificate roles', (settings: object) => writeRole(settings)],
    ['token roles', (settings: object) => writeTokenRole(settings)],
  ])('conflicts with token_bound_cidrs, in either order: %s', async (_name, write) => {
    const blocks = { token_bound_cidrs: '10.0.0.0/8' };
    const strictly = { token_strictly_bind_ip: true };
    expect(await write({ ...blocks, ...strictly })).toMatchObject({ status: 400, body: CONFLICT });
    expect((await write(blocks)).status).toBe(204);
    expect(await write(strictly)).toMatchObject({ status: 400, body: CONFLICT });
    expect((await write({ ...strictly, token_bound_cidrs: [] })).status).toBe(204);
    expect(await write(blocks)).toMatchObject({ status: 400, body: CONFLICT });
    expect(await write({ bound_cidrs: '10.0.0.0/8' })).toMatchObject({ status: 400, body: CONFLICT });
  });
});
