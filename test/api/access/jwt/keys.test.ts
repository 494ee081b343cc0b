import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Issuer, signingKey, startIssuer } from '../../../support/jwt/issuer.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const MINUTE = 60;

describe('the keys of issuers', () => {
  let server: TestServer;
  let issuer: Issuer;

  const now = () => Math.floor(server.now() / 1000);
  const configure = (body: Record<string, unknown>) => server.root('POST', '/v1/auth/jwt/config', body);
  const token = (options = {}) =>
    issuer.sign({ iss: issuer.url, sub: 'one', aud: 'a', iat: now(), exp: now() + 300 }, options);
  const login = async (jwt?: string) => {
    const body = { role: 'deploy', jwt: jwt ?? (await token()) };
    return (await server.call('POST', '/v1/auth/jwt/login', { body })).status;
  };
  const fetches = () => issuer.asked.filter((path) => path === '/keys').length;

  async function start(options: Parameters<typeof startTestServer>[1] = {}) {
    server = await startTestServer('sqlite', options);
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    await server.root('POST', '/v1/auth/jwt/role/deploy', { user_claim: 'sub', bound_audiences: ['a'] });
  }
  beforeEach(async () => {
    issuer = await startIssuer();
  });
  afterEach(async () => {
    await server.stop();
    await issuer.stop();
  });

  it('are found by discovery, at a configured URL, or in the settings', async () => {
    await start();
    expect((await configure({ oidc_discovery_url: issuer.url })).status).toBe(200);
    expect(await login()).toBe(200);
    // The issuer of the discovery document applies to tokens, unless the mount sets `bound_issuer`.
    const other = await issuer.sign({ iss: 'https://b.example', sub: 'one', aud: 'a', exp: now() + 9 });
    expect(await login(other)).toBe(400);
    await configure({ oidc_discovery_url: issuer.url, bound_issuer: 'https://b.example' });
    expect(await login(other)).toBe(200);

    await configure({ jwks_pairs: [{ jwks_url: `${issuer.url}/nothing` }, { jwks_url: issuer.jwksUrl }] });
    await configure({
      skip_jwks_validation: true,
      jwks_pairs: [{ jwks_url: `${issuer.url}/x` }, { jwks_url: issuer.jwksUrl }],
    });
    expect(await login()).toBe(200);

    const rsa = signingKey('none', 'RS256');
    const edwards = signingKey('none', 'EdDSA');
    const keys = [rsa.publicPem, edwards.publicPem];
    expect((await configure({ jwt_validation_pubkeys: keys })).status).toBe(204);
    expect(await login(await token({ key: rsa }))).toBe(200);
    expect(await login(await token({ key: edwards }))).toBe(200);
    expect(await login()).toBe(400);
    await configure({ jwt_validation_pubkeys: keys, jwt_supported_algs: ['RS256'] });
    expect(await login(await token({ key: edwards }))).toBe(400);
  });

  it('of a document that calls itself by another name are not believed', async () => {
    await start();
    issuer.answer = (_path, response) =>
      response.end(JSON.stringify({ issuer: 'https://evil.example', jwks_uri: issuer.jwksUrl }));
    const { status, body } = await configure({ oidc_discovery_url: issuer.url });
    expect(status).toBe(400);
    expect(body.errors[0]).toContain('another issuer');
    // The error has both names, so that the operator knows which of them to correct.
    expect(body.errors[0]).toContain('"https://evil.example"');
    expect(body.errors[0]).toContain(`"${issuer.url}"`);
  });

  it('are fetched once, again for an unknown key, and again after ten minutes', async () => {
    await start();
    await configure({ jwks_url: issuer.jwksUrl });
    const before = fetches();
    const together = await Promise.all(Array.from({ length: 10 }, () => login()));
    expect(together).toEqual(Array.from({ length: 10 }, () => 200));
    expect(fetches() - before).toBe(1);

    const old = issuer.keys[0];
    issuer.keys = [signingKey('two')];
    // The server does not fetch again so soon after the last fetch.
    expect(await login()).toBe(400);
    expect(await login(await token({ key: old }))).toBe(200);
    server.advance(10);
    expect(await login()).toBe(200);
    expect(fetches() - before).toBe(2);
    // A key that the issuer has removed is refused.
    expect(await login(await token({ key: old }))).toBe(400);

    issuer.keys = [signingKey('three')];
    const withdrawn = await issuer.sign({ sub: 'one', aud: 'a', exp: now() + 3600 }, { key: signingKey('two') });
    server.advance(10 * MINUTE);
    expect(await login(withdrawn)).toBe(400);
    expect(fetches() - before).toBe(3);
  });

  it('last for a day while the issuer is away', async () => {
    await start();
    await configure({ jwks_url: issuer.jwksUrl });
    expect(await login()).toBe(200);
    issuer.answer = (_path, response) => void response.writeHead(503).end('the secret of a provider');
    server.advance(23 * 60 * MINUTE);
    expect(await login()).toBe(200);
    server.advance(61 * MINUTE);
    expect(await login()).toBe(400);
    expect(JSON.stringify([server.logLines(), server.auditLines()])).not.toContain('the secret of a provider');
    issuer.answer = undefined;
    server.advance(11);
    expect(await login()).toBe(200);
    const figures = (await server.call('GET', '/metrics')).text;
    expect(figures).toMatch(/jwt_key_fetches_total\{[^}]*kind="failed"[^}]*\} 2/);
  });

  it('are not used from a response that is too large, too slow, empty, or at another URL', {
    timeout: 20_000,
  }, async () => {
    await start({ deniesOwnAddresses: true, allowedAddresses: ['127.0.0.1'] });
    const answers: [string, NonNullable<Issuer['answer']>][] = [
      ['more than', (_path, response) => void response.end(Buffer.alloc(10 * 1024 * 1024, ' '))],
      ['no answer within', () => {}],
      ['not JSON', (_path, response) => void response.end('secret-of-the-issuer')],
      ['not JSON', (_path, response) => void response.end('['.repeat(1000))],
      ['not a JSON Web Key Set', (_path, response) => void response.end('{"keys":{}}')],
      ['not a JSON Web Key Set', (_path, response) => void response.end(`{"keys":[${'{},'.repeat(101)}{}]}`)],
      ['no key', (_path, response) => void response.end('{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"one"}]}')],
      ['no key', (_path, response) => void response.end('{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"one"}]}')],
      ['status 500', (_path, response) => void response.writeHead(500).end('secret-of-the-issuer')],
      [
        'are not allowed',
        (_path, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      ],
      ['are not allowed', (_path, response) => void response.writeHead(302, { location: 'http://[::1]/' }).end()],
      ['are not allowed', (_path, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
      ['redirects', (path, response) => void response.writeHead(302, { location: path }).end()],
      ['failed', (_path, response) => void response.destroy()],
    ];
    for (const [why, answer] of answers) {
      issuer.answer = answer;
      const { status, body } = await configure({ jwks_url: issuer.jwksUrl });
      expect([why, status, body.errors[0]]).toEqual([why, 400, expect.stringContaining(why)]);
    }
    const stored = await configure({ jwks_url: issuer.jwksUrl, skip_jwks_validation: true });
    expect([stored.status, stored.body.warnings.length]).toEqual([200, 2]);
    expect(await login()).toBe(400);
    expect(JSON.stringify([server.logLines(), server.auditLines()])).not.toContain('secret-of-the-issuer');
  });

  it('are not fetched from forbidden addresses', async () => {
    await start({ deniesOwnAddresses: true });
    for (const url of [issuer.jwksUrl, 'http://169.254.169.254/keys', 'http://localhost/keys', 'http://[::1]/keys']) {
      const { status, body } = await configure({ jwks_url: url });
      expect([url, status, body.errors[0]]).toEqual([url, 400, expect.stringContaining('are not allowed')]);
    }
    for (const url of ['file:///etc/passwd', 'keys', 'http://a:b@example.com/', `https://${'a'.repeat(3000)}`]) {
      expect([url, (await configure({ jwks_url: url })).status]).toEqual([url, 400]);
    }
    expect(issuer.asked).toEqual([]);
  });

  it('are those of the configuration of now, at every node', async () => {
    await start();
    const beside = await startTestServer('sqlite', { beside: server });
    try {
      await configure({ jwks_url: issuer.jwksUrl });
      const body = { role: 'deploy', jwt: await token() };
      const there = () => beside.call('POST', '/v1/auth/jwt/login', { body });
      expect((await there()).status).toBe(200);
      await configure({ jwt_validation_pubkeys: [signingKey('other').publicPem] });
      expect((await there()).status).toBe(400);
      await configure({ jwks_url: issuer.jwksUrl });
      await server.root('POST', '/v1/auth/jwt/role/deploy', { bound_audiences: ['b'] });
      expect((await there()).status).toBe(400);
    } finally {
      await beside.stop();
    }
  });
});
