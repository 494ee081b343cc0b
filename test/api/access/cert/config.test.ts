import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const DEFAULTS = {
  disable_binding: false,
  enable_identity_alias_metadata: false,
  ocsp_cache_size: 100,
  role_cache_size: 200,
  alias_source: 'common_name',
  strict_dns_names: true,
  strict_dns_patterns: false,
};

describe.each(databaseKinds)('the configuration of the method, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot();
  const read = async () => (await server.root('GET', '/v1/auth/cert/config')).body.data;
  const write = (body: Record<string, unknown>) => server.root('POST', '/v1/auth/cert/config', body);

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
  });
  afterAll(() => server.stop());

  it('has defaults before the first write, and merges each write', async () => {
    expect(await read()).toEqual(DEFAULTS);
    expect((await write({ ocsp_cache_size: 5 })).status).toBe(204);
    expect((await write({ role_cache_size: -1 })).status).toBe(204);
    expect(await read()).toEqual({ ...DEFAULTS, ocsp_cache_size: 5, role_cache_size: -1 });
    await write({ role_cache_size: 0, ocsp_cache_size: '100' });
    expect(await read()).toEqual(DEFAULTS);
  });

  it.each([
    [{ ocsp_cache_size: 1 }, 'invalid ocsp cache size, must be >= 2 and <= 100000'],
    [{ ocsp_cache_size: 100_001 }, 'invalid ocsp cache size'],
    [{ role_cache_size: -2 }, 'invalid role cache size, must be <= 100000 or -1 to disable role caching'],
    [{ role_cache_size: 100_001 }, 'invalid role cache size'],
    [{ disable_binding: 'perhaps' }, 'error converting input for field "disable_binding"'],
    [{ strict_dns_names: [] }, 'error converting input for field "strict_dns_names"'],
    [{ strict_dns_patterns: 2 }, 'error converting input for field "strict_dns_patterns"'],
  ])('refuses %j', async (body, text) => {
    const answer = await write(body);
    expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining(text)]);
    expect(await read()).toEqual(DEFAULTS);
  });

  it('finds roles with any size of their cache', async () => {
    for (const size of [-1, 1, 200]) {
      await write({ role_cache_size: size });
      for (const name of ['web', 'other']) {
        await server.root('POST', `/v1/auth/cert/certs/${name}`, {
          certificate: ca.pem,
          display_name: `${name}${size}`,
        });
        const login = await server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue(), body: { name } });
        const { display_name: displayName } = (
          await server.call('GET', '/v1/auth/token/lookup-self', { token: login.body.auth.client_token })
        ).body.data;
        expect(displayName).toBe(`cert-${name}${size}`);
      }
    }
  });

  it('without binding lets a token be renewed over any connection, on the terms of the role still', async () => {
    const login = await server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue(), body: { name: 'web' } });
    const token = login.body.auth.client_token;
    const renew = () => server.call('POST', '/v1/auth/token/renew-self', { token });
    expect((await renew()).status).toBe(400);
    await write({ disable_binding: true });
    expect((await renew()).status).toBe(200);
    await server.root('POST', '/v1/auth/cert/certs/web', { token_policies: 'more' });
    expect((await renew()).body.errors).toEqual(['policies have changed, not renewing']);
    await server.root('DELETE', '/v1/auth/cert/certs/web');
    expect((await renew()).status).toBe(400);
    await write({ disable_binding: false });
  });
});
