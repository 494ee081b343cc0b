import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import type { Answer, CallOptions } from '../../support/http.ts';
import { createRoot } from '../../support/pki.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const SESSION = '/app/~session';
const MARK = { 'x-lockkeeper-console': '1' };
type Resource = { readonly id: string; readonly attributes: Readonly<Record<string, string>> };
/** Headers that a browser adds to a request from a page of the console. */
const OWN = { ...MARK, 'sec-fetch-site': 'same-origin' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(databaseKinds)('sessions of the console on %s', (kind) => {
  let server: TestServer;
  const clientCa = createRoot({ subject: 'Clients' });
  const certificate = clientCa.issue({ subject: 'laptop-1' });

  beforeAll(async () => {
    server = await startTestServer(kind, { services: ['access', 'workspaces', 'console'] });
    await server.root('POST', '/v1/auth/cert/certs/people', { certificate: clientCa.pem, token_ttl: '1h' });
    const organization = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    await server.user('POST', '/api/v2/organizations', { data: organization });
  });
  afterAll(() => server.stop());

  const signIn = (body: object, options: CallOptions = {}) =>
    server.call('POST', SESSION, { ...options, body, headers: { ...OWN, ...JSON_TYPE, ...options.headers } });
  const cookieOf = ({ headers }: Answer) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const as = (cookie: string, method: string, path: string, headers: Record<string, string> = OWN, body?: unknown) =>
    server.call(method, path, { headers: { cookie, ...headers }, ...(body !== undefined && { body }) });
  const sessions = (query = '') => server.user('GET', `/api/v2/users/${server.userId}/sessions${query}`);
  const listed = async () => (await sessions()).body.data.map(({ attributes }: Resource) => attributes);
  const account = (cookie: string, headers?: Record<string, string>) =>
    as(cookie, 'GET', '/api/v2/account/details', headers);
  const self = (cookie: string, headers?: Record<string, string>) =>
    as(cookie, 'GET', '/v1/auth/token/lookup-self', headers);

  it('reports that no user is signed in, without an error', async () => {
    const { status, body } = await server.call('GET', SESSION, { headers: OWN });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ends_at: null, access: null, workspaces: null });
    expect(body.offers).toEqual({
      access: true,
      workspaces: true,
      certificate: SESSION,
      provider: null,
      organizations: false,
      passkeys: { works: false, address: `https://localhost:${new URL(server.address).port}` },
    });
  });

  it('shows the names of a team and an organization', async () => {
    const team = await server.user('POST', '/api/v2/organizations/acme/teams', {
      data: { type: 'teams', attributes: { name: 'network' } },
    });
    const { body } = await server.user('POST', `/api/v2/teams/${team.body.data.id}/authentication-token`);
    const asTeam = await signIn({ token: body.data.attributes.token });
    expect(asTeam.body.workspaces).toMatchObject({ kind: 'team', name: 'network' });
    const own = await server.user('POST', '/api/v2/organizations/acme/authentication-token');
    const asOrganization = await signIn({ token: own.body.data.attributes.token });
    expect(asOrganization.body.workspaces).toMatchObject({ kind: 'organization', name: 'acme' });
  });

  it('signs a user in, with a token of the session that is revoked with it', async () => {
    const answer = await signIn({ token: server.userToken });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ workspaces: { kind: 'user', name: 'first' }, access: null });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-lockkeeper=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=86400$/,
    );
    const cookie = cookieOf(answer);
    expect(Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString('latin1')).not.toContain('lku');
    expect((await account(cookie)).body.data.attributes.username).toBe('first');
    expect(await listed()).toMatchObject([{ 'signed-in-by': 'token', address: '127.0.0.1', 'is-current': false }]);
    const tokens = (await server.user('GET', `/api/v2/users/${server.userId}/authentication-tokens`)).body.data;
    expect(tokens.map((one: Resource) => one.attributes.description)).not.toContain('console');
    expect((await self(cookie)).status).toBe(403);
  });

  it('signs a token of the access API in, with a child of it', async () => {
    const answer = await signIn({ token: server.rootToken });
    expect(answer.body).toMatchObject({ access: { kind: 'token' }, workspaces: null });
    const { data } = (await self(cookieOf(answer))).body;
    expect(data).toMatchObject({ display_name: 'token-console', policies: ['root'], meta: { via: 'console' } });
    expect(data.ttl).toBeLessThanOrEqual(28_800);
    // No page gets the token itself.
    expect(data.id).toBe('held by the session');
  });

  it('holds a token of each API', async () => {
    const first = cookieOf(await signIn({ token: server.userToken }));
    const both = await signIn({ token: server.rootToken }, { headers: { cookie: first } });
    expect(both.body).toMatchObject({ access: { kind: 'token' }, workspaces: { kind: 'user', name: 'first' } });
    const cookie = cookieOf(both);
    expect([(await account(cookie)).status, (await self(cookie)).status]).toEqual([200, 200]);
  });

  it('uses the given token itself if it may not create another', async () => {
    const made = await server.root('POST', '/v1/auth/token/create', {
      policies: ['default'],
      type: 'batch',
      ttl: '1h',
    });
    const text = made.body.auth.client_token;
    const { body } = await self(cookieOf(await signIn({ token: text })));
    expect(body.data).toMatchObject({ type: 'batch', display_name: 'token' });
  });

  it('signs a certificate in', async () => {
    const answer = await signIn({ certificate: true }, { certificate });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ access: { kind: 'certificate', name: 'laptop-1' }, workspaces: null });
    expect((await self(cookieOf(answer))).body.data.ttl).toBeLessThanOrEqual(3600);
    expect((await signIn({ certificate: true })).status).toBe(400);
    const stranger = createRoot({ subject: 'Others' }).issue({ subject: 'laptop-1' });
    expect((await signIn({ certificate: true }, { certificate: stranger })).headers['set-cookie']).toBeUndefined();
  });

  it('refuses an invalid token, and every other credential', async () => {
    for (const [body, status] of [
      [{ token: 'lks.unknown.token' }, 403],
      [{ token: '' }, 400],
      [{ token: 7 }, 400],
      [{ token: 'x', certificate: true }, 400],
      [{}, 400],
    ] as const) {
      const answer = await signIn(body);
      expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
    }
  });

  it('signing out revokes the token of the session, even if the cookie is kept', async () => {
    const first = cookieOf(await signIn({ token: server.userToken }));
    const cookie = cookieOf(await signIn({ token: server.rootToken }, { headers: { cookie: first } }));
    const out = await as(cookie, 'DELETE', SESSION);
    expect([out.status, out.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect([(await account(cookie)).status, (await self(cookie)).status]).toEqual([401, 403]);
    expect((await as(cookie, 'GET', SESSION)).body).toMatchObject({ ends_at: null, access: null, workspaces: null });
    expect((await server.user('GET', '/api/v2/account/details')).status).toBe(200);
  });

  it('signing in again revokes the previous session', async () => {
    const first = cookieOf(await signIn({ token: server.userToken }));
    await signIn({ token: server.userToken }, { headers: { cookie: first } });
    expect((await account(first)).status).toBe(401);
  });

  it.each([
    [8 * 3600 - 1, 200],
    [8 * 3600, 401],
  ])('after %d seconds without a request: %d', async (seconds, status) => {
    const cookie = cookieOf(await signIn({ token: server.userToken }));
    server.advance(seconds);
    expect((await account(cookie)).status).toBe(status);
  });

  it('continues while it is used, and expires after a day', async () => {
    const cookie = cookieOf(await signIn({ token: server.userToken }));
    for (const _ of [1, 2, 3]) {
      server.advance(7 * 3600);
      expect((await account(cookie)).status).toBe(200);
    }
    const [{ 'last-used-at': used, 'idle-at': idle, 'expires-at': end }] = await listed();
    expect([Date.parse(used), idle]).toEqual([server.now(), end]);
    server.advance(3 * 3600);
    expect((await account(cookie)).status).toBe(401);
  });

  it('is as short as an organization of the user sets', async () => {
    const set = (attributes: object) =>
      server.user('PATCH', '/api/v2/organizations/short', { data: { type: 'organizations', attributes } });
    const attributes = { name: 'short', email: 'a@example.com' };
    await server.user('POST', '/api/v2/organizations', { data: { type: 'organizations', attributes } });
    expect((await set({ 'session-timeout': 10, 'session-remember': 15 })).status).toBe(200);
    const cookie = cookieOf(await signIn({ token: server.userToken }));
    server.advance(9 * 60);
    expect((await account(cookie)).status).toBe(200);
    server.advance(7 * 60);
    expect((await account(cookie)).status, 'its lifetime is over').toBe(401);
    const idle = cookieOf(await signIn({ token: server.userToken }));
    server.advance(11 * 60);
    expect((await account(idle)).status, 'its idle time is over').toBe(401);
    // Longer than the server allows: no effect.
    await set({ 'session-timeout': 525_600, 'session-remember': 525_600 });
    const long = cookieOf(await signIn({ token: server.userToken }));
    server.advance(7 * 3600);
    expect((await account(long)).status).toBe(200);
    server.advance(9 * 3600);
    expect((await account(long)).status).toBe(401);
    await server.user('DELETE', '/api/v2/organizations/short');
  });

  it('deletes expired sessions, and keeps at most fifty', async () => {
    await signIn({ token: server.userToken });
    server.advance(10 * 3600);
    const oldest = cookieOf(await signIn({ token: server.userToken }));
    expect(await listed()).toHaveLength(1);
    server.advance(1);
    for (let one = 0; one < 50; one++) await signIn({ token: server.userToken });
    expect((await account(oldest)).status).toBe(401);
    const { pagination } = (await sessions('?page[size]=100')).body.meta;
    expect(pagination['total-count']).toBe(50);
  });

  describe('revoked from outside', () => {
    it('is refused with the next request, in both APIs, on another node too', async () => {
      const beside = await startTestServer(kind, { services: ['access', 'workspaces', 'console'], beside: server });
      onTestFinished(() => beside.stop());
      // The latest is the first of the list.
      server.advance(1);
      const first = cookieOf(await signIn({ token: server.userToken }));
      const cookie = cookieOf(await signIn({ token: server.rootToken }, { headers: { cookie: first } }));
      const at = (path: string) => beside.call('GET', path, { headers: { cookie, ...OWN } });
      const asked = async () => [
        (await at('/api/v2/account/details')).status,
        (await at('/v1/auth/token/lookup-self')).status,
      ];
      expect(await asked()).toEqual([200, 200]);
      const { data } = (await as(cookie, 'GET', `/api/v2/users/${server.userId}/sessions`)).body;
      const own = data.find((one: Resource) => one.attributes['is-current']);
      expect((await server.user('DELETE', `/api/v2/sessions/${own.id}`)).status).toBe(204);
      expect(await asked()).toEqual([401, 403]);
      expect((await server.user('DELETE', `/api/v2/sessions/${own.id}`)).status).toBe(404);
    });

    it('only by a site administrator', async () => {
      const { tenancy } = server.application.workspaces;
      const [admin, other] = await Promise.all(
        ['admin', 'other'].map(async (username) => {
          const user = await tenancy.users.create({ username, email: `${username}@example.com` });
          return (await tenancy.tokens.issue(user.id, { description: '', expiresAt: null })).text;
        }),
      );
      await tenancy.users.setSiteAdmin('admin', true);
      server.advance(1);
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      const path = `/api/v2/users/${server.userId}/sessions`;
      const { data } = (await server.call('GET', path, { token: admin ?? '' })).body;
      const one = `/api/v2/sessions/${data[0].id}`;
      for (const [method, at] of [
        ['GET', path],
        ['DELETE', path],
        ['DELETE', one],
      ] as const) {
        expect((await server.call(method, at, { token: other ?? '' })).status).toBe(404);
      }
      expect((await account(cookie)).status).toBe(200);
      expect((await server.call('DELETE', one, { token: admin ?? '' })).status).toBe(204);
      expect((await account(cookie)).status).toBe(401);
    });

    it('all except the calling one', async () => {
      const [kept, gone] = [await signIn({ token: server.userToken }), await signIn({ token: server.userToken })];
      const answer = await as(cookieOf(kept), 'DELETE', `/api/v2/users/${server.userId}/sessions`);
      expect(answer.status).toBe(204);
      expect([(await account(cookieOf(kept))).status, (await account(cookieOf(gone))).status]).toEqual([200, 401]);
      expect(await listed()).toHaveLength(1);
    });
  });

  it('never outlives the token that was shown', async () => {
    const body = { data: { type: 'authentication-tokens', attributes: { description: 'short', 'expired-at': '' } } };
    const end = new Date(server.now() + 60_000).toISOString();
    body.data.attributes['expired-at'] = end;
    const { data } = (await server.user('POST', `/api/v2/users/${server.userId}/authentication-tokens`, body)).body;
    const answer = await signIn({ token: data.attributes.token });
    expect(answer.body.workspaces.expires_at).toBe(end);
    server.advance(61);
    expect((await account(cookieOf(answer))).status).toBe(401);
  });

  it('names the console in the audit log', async () => {
    const cookie = cookieOf(await signIn({ token: server.userToken }));
    await account(cookie);
    const [line] = server
      .auditLines()
      .filter(({ path }) => path === '/api/v2/account/details')
      .slice(-1);
    expect(line).toMatchObject({ actor_kind: 'user', actor_name: 'first', actor_via: 'console' });
    const lines = JSON.stringify([...server.auditLines(), ...server.logLines()]);
    for (const secret of [cookie.split('=')[1] ?? '', server.userToken, server.rootToken]) {
      expect(lines).not.toContain(secret);
    }
  });

  describe('requests that other sites make a browser send', () => {
    const foreign = [
      { ...MARK, 'sec-fetch-site': 'cross-site' },
      { ...MARK, 'sec-fetch-site': 'same-site' },
      { ...MARK, 'sec-fetch-site': 'none' },
      { ...MARK, origin: 'https://evil.example' },
      { ...MARK, origin: 'null' },
      { ...MARK },
      {},
    ];
    const organization = { data: { type: 'organizations', attributes: { name: 'made', email: 'a@example.com' } } };

    it.each(foreign)('does nothing: %j', async (headers) => {
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      expect((await account(cookie, headers)).status).toBe(401);
      expect((await as(cookie, 'POST', '/api/v2/organizations', headers, organization)).status).toBe(401);
      expect((await as(cookie, 'DELETE', SESSION, headers)).status).toBe(403);
      const signing = { ...headers, ...JSON_TYPE };
      expect((await server.call('POST', SESSION, { body: { token: server.userToken }, headers: signing })).status).toBe(
        403,
      );
      expect((await account(cookie)).status).toBe(200);
    });

    it('a form of our own origin is refused too, because it cannot send our header', async () => {
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      const headers = { 'sec-fetch-site': 'same-origin' };
      expect((await as(cookie, 'POST', '/api/v2/organizations', headers, organization)).status).toBe(401);
    });

    it('links of our own pages are downloads', async () => {
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      const answer = await account(cookie, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' });
      expect([answer.status, answer.headers['content-disposition']]).toEqual([200, 'attachment']);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect((await account(cookie)).headers['content-disposition']).toBeUndefined();
    });

    it('a token beside the session is refused', async () => {
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      const answer = await account(cookie, { ...OWN, authorization: `Bearer ${server.userToken}` });
      expect(answer.status).toBe(400);
    });

    it('a cookie that the server has not encrypted is ignored', async () => {
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      const changed = `${cookie.slice(0, -4)}AAAA`;
      for (const one of [
        changed,
        '__Host-lockkeeper=',
        `${cookie}; ${cookie}`,
        `__Host-lockkeeper=${'A'.repeat(6000)}`,
      ]) {
        expect((await account(one)).status).toBe(401);
      }
    });
  });

  describe('the login page for `tofu login` and `terraform login`', () => {
    const asked = new URLSearchParams({
      client_id: 'terraform-cli',
      response_type: 'code',
      redirect_uri: 'http://localhost:10009/login',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      state: 'state',
    });
    const approve = (cookie: string, headers: Record<string, string>) =>
      server.call('POST', '/app/oauth2/authorize', {
        body: `${asked}&description=laptop&lifetime=8h`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
      });

    it('recognizes the signed-in user, and requests no token', async () => {
      const cookie = cookieOf(await signIn({ token: server.userToken }));
      const { text } = await as(cookie, 'GET', `/app/oauth2/authorize?${asked}`, { 'sec-fetch-site': 'none' });
      expect(text).toContain('signed in as <strong>first</strong>');
      expect(text).not.toContain('name="token"');
      const approved = await approve(cookie, { 'sec-fetch-site': 'same-origin' });
      expect([approved.status, approved.headers.location]).toEqual([
        303,
        expect.stringMatching(/^http:\/\/localhost:10009\/login\?code=/),
      ]);
    });

    it.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, {}, { origin: 'https://evil.example' }])(
      'gives nothing to a form that comes with %j',
      async (headers) => {
        const cookie = cookieOf(await signIn({ token: server.userToken }));
        expect((await approve(cookie, headers)).status).toBe(403);
      },
    );
  });
});
