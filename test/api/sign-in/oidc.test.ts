import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OidcConfig } from '../../../src/config/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import type { Answer } from '../../support/http.ts';
import { TestProvider } from '../../support/oidc/provider.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const START = '/app/~session/oidc';
const OWN = { 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin' };
const HIS = { sub: 'grace-1', preferred_username: 'grace', email: 'grace@example.com', email_verified: true };

const cookiesOf = ({ headers }: Answer) =>
  (headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '').filter((one) => !one.endsWith('='));

describe.each(databaseKinds)('signing in by OIDC on %s', (kind) => {
  let provider: TestProvider;
  let server: TestServer;
  let folder: string;
  let rules: OidcConfig['rules'];

  beforeAll(async () => {
    provider = await TestProvider.start();
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
    const authorities = join(folder, 'provider.pem');
    writeFileSync(authorities, provider.ca);
    rules = {
      create: 'always',
      linkByEmail: false,
      ssoTeamIds: true,
      teams: [
        { group: 'platform-*', organization: 'acme', team: 'platform' },
        { group: 'bosses', organization: 'acme', team: 'owners' },
      ],
      siteAdminGroups: ['admins'],
    };
    server = await startTestServer(kind, {
      services: ['access', 'workspaces', 'console'],
      signIn: {
        sessionIdle: 8 * 3600,
        sessionLifetime: 24 * 3600,
        reauthenticateAfter: 3600,
        organizationProviders: true,
        oidc: { ...provider.settings(authorities), rules },
      },
    });
    const organization = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    await server.user('POST', '/api/v2/organizations', { data: organization });
    await team('platform');
    await team('by-id', { 'sso-team-id': '7c1e' });
  });
  afterEach(() => {
    provider.reset();
    Object.assign(rules, { create: 'always', linkByEmail: false });
    provider.person = { sub: 'ada-1', preferred_username: 'ada', email: 'ada@example.com', email_verified: true };
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
    rmSync(folder, { recursive: true });
  });

  const team = async (name: string, attributes: object = {}) => {
    const data = { type: 'teams', attributes: { name, ...attributes } };
    return (await server.user('POST', '/api/v2/organizations/acme/teams', { data })).body.data.id as string;
  };
  const begin = (to = '/acme/workspaces') =>
    server.call('GET', `${START}?to=${encodeURIComponent(to)}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  const comeBack = (begun: Answer, address = provider.back(begun.headers.location ?? '')) => {
    const { pathname, search } = new URL(address);
    return server.call('GET', `${pathname}${search}`, {
      headers: { cookie: cookiesOf(begun).join('; '), 'sec-fetch-site': 'cross-site' },
    });
  };
  const signIn = async (to?: string) => comeBack(await begin(to));
  const refusal = ({ status, headers }: Answer) => [
    status,
    new URL(headers.location ?? '', server.address).searchParams.get('refused'),
    (headers['set-cookie'] ?? []).some((one) => one.startsWith('__Host-lockkeeper=')),
  ];
  const refused = (reason: string) => [303, reason, false];
  const get = (answer: Answer, path: string) =>
    server.call('GET', path, { headers: { cookie: cookiesOf(answer).join('; '), ...OWN } });
  const account = async (answer: Answer) => (await get(answer, '/api/v2/account/details')).body?.data;
  const teamsOf = async (answer: Answer) => {
    const { body } = await get(answer, '/api/v2/organizations/acme/teams');
    return (body?.data ?? [])
      .filter((one: { attributes: { 'users-count': number } }) => one.attributes['users-count'] > 0)
      .map((one: { attributes: { name: string } }) => one.attributes.name)
      .toSorted();
  };

  it('leads to the provider and back to the requested page', async () => {
    const begun = await begin('/acme/workspaces?q=1');
    expect(begun.status).toBe(303);
    expect(begun.headers['set-cookie']?.[0]).toMatch(
      /^__Host-lockkeeper-sign-in=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const asked = new URL(begun.headers.location ?? '').searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${server.address}${START}/callback`,
      scope: 'openid profile email',
    });
    const answer = await comeBack(begun);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('url=/app/acme/workspaces?q=1"')]);
    expect((await account(answer)).attributes).toMatchObject({ username: 'ada', email: 'ada@example.com' });
    const { id } = await account(answer);
    const { data } = (await get(answer, `/api/v2/users/${id}/sessions`)).body;
    expect(data[0].attributes).toMatchObject({ 'signed-in-by': 'oidc', 'is-current': true });
  });

  it('recognizes users by their subject, under any name', async () => {
    const before = (await account(await signIn())).id;
    provider.person = { ...provider.person, preferred_username: 'lovelace', email: 'other@example.com' };
    expect((await account(await signIn())).id).toBe(before);
  });

  it('serves the login page for `tofu login` and `terraform login`', async () => {
    provider.person = { ...provider.person, auth_time: Math.floor(Date.now() / 1000) };
    const asked = new URLSearchParams({
      ...{ client_id: 'terraform-cli', response_type: 'code', code_challenge: 'x'.repeat(43) },
      ...{ redirect_uri: 'http://localhost:10009/login', code_challenge_method: 'S256', state: 'state' },
    });
    const page = `/app/oauth2/authorize?${asked}`;
    const { text } = await server.call('GET', page);
    const [, link = ''] = /<a href="([^"]+)">Sign in with Example ID/.exec(text) ?? [];
    const begun = await server.call('GET', link.replaceAll('&amp;', '&'), {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const answer = await comeBack(begun);
    expect(answer.text).toContain(page.replaceAll('&', '&amp;'));
    expect((await get(answer, page)).text).toContain('signed in as <strong>ada</strong>');
  });

  describe('forged and invalid responses of a provider', () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    it.each([
      ['another nonce', { claims: { nonce: 'of-another' } }],
      ['no nonce', { claims: { nonce: undefined } }],
      ['another audience', { claims: { aud: 'somebody-else' } }],
      ['several audiences, for another of them', { claims: { aud: ['lockkeeper', 'other'], azp: 'other' } }],
      ['another issuer with the same subject', { claims: { iss: 'https://id.example.org' } }],
      ['an end that is past', { claims: { exp: past, iat: past - 60 } }],
      ['no subject', { claims: { sub: '' } }],
      ['no signature', { signedBy: 'none' }],
      ['a signature by a key that is not listed', { signedBy: 'stranger' }],
      ['a signature by our own secret', { signedBy: 'secret' }],
      ['the state of another', { back: { state: 'swapped' } }],
      ['no state', { back: { state: undefined } }],
      ['another issuer on the way back', { back: { iss: 'https://id.example.org' } }],
      ['no issuer on the way back', { back: { iss: undefined } }],
      ['somebody else in userinfo', { userinfo: { sub: 'eve-1' } }],
      ['a code that it never gave', { back: { code: 'made-up' } }],
      ['no JSON for a token', { instead: { '/token': { status: 200, body: 'nonsense' } } }],
    ] as const)('%s: signs no user in', async (_what, says) => {
      Object.assign(provider.says, says);
      expect(refusal(await signIn())).toEqual(refused('invalid'));
    });

    it('that it denied them', async () => {
      provider.says.back = { error: 'access_denied', error_description: 'because <script>', code: undefined };
      expect(refusal(await signIn())).toEqual(refused('denied'));
    });

    it.each([
      ['an error of its own', { '/token': { status: 503, body: 'because-of-us' } }],
      ['10 MB', { '/userinfo': { status: 200, body: `"${'x'.repeat(10_000_000)}"` } }],
      ['keys of 10 MB', { '/keys': { status: 200, body: `"${'x'.repeat(10_000_000)}"` } }],
    ])('%s: it counts as away', async (_what, instead) => {
      provider.says.instead = instead;
      expect(refusal(await signIn())).toEqual(refused('away'));
    });

    it('a code twice: the second time is none', async () => {
      const begun = await begin();
      const address = provider.back(begun.headers.location ?? '');
      expect((await comeBack(begun, address)).status).toBe(200);
      expect(refusal(await comeBack(begun, address))).toEqual(refused('invalid'));
    });

    it('a response to a sign-in that this browser did not start', async () => {
      const { pathname, search } = new URL(provider.back((await begin()).headers.location ?? ''));
      expect(refusal(await server.call('GET', `${pathname}${search}`))).toEqual(refused('expired'));
      expect(refusal(await comeBack(await begin(), provider.back((await begin()).headers.location ?? '')))).toEqual(
        refused('invalid'),
      );
    });

    it('a response that took too long', async () => {
      const begun = await begin();
      server.advance(601);
      expect(refusal(await comeBack(begun))).toEqual(refused('expired'));
    });

    it('other keys than before', async () => {
      expect((await signIn()).status).toBe(200);
      provider.rotate();
      expect((await signIn()).status).toBe(200);
    });

    it('redirects only to this server', async () => {
      for (const to of [
        '//evil.example',
        'https://evil.example',
        '/\\evil.example',
        '/../../evil',
        '.evil.example',
        '@evil',
      ]) {
        const { text } = await signIn(to);
        const [, address = ''] = /url=([^"]*)"/.exec(text) ?? [];
        expect(new URL(address, server.address).origin).toBe(server.address);
      }
      expect((await signIn('/"><script>x</script>')).text).not.toContain('<script>');
    });

    it('is in no log and no audit log', async () => {
      provider.person = { ...HIS, sub: 'marked-subject', groups: ['marked-group'] };
      provider.says.back = { state: 'marked-state', error: 'marked_error', error_description: 'marked-text' };
      await signIn();
      provider.reset();
      provider.says.instead = { '/token': { status: 400, body: '{"error":"marked_error"}' } };
      await signIn();
      const lines = JSON.stringify([...server.auditLines(), ...server.logLines()]);
      expect(lines).not.toMatch(/marked|at-of-the-provider/);
      expect(lines).toContain('sign-in failed');
    });
  });

  it('users with a session keep it while the provider is away, and the sign-in reports the outage', async () => {
    const answer = await signIn();
    provider.says.instead = Object.fromEntries(
      ['/.well-known/openid-configuration', '/token', '/keys'].map((path) => [path, { status: 503, body: '' }]),
    );
    expect((await account(answer)).attributes.username).toBe('ada');
    expect(refusal(await signIn())).toEqual(refused('away'));
    const token = { 'content-type': 'application/json', ...OWN };
    const byToken = await server.call('POST', '/app/~session', { body: { token: server.userToken }, headers: token });
    expect(byToken.status).toBe(201);
  });

  describe('users who may sign in', () => {
    it('new users, if all users may sign in', async () => {
      provider.person = { ...HIS, sub: 'twin', preferred_username: 'ada', email: 'twin@example.com' };
      expect((await account(await signIn())).attributes.username).toMatch(/^ada-\d$/);
    });

    it('no new users, if none may; invited users, if those may', async () => {
      provider.person = { ...HIS, sub: 'new-1', email: 'new@example.com' };
      Object.assign(rules, { create: 'never' });
      expect(refusal(await signIn())).toEqual(refused('unknown'));
      Object.assign(rules, { create: 'invited' });
      expect(refusal(await signIn())).toEqual(refused('unknown'));
      const data = { type: 'organization-memberships', attributes: { email: 'new@example.com' } };
      await server.user('POST', '/api/v2/organizations/acme/organization-memberships', { data });
      provider.person = { ...provider.person, email_verified: false };
      expect(refusal(await signIn())).toEqual(refused('unknown'));
      provider.person = { ...provider.person, email_verified: true };
      const answer = await signIn();
      expect((await get(answer, '/api/v2/organizations/acme')).status).toBe(200);
    });

    it('never an existing user by their email address, unless it is configured; and then once', async () => {
      const person = { ...HIS, sub: 'first-1', email: 'FIRST@example.com' };
      provider.person = person;
      expect(refusal(await signIn())).toEqual(refused('taken'));
      Object.assign(rules, { linkByEmail: true });
      provider.person = { ...person, email_verified: 'true' };
      expect((await account(await signIn())).id).not.toBe(server.userId);
      provider.person = { ...person, sub: 'first-2' };
      expect((await account(await signIn())).id).toBe(server.userId);
      provider.person = { ...person, sub: 'first-3' };
      expect(refusal(await signIn())).toEqual(refused('taken'));
    });

    it('no suspended user', async () => {
      provider.person = { ...HIS, sub: 'shut-1', preferred_username: 'shut', email: 'shut@example.com' };
      const { id } = await account(await signIn());
      await server.application.workspaces.tenancy.users.markSuspended(id, 1);
      expect(refusal(await signIn())).toEqual(refused('suspended'));
    });
  });

  describe('groups', () => {
    const person = { ...HIS, sub: 'grouped', preferred_username: 'grouped', email: 'grouped@example.com' };

    it('give teams, and remove them with the next sign-in if a group gave them', async () => {
      provider.person = { ...person, groups: ['platform-eu', '7c1e', 'nothing'] };
      const first = await signIn();
      expect(await teamsOf(first)).toEqual(['by-id', 'platform']);
      const byHand = await team('by-hand');
      await server.user('POST', `/api/v2/teams/${byHand}/relationships/users`, {
        data: [{ type: 'users', id: 'grouped' }],
      });
      provider.person = { ...person, groups: ['7c1e'] };
      await signIn();
      // The first session sees the new state with its next request.
      expect(await teamsOf(first)).toEqual(['by-hand', 'by-id']);
      provider.person = person;
      await signIn();
      expect(await teamsOf(first)).toEqual(['by-hand']);
      expect((await get(first, '/api/v2/organizations/acme')).status).toBe(200);
    });

    it('take the organization too, where they gave it', async () => {
      const guest = { ...person, sub: 'guest', preferred_username: 'guest', email: 'guest@example.com' };
      provider.person = { ...guest, groups: ['platform-eu'] };
      const answer = await signIn();
      expect((await get(answer, '/api/v2/organizations/acme')).status).toBe(200);
      provider.person = guest;
      await signIn();
      expect((await get(answer, '/api/v2/organizations/acme')).status).toBe(404);
    });

    it('are looked for in userinfo too', async () => {
      provider.person = person;
      provider.says.userinfo = { groups: ['platform-us'] };
      expect(await teamsOf(await signIn())).toContain('platform');
    });

    it('at another provider change nothing here: no user is signed in', async () => {
      provider.person = { ...person, groups: ['platform-eu'] };
      const before = await signIn();
      provider.person = {
        ...person,
        _claim_names: { groups: 'src1' },
        _claim_sources: { src1: { endpoint: 'https://x' } },
      };
      expect(refusal(await signIn())).toEqual(refused('groups'));
      expect(await teamsOf(before)).toContain('platform');
    });

    it('never remove the last owner, or an administrator added by hand', async () => {
      const boss = { ...person, sub: 'boss', preferred_username: 'boss', email: 'boss@example.com' };
      provider.person = { ...boss, groups: ['bosses', 'admins'] };
      const answer = await signIn();
      expect((await account(answer)).attributes['is-site-admin']).toBe(true);
      const [owners] = (await server.user('GET', '/api/v2/organizations/acme/teams?q=owners')).body.data;
      await server.user('DELETE', `/api/v2/teams/${owners.id}/relationships/users`, {
        data: [{ type: 'users', id: 'first' }],
      });
      provider.person = boss;
      await signIn();
      expect((await account(answer)).attributes['is-site-admin']).toBe(false);
      expect((await get(answer, '/api/v2/organizations/acme/teams')).body.data.length).toBeGreaterThan(1);
    });
  });
});
