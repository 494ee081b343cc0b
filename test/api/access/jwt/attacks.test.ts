import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Issuer, signingKey, signText, startIssuer } from '../../../support/jwt/issuer.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const REFUSED = { errors: ['failed to match all constraints for this login token'] };
const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const ROLE = { user_claim: 'sub', bound_audiences: 'lockkeeper', token_policies: 'deploy' };

describe.each(databaseKinds)('attacks on logins with tokens of others, on %s', (kind) => {
  let server: TestServer;
  let issuer: Issuer;

  const login = (jwt: unknown, role = 'deploy') => server.call('POST', '/v1/auth/jwt/login', { body: { role, jwt } });
  const now = () => Math.floor(server.now() / 1000);
  const claims = (more: Record<string, unknown> = {}) => ({
    ...{ iss: issuer.url, sub: 'repo:one', aud: 'lockkeeper', iat: now(), exp: now() + 300, ...more },
  });
  /** Returns the checks that a refused login failed, from its log line. */
  const faults = () => {
    const { verdicts } = server.logLines().findLast(({ verdicts }) => verdicts !== undefined) as {
      verdicts: { check: string; outcome: string }[];
    };
    return verdicts.filter(({ outcome }) => outcome === 'refused').map(({ check }) => check);
  };
  async function expectRefused(jwt: unknown, check: string, role?: string) {
    const { status, body } = await login(jwt, role);
    expect([check, status, body]).toEqual([check, 400, REFUSED]);
    expect(faults()).toContain(check);
  }

  beforeAll(async () => {
    server = await startTestServer(kind);
    issuer = await startIssuer();
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    const config = { jwks_url: issuer.jwksUrl, bound_issuer: issuer.url };
    expect((await server.root('POST', '/v1/auth/jwt/config', config)).status).toBe(200);
    expect((await server.root('POST', '/v1/auth/jwt/role/deploy', ROLE)).status).toBe(204);
    const anybody = { user_claim: 'sub', bound_subject: 'repo:one' };
    await server.root('POST', '/v1/auth/jwt/role/no-audience', anybody);
  });
  afterAll(async () => {
    await issuer.stop();
    await server.stop();
  });
  beforeEach(async () => {
    expect((await login(await issuer.sign(claims()))).status).toBe(200);
  });

  it('refuses an unsigned token', async () => {
    for (const alg of ['none', 'None', 'nOnE']) {
      await expectRefused(`${encoded({ alg, kid: 'one' })}.${encoded(claims())}.`, 'algorithm');
    }
    const [head, body] = (await issuer.sign(claims())).split('.');
    await expectRefused(`${head}.${body}.`, 'signature');
  });

  it('takes the public key for no shared secret', async () => {
    const key = issuer.keys[0];
    const text = `${encoded({ alg: 'HS256', kid: 'one' })}.${encoded(claims())}`;
    const mac = createHmac('sha256', key?.publicPem ?? '')
      .update(text)
      .digest('base64url');
    await expectRefused(`${text}.${mac}`, 'algorithm');
  });

  it('refuses a signature by another key, and of other claims', async () => {
    const stranger = signingKey('one');
    await expectRefused(await issuer.sign(claims(), { key: stranger }), 'signature');
    const [head, , signature] = (await issuer.sign(claims())).split('.');
    await expectRefused(`${head}.${encoded(claims({ sub: 'repo:two' }))}.${signature}`, 'signature');
  });

  it('looks at no key that a token brings along or points to', async () => {
    const stranger = signingKey('mine');
    const { createPublicKey } = await import('node:crypto');
    const jwk = createPublicKey(stranger.publicPem).export({ format: 'jwk' });
    const before = issuer.asked.length;
    for (const header of [{ jwk }, { jku: `${issuer.url}/evil` }, { x5u: `${issuer.url}/evil` }, { x5c: ['AAAA'] }]) {
      await expectRefused(await issuer.sign(claims(), { key: stranger, header }), 'signature');
    }
    expect(issuer.asked.slice(before)).not.toContain('/evil');
    const good = await issuer.sign(claims(), { header: { jku: `${issuer.url}/evil` } });
    expect((await login(good)).status).toBe(200);
  });

  it('refuses critical headers that it does not understand', async () => {
    const [, body, signature] = (await issuer.sign(claims())).split('.');
    const head = encoded({ alg: 'ES256', kid: 'one', crit: ['exp'], exp: 1 });
    await expectRefused(`${head}.${body}.${signature}`, 'token');
    await expectRefused(`${encoded({ alg: 'ES256', b64: false })}.${body}.${signature}`, 'token');
  });

  it('refuses tokens of other kinds that the issuer signs with the same key', async () => {
    for (const typ of ['logout+jwt', 'application/logout+jwt', 'secevent+JWT']) {
      await expectRefused(await issuer.sign(claims(), { header: { typ } }), 'token');
    }
  });

  it('refuses another audience, and one where none is bound', async () => {
    await expectRefused(await issuer.sign(claims({ aud: 'another' })), 'bound_audiences');
    await expectRefused(await issuer.sign(claims({ aud: undefined })), 'bound_audiences');
    await expectRefused(await issuer.sign(claims({ aud: ['lockkeeper', 7] })), 'bound_audiences');
    for (const aud of ['lockkeeper', ['lockkeeper']]) {
      await expectRefused(await issuer.sign(claims({ aud })), 'bound_audiences', 'no-audience');
    }
    expect((await login(await issuer.sign(claims({ aud: undefined })), 'no-audience')).status).toBe(200);
    expect((await login(await issuer.sign(claims({ aud: ['other', 'lockkeeper'] })))).status).toBe(200);
  });

  it('refuses a token that is expired, not valid yet, or without such claims', async () => {
    await expectRefused(await issuer.sign(claims({ iat: now() - 600, exp: now() - 61 })), 'expiration');
    await expectRefused(await issuer.sign(claims({ nbf: now() + 61 })), 'not_before');
    await expectRefused(await issuer.sign(claims({ iat: now() + 61 })), 'issued_at');
    await expectRefused(await issuer.sign(claims({ iat: undefined, exp: undefined })), 'times');
    for (const exp of ['soon', null, -1, 1e300, [now()], {}]) {
      const status = (await login(await signText(JSON.stringify({ ...claims(), iat: 1, exp }), keyOf(issuer)))).status;
      expect([exp, status]).toEqual([exp, 400]);
    }
    // A token without `exp` is valid for 150 seconds, plus one minute of clock skew.
    expect((await login(await issuer.sign(claims({ exp: undefined, iat: now() - 200 })))).status).toBe(200);
    await expectRefused(await issuer.sign(claims({ exp: undefined, iat: now() - 211 })), 'expiration');
    const exact = { ...ROLE, expiration_leeway: -1, clock_skew_leeway: -1 };
    expect((await server.root('POST', '/v1/auth/jwt/role/exact', exact)).status).toBe(204);
    await expectRefused(await issuer.sign(claims({ exp: undefined, iat: now() - 1 })), 'expiration', 'exact');
    expect((await login(await issuer.sign(claims()), 'exact')).status).toBe(200);
  });

  it('refuses another issuer with an equal subject', async () => {
    await expectRefused(await issuer.sign(claims({ iss: 'https://evil.example' })), 'issuer');
    await expectRefused(await issuer.sign(claims({ iss: undefined })), 'issuer');
    await expectRefused(await issuer.sign(claims({ iss: [issuer.url] })), 'issuer');
  });

  it('refuses claims that mean two things, or lie too deep', async () => {
    const { sub, ...rest } = claims();
    const inner = JSON.stringify(rest).slice(1, -1);
    for (const text of [
      `{"sub":"${sub}","sub":"root",${inner}}`,
      `{"sub":"${sub}","s\\u0075b":"root",${inner}}`,
      `{"sub":"${sub}","a":[{"b":1,"b":2}],${inner}}`,
      `{"sub":"${sub}","a":${'['.repeat(40)}${']'.repeat(40)},${inner}}`,
      `{"sub":"${sub}","__proto__":{"aud":"lockkeeper"},${inner}}`,
      `{"sub":"${sub}\\ud800",${inner}}`,
      `["${sub}"]`,
      'null',
      'no JSON',
      '',
    ]) {
      await expectRefused(await signText(text, keyOf(issuer)), 'token');
    }
    const twice = `{"alg":"none","alg":"ES256","kid":"one"}`;
    const [, body, signature] = (await issuer.sign(claims())).split('.');
    await expectRefused(`${encoded(twice)}.${body}.${signature}`, 'token');
  });

  it('refuses malformed and too large tokens', async () => {
    const good = await issuer.sign(claims());
    for (const text of ['a', 'a.b', '...', 'a.b.c.d.e', `${good}=`, `${good}.x`]) {
      await expectRefused(text, 'token');
    }
    await expectRefused(await issuer.sign(claims({ more: 'x'.repeat(40_000) })), 'token');
    expect((await login('')).body).toEqual({ errors: ['missing token'] });
    for (const odd of [7, null, true, ['a'], { a: 1 }]) expect((await login(odd)).status).toBe(400);
    expect((await login(good, '')).body).toEqual({ errors: ['missing role'] });
    expect((await login(good, 'nothing-of-this-name')).body).toEqual(REFUSED);
    expect((await login(good, '../config')).body).toEqual(REFUSED);
  });

  it('refuses claims of another type than the role wants', async () => {
    for (const sub of [7, true, ['repo:one'], { a: 1 }, '']) {
      await expectRefused(await signText(JSON.stringify({ ...claims(), sub }), keyOf(issuer)), 'user_claim sub');
    }
    expect((await login(await issuer.sign(claims({ sub: 'a\u0000b' })))).status).toBe(400);
    expect((await login(await issuer.sign(claims({ sub: 'x'.repeat(3000) })))).status).toBe(400);
  });

  it('sends one request to the issuer for many unknown keys', async () => {
    server.advance(11);
    const before = issuer.asked.length;
    const tokens = await Promise.all(
      Array.from({ length: 30 }, (_, n) => issuer.sign(claims(), { header: { kid: `made-up-${n}` } })),
    );
    const answers = await Promise.all(tokens.map((token) => login(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 400));
    expect(issuer.asked.length - before).toBe(1);
  });

  it('leaves neither a token nor claims of an unknown hand in log and record', async () => {
    const token = await issuer.sign(claims({ secret: 'in-the-token' }));
    await login(token);
    await login(await issuer.sign(claims({ sub: 'of-a-stranger' }), { key: signingKey('one') }));
    const all = JSON.stringify([server.logLines(), server.auditLines()]);
    for (const part of token.split('.')) expect(all).not.toContain(part);
    expect(all).not.toContain('in-the-token');
    expect(all).not.toContain('of-a-stranger');
    const line = server.auditLines().findLast(({ type }) => type === 'request') as Record<string, unknown>;
    expect(JSON.stringify(line)).toContain('hmac');
  });
});

const keyOf = ({ keys: [key] }: Issuer) => key ?? signingKey('none');
