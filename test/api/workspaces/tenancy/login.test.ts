import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const AUTHORIZE = '/app/oauth2/authorize';
const TOKENS = '/app/settings/tokens';

describe.each(databaseKinds)('login through the browser on %s (facts §4.6)', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  const verifier = randomBytes(48).toString('base64url');
  const asked = {
    client_id: 'terraform-cli',
    response_type: 'code',
    redirect_uri: 'http://localhost:10009/login',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'b0a1"<&>',
  };
  const show = (changes: Record<string, string> = {}) =>
    server.call('GET', `${AUTHORIZE}?${new URLSearchParams({ ...asked, ...changes })}`);
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call('POST', path, { body: new URLSearchParams(fields).toString(), headers: { ...FORM, ...headers } });
  const approve = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    post(AUTHORIZE, { ...asked, token: server.userToken, description: 'laptop', lifetime: '8h', ...changes }, headers);
  const codeOf = ({ headers }: Answer) => new URL(headers.location ?? '').searchParams.get('code') ?? '';
  const redeem = (code: string, changes: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const { client_id, redirect_uri } = asked;
    const fields = { grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier };
    return post('/oauth2/token', { ...fields, ...changes }, headers);
  };
  const account = (token: string) => server.call('GET', '/api/v2/account/details', { token });

  it('shows the requesting program and its permissions, in a page without scripts that cannot be framed', async () => {
    const { status, headers, text } = await show();
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://localhost:10009;");
    expect(headers['referrer-policy']).toBe('same-origin');
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(text).toContain('<strong>localhost:10009</strong>');
    expect(text).toContain('value="b0a1&quot;&lt;&amp;&gt;"');
    expect(text).not.toContain('<script');
  });

  it('does not make browsers require TLS for the local server of `tofu login` on the same host name', async () => {
    const headers = { host: 'localhost:8200' };
    const own = await server.call('GET', TOKENS, { headers });
    expect(own.headers['strict-transport-security']).toBeUndefined();
    expect((await server.call('GET', TOKENS)).headers['strict-transport-security']).toBeDefined();
    expect((await approve({}, headers)).headers['strict-transport-security']).toBeUndefined();
  });

  it('gives a code to `tofu` and `terraform`, which exchange it for a user token that expires', async () => {
    const approved = await approve();
    expect(approved.status).toBe(303);
    const location = new URL(approved.headers.location ?? '');
    expect(`${location.origin}${location.pathname}`).toBe('http://localhost:10009/login');
    expect(location.searchParams.get('state')).toBe(asked.state);
    const { status, headers, body } = await redeem(codeOf(approved));
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 8 * 3600 });
    expect((await account(body.access_token)).body.data.attributes.username).toBe('first');
    const { body: list } = await server.user('GET', `/api/v2/users/${server.userId}/authentication-tokens`);
    expect(list.data.map((one: { attributes: { description: string } }) => one.attributes.description)).toContain(
      'laptop',
    );
    server.advance(8 * 3600);
    expect((await account(body.access_token)).status).toBe(401);
  });

  it('takes the client from a basic authentication as well', async () => {
    const { status } = await redeem(
      codeOf(await approve()),
      { client_id: '' },
      { authorization: `Basic ${btoa('terraform-cli:')}` },
    );
    expect(status).toBe(200);
  });

  it('gives a code once, to the first request', async () => {
    const code = codeOf(await approve());
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.error).toBe('invalid_grant');
  });

  it('expires a code after a minute', async () => {
    const early = codeOf(await approve());
    server.advance(59);
    expect((await redeem(early)).status).toBe(200);
    const late = codeOf(await approve());
    server.advance(60);
    expect((await redeem(late)).body.error).toBe('invalid_grant');
  });

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another address', { redirect_uri: 'http://localhost:10001/login' }],
  ])('a code is invalidated by %s', async (_name, changes) => {
    const code = codeOf(await approve());
    expect((await redeem(code, changes)).body.error).toBe('invalid_grant');
    expect((await redeem(code)).body.error).toBe('invalid_grant');
  });

  it('reports an invalid token request with the error codes of OAuth (RFC 6749 §5.2)', async () => {
    const code = codeOf(await approve());
    for (const [changes, error] of [
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ client_id: 'other' }, 'invalid_client'],
    ] as const) {
      const { status, body } = await redeem(code, changes);
      expect([status, body.error, typeof body.error_description]).toEqual([400, error, 'string']);
    }
    const twice = `grant_type=authorization_code&code=${code}&code=${code}`;
    expect((await server.call('POST', '/oauth2/token', { body: twice, headers: FORM })).status).toBe(400);
    expect((await server.call('POST', '/oauth2/token', { body: { code } })).status).toBe(400);
    expect((await redeem(code)).status).toBe(200);
  });

  it.each([
    ['redirect_uri', 'https://evil.example.com/login'],
    ['redirect_uri', 'http://localhost.evil.example.com:10000/'],
    ['redirect_uri', 'http://localhost:10011/login'],
    ['redirect_uri', 'http://localhost:9999/login'],
    ['redirect_uri', 'http://user@localhost:10000/login'],
    ['redirect_uri', 'http://localhost:10000@evil.example.com/'],
    ['redirect_uri', 'http://localhost:10000/login?next=https://evil.example.com'],
    ['redirect_uri', 'javascript:alert(1)'],
    ['client_id', 'other'],
    ['response_type', 'token'],
    ['code_challenge', ''],
    ['code_challenge', 'short'],
    ['code_challenge_method', 'plain'],
    ['state', ''],
  ])('refuses the %s %s here, without a redirect', async (name, value) => {
    for (const answer of [await show({ [name]: value }), await approve({ [name]: value })]) {
      expect(answer.status).toBe(400);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.text).toContain('role="alert"');
      if (value.length > 10) expect(answer.text).not.toContain(value);
    }
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
  ])('a form that comes with %j gets %d', async (headers, expected) => {
    expect((await approve({}, headers)).status).toBe(expected);
    expect((await post(TOKENS, { token: '', description: 'x' }, headers)).status).toBe(403);
  });

  it('takes a form that comes from its own page', async () => {
    expect((await approve({}, { origin: server.address })).status).toBe(303);
  });

  it('refuses requests without the token of a user, in the same error format', async () => {
    await server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'login', email: 'a@example.com' } },
    });
    const made = await server.user('POST', '/api/v2/organizations/login/authentication-token');
    expect(made.status).toBe(201);
    for (const token of ['', 'lku.wrong', server.rootToken, made.body.data.attributes.token, 'x'.repeat(10_000)]) {
      const { status, headers, text } = await approve({ token });
      expect([status, headers.location]).toEqual([403, undefined]);
      expect(text).toContain('This token is unknown');
      if (token !== '') expect(text).not.toContain(token);
    }
    expect((await approve({ lifetime: '9y' })).status).toBe(400);
    expect((await approve({ description: '' })).status).toBe(400);
  });

  it('the token page makes a token, and shows it once', async () => {
    const page = await server.call('GET', `${TOKENS}?source=terraform-login`);
    expect([page.status, page.headers['x-frame-options']]).toEqual([200, 'DENY']);
    expect(page.text).toContain('Your command line is waiting for a token');
    const fields = { token: ` ${server.userToken}\n`, description: '<b>ci</b>', lifetime: '1d' };
    const { status, headers, text } = await post(TOKENS, fields);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(text).toContain('&lt;b&gt;ci&lt;/b&gt;');
    const token = /<code class="secret">([^<]+)<\/code>/.exec(text)?.[1] ?? '';
    expect((await account(token)).status).toBe(200);
    expect((await post(TOKENS, { ...fields, token: 'lku.wrong' })).status).toBe(403);
    server.advance(24 * 3600);
    expect((await account(token)).status).toBe(401);
  });

  it('leaves no secret in the log and the audit log, only the user', async () => {
    const code = codeOf(await approve());
    const { body } = await redeem(code);
    await expect
      .poll(() => server.auditLines().filter(({ service }) => service === 'oauth').length)
      .toBeGreaterThanOrEqual(1);
    const shown = JSON.stringify([server.logLines(), server.auditLines()]);
    for (const secret of [server.userToken, code, body.access_token, verifier]) expect(shown).not.toContain(secret);
    const lines = server.logLines().filter(({ route }) => route === AUTHORIZE);
    expect(lines.some(({ actor_name, status }) => actor_name === 'first' && status === 303)).toBe(true);
  });
});
