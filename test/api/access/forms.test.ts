import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startIssuer } from '../../support/jwt/issuer.ts';
import { createRoot } from '../../support/pki.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const FORM = 'application/x-www-form-urlencoded';

describe.each(databaseKinds)('a form instead of JSON, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot();
  const client = ca.issue({ subject: 'web' });
  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem, token_policies: 'deploy' });
  });
  afterAll(() => server.stop());

  const send = (method: string, path: string, body: string, contentType = FORM) =>
    server.call(method, path, { token: server.rootToken, body, headers: { 'content-type': contentType } });

  it.each(['POST', 'PUT'])('is a login, with %s', async (method) => {
    for (const contentType of [FORM, `${FORM}; charset=utf-8`, FORM.toUpperCase()]) {
      const options = { certificate: client, body: 'name=web&unknown=1', headers: { 'content-type': contentType } };
      const { status, body } = await server.call(method, '/v1/auth/cert/login', options);
      expect([status, body.auth?.metadata.cert_name]).toEqual([200, 'web']);
    }
    const other = { certificate: client, body: 'name=other', headers: { 'content-type': FORM } };
    expect((await server.call(method, '/v1/auth/cert/login', other)).status).toBe(400);
  });

  it('is a login with a token of another issuer', async () => {
    const issuer = await startIssuer();
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    await server.root('POST', '/v1/auth/jwt/config', { jwks_url: issuer.jwksUrl });
    await server.root('POST', '/v1/auth/jwt/role/ci', { user_claim: 'sub', bound_audiences: ['a'] });
    const now = Math.floor(server.now() / 1000);
    const jwt = await issuer.sign({ iss: issuer.url, sub: 'one', aud: 'a', iat: now, exp: now + 300 });
    const { body } = await send('POST', '/v1/auth/jwt/login', new URLSearchParams({ role: 'ci', jwt }).toString());
    expect(body.auth.metadata).toEqual({ role: 'ci' });
    await issuer.stop();
  });

  it('joins repeated fields by commas, and decodes escapes', async () => {
    const path = '/v1/auth/cert/certs/form';
    const pem = encodeURIComponent(ca.pem);
    const written = await send(
      'POST',
      path,
      `certificate=${pem}&token_policies=a&token_policies=b+c&display_name=%C3%A9&`,
    );
    expect(written.status).toBe(204);
    const { data } = (await server.root('GET', path)).body;
    expect(data).toMatchObject({ certificate: ca.pem, token_policies: ['a', 'b c'], display_name: 'é' });
  });

  it('is read where large contents are read in pieces, too', async () => {
    const list = new URLSearchParams({ crl: ca.crl().pem }).toString();
    expect((await send('POST', '/v1/auth/cert/crls/form', list)).status).toBe(204);
    const json = JSON.stringify({ crl: ca.crl().pem });
    expect((await send('POST', '/v1/auth/cert/crls/json', ` \n${json}`)).status).toBe(204);
    expect((await send('POST', '/v1/auth/cert/crls/large', `crl=${'x'.repeat(1_100_000)}`)).status).toBe(413);
  });

  it('is JSON if it starts like JSON, as curl sends it', async () => {
    const options = { certificate: client, body: ' \n{"name":"web"}', headers: { 'content-type': FORM } };
    expect((await server.call('POST', '/v1/auth/cert/login', options)).status).toBe(200);
  });

  it.each(['a=%zz', 'a=%ff', 'a;b=1', '__proto__=1', 'x&'.repeat(10_001)])(
    'is refused as none: %.20s',
    async (body) => {
      const answer = await send('POST', '/v1/sys/policies/acl/x', body);
      expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining('form')]);
    },
  );

  it('is none under another type or with another method', async () => {
    const json = await send('POST', '/v1/sys/policies/acl/x', 'policy=', 'application/json');
    expect([json.status, json.body.errors]).toEqual([400, ['failed to parse JSON input']]);
    expect((await send('PATCH', '/v1/identity/entity/id/x', 'name=y')).status).not.toBe(200);
  });
});
