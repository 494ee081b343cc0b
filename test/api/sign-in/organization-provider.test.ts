import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/storage/index.ts';
import { providerFacts } from '../../../src/workspaces/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import type { Answer } from '../../support/http.ts';
import { TestProvider } from '../../support/oidc/provider.ts';
import { type Session, SigningIn } from '../../support/oidc/signing-in.ts';

const ADA = { sub: 'ada-1', preferred_username: 'ada', email: 'ada@acme.example', email_verified: true };
const ALONE = { issues: [{ detail: expect.stringContaining('can only be a member of it') }] };
const SECRET = 'between us two';

describe.each(databaseKinds)('the provider of an organization on %s', (kind) => {
  let on: SigningIn;
  /** Provider of acme, set by its owner. */
  let own: TestProvider;
  let id: string;

  const provider = '/api/v2/organizations/acme/sign-in-provider';
  const resource = (attributes: object) => ({ data: { type: 'sign-in-providers', attributes } });
  const settings = (more: object = {}) => ({
    ...{ name: 'Acme ID', issuer: own.issuer, 'client-id': 'lockkeeper', 'client-secret': SECRET, create: 'always' },
    'certificate-authorities': own.ca,
    ...more,
  });
  const change = (attributes: object) => on.server.user('PATCH', provider, resource(attributes));
  const made = async (path: string, type: string, attributes: object) => {
    const { status, body } = await on.server.user('POST', `/api/v2/${path}`, { data: { type, attributes } });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data.id as string;
  };
  const signIn = async (person: object = {}, organization = 'acme') => {
    own.person = { ...ADA, ...person };
    return on.comeBack(await on.begin({}, undefined, organization), undefined, own);
  };
  const refusal = ({ headers }: Answer) =>
    new URL(headers.location ?? '', on.server.address).searchParams.get('refused') ?? undefined;
  const organizationsOf = async (session: Session) => {
    const { body } = await on.as(session, 'GET', '/api/v2/organizations');
    return body.data.map((one: { id: string }) => one.id);
  };
  const teamsOf = async (session: Session, organization = 'acme') => {
    const { body } = await on.as(session, 'GET', `/api/v2/organizations/${organization}/teams`);
    return body.data?.map((one: { attributes: { name: string } }) => one.attributes.name).sort() ?? [];
  };

  beforeAll(async () => {
    [on, own] = await Promise.all([SigningIn.start(kind), TestProvider.start()]);
    on.provider.person = { ...ADA, preferred_username: 'hopper', email: 'hopper@b.example' };
    await made('organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    await made('organizations', 'organizations', { name: 'other', email: 'a@example.com' });
    for (const name of ['platform', 'readers']) await made('organizations/acme/teams', 'teams', { name });
    await made('organizations/acme/teams', 'teams', { name: 'by-id', 'sso-team-id': '7c1e' });
    await made('organizations/other/teams', 'teams', { name: 'platform', 'sso-team-id': '7c1e' });
  });
  afterAll(async () => {
    await on.stop();
    await own.stop();
  });
  beforeEach(async () => {
    const { status, body } = await on.server.user('POST', provider, resource(settings()));
    expect(status, JSON.stringify(body)).toBe(201);
    id = body.data.id;
  });
  afterEach(async () => {
    own.reset();
    await on.server.user('DELETE', provider);
  });

  it('is shown to site administrators who look for errors, without its secret', async () => {
    expect(await providerFacts(on.server.application.databases.workspaces)).toEqual([
      { organization: 'acme', issuer: own.issuer, authorities: own.ca },
    ]);
  });

  it('is created, shown without its secret, changed and deleted by owners', async () => {
    const { attributes } = (await on.server.user('GET', provider)).body.data;
    expect(attributes).toMatchObject({
      ...{ name: 'Acme ID', issuer: own.issuer, 'has-client-secret': true, create: 'always', 'sso-team-ids': true },
      scopes: ['openid', 'profile', 'email'],
      claims: { name: 'preferred_username', email: 'email', groups: 'groups' },
      'callback-url': `${on.server.address}/app/~session/oidc/organizations/${id}/callback`,
      'logout-url': `${on.server.address}/app/~session/oidc/logout/${id}`,
    });
    expect(JSON.stringify(attributes)).not.toContain(SECRET);
    const changed = (await change({ name: 'Ours', 'client-secret': null })).body.data.attributes;
    expect(changed).toMatchObject({ name: 'Ours', 'has-client-secret': false, issuer: own.issuer });
    const session = await signIn({ auth_time: Math.floor(Date.now() / 1000) });
    expect((await on.as(session, 'GET', `${provider}s`)).status).toBe(404);
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : resource(settings());
      expect((await on.as(session, method, provider, { body })).status).toBe(404);
    }
    expect((await on.server.user('DELETE', provider)).status).toBe(204);
    expect((await on.server.user('GET', provider)).status).toBe(404);
    expect((await on.server.user('GET', `${provider}s`)).body.data).toEqual([]);
  });

  it.each([
    ['issuer', { issuer: 'http://id.example.com' }],
    ['issuer', { issuer: 'https://me@id.example.com' }],
    ['issuer', { issuer: 'https://id.example.com?x' }],
    ['issuer', { issuer: 'nonsense' }],
    ['name', { name: '' }],
    ['name', { name: 'a\0b' }],
    ['client-secret', { 'client-secret': 'x'.repeat(1001) }],
    ['create', { create: 'sometimes' }],
    ['scopes', { scopes: Array(21).fill('x') }],
    ['teams', { teams: [{ group: 'a' }] }],
    ['teams', { teams: Array(201).fill({ group: 'a', team: 'b' }) }],
    ['certificate-authorities', { 'certificate-authorities': 'none' }],
    ['certificate-authorities', { 'certificate-authorities': 'x'.repeat(65_537) }],
  ])('refuses a wrong %s, and nothing of the rest is kept', async (attribute, wrong) => {
    const { status, body } = await change({ name: 'Another', ...wrong });
    expect([status, body.errors[0].source.pointer]).toEqual([422, expect.stringContaining(`attributes/${attribute}`)]);
    expect((await on.server.user('GET', provider)).body.data.attributes.name).toBe('Acme ID');
  });

  it('adds users only to its organization, and to the teams of their groups there', async () => {
    await change({ teams: [{ group: 'g-*', team: 'platform' }] });
    const session = await signIn({ groups: ['g-1', '7c1e'] });
    expect(await on.whoIs(session)).toBe('ada');
    expect(await organizationsOf(session)).toEqual(['acme']);
    expect(await teamsOf(session)).toEqual(['by-id', 'platform']);
    expect((await on.as(session, 'GET', '/api/v2/organizations/other')).status).toBe(404);
    // A later sign-in with fewer groups also changes the rights of the first session, with its next request.
    await signIn({ groups: ['7c1e'] });
    expect(await teamsOf(session)).toEqual(['by-id']);
    await signIn();
    expect([await teamsOf(session), await organizationsOf(session)]).toEqual([[], ['acme']]);
  });

  it('is trusted only for its own users: another subject, another organization and the server are separate', async () => {
    const mine = await signIn({ sub: 'same', preferred_username: 'same' });
    // The server's provider uses the same issuer and subject.
    const settled = { ...on.provider.person };
    Object.assign(on.provider, {
      person: { ...settled, sub: 'same', preferred_username: 'same', email: 's@b.example' },
    });
    const servers = await on.comeBack(await on.begin());
    const [one, two] = [await on.whoIs(mine), await on.whoIs(servers)];
    expect([one === undefined, two === undefined, one === two]).toEqual([false, false, false]);
    Object.assign(on.provider, { person: settled });
    // Email address of another user, which the provider of an organization may claim.
    const first = (await on.server.user('GET', '/api/v2/account/details')).body.data.attributes;
    const thief = await signIn({ sub: 'thief', preferred_username: first.username, email: first.email });
    expect(await on.whoIs(thief)).not.toBe(first.username);
    expect(await organizationsOf(thief)).toEqual(['acme']);
  });

  it('is trusted only in its organization: its users create no organizations, join no others, and are no site administrators', async () => {
    const auth_time = Math.floor(Date.now() / 1000);
    const session = await signIn({ sub: 'grace', preferred_username: 'grace', auth_time });
    const data = { type: 'organizations', attributes: { name: 'mine', email: 'a@example.com' } };
    const founded = await on.as(session, 'POST', '/api/v2/organizations', { body: { data } });
    expect([founded.status, founded.body.errors[0].detail]).toEqual([
      422,
      expect.stringContaining('can only be a member of it'),
    ]);
    const { users } = on.server.application.workspaces.tenancy;
    await expect(users.setSiteAdmin('grace', true)).rejects.toMatchObject(ALONE);
    await expect(users.confirmEmail('grace', 'grace@acme.example')).rejects.toMatchObject(ALONE);
    // An invitation of another organization to the email address that the provider claims.
    const membership = { type: 'organization-memberships', attributes: { email: ADA.email } };
    await on.server.user('POST', '/api/v2/organizations/other/organization-memberships', { data: membership });
    const invitations = await on.as(session, 'GET', '/api/v2/organization-memberships?filter[status]=invited');
    expect(invitations.body.data).toEqual([]);
    const { id: user } = (await on.as(session, 'GET', '/api/v2/account/details')).body.data;
    const token = { data: { type: 'authentication-tokens', attributes: { description: 'mine' } } };
    const made = await on.as(session, 'POST', `/api/v2/users/${user}/authentication-tokens`, { body: token });
    const { status } = await on.server.call('GET', '/api/v2/organizations/other', {
      token: made.body.data.attributes.token,
    });
    expect([made.status, status]).toEqual([201, 404]);
    // The server refuses this even if the row is written directly to the database.
    const other = (await on.server.user('GET', '/api/v2/organizations/other')).body.data.attributes['external-id'];
    const { database } = on.server.application.workspaces;
    const join = sql<{ user: string; other: string }>(
      `INSERT INTO team_member (team_id, account_id) SELECT id, :user FROM team WHERE organization_id = :other`,
    );
    const admin = sql<{ user: string }>('UPDATE account SET site_admin = 1 WHERE id = :user');
    await database.run(join, { user, other });
    await database.run(admin, { user });
    expect(await organizationsOf(session)).toEqual(['acme']);
    expect((await on.as(session, 'GET', '/api/v2/admin/users')).status).toBe(404);
  });

  it('signs in users whom the organization has invited, with the teams of their invitation', async () => {
    await change({ create: 'invited' });
    const invited = { sub: 'mary', preferred_username: 'mary', email: 'mary@acme.example' };
    expect(refusal(await signIn(invited))).toBe('unknown');
    const teams = (await on.server.user('GET', '/api/v2/organizations/acme/teams')).body.data;
    const readers = teams.find((team: { attributes: { name: string } }) => team.attributes.name === 'readers').id;
    const relationships = { teams: { data: [{ type: 'teams', id: readers }] } };
    const attributes = { email: 'Mary@acme.example' };
    const data = { type: 'organization-memberships', attributes, relationships };
    expect((await on.server.user('POST', '/api/v2/organizations/acme/organization-memberships', { data })).status).toBe(
      201,
    );
    // The provider must confirm that the email address is verified.
    expect(refusal(await signIn({ ...invited, email_verified: false }))).toBe('unknown');
    expect(await teamsOf(await signIn(invited))).toEqual(['readers']);
    await change({ create: 'never' });
    expect(await teamsOf(await signIn(invited))).toEqual(['readers']);
    expect(refusal(await signIn({ sub: 'new' }))).toBe('unknown');
  });

  describe('mixed-up providers', () => {
    it('a response to the redirect URL of another provider is refused', async () => {
      const begun = await on.begin({}, undefined, 'acme');
      const back = new URL(own.back(begun.headers.location ?? ''));
      expect(back.pathname).toBe(`/app/~session/oidc/organizations/${id}/callback`);
      const asked = own.asked.length;
      for (const pathname of ['/app/~session/oidc/callback', '/app/~session/oidc/organizations/org-none/callback']) {
        const cookie = (begun.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
        const answer = await on.server.call('GET', pathname + back.search, { headers: { cookie } });
        expect(refusal(answer)).toBe('expired');
      }
      // The server did not send the code to this provider.
      expect(own.asked.length).toBe(asked);
    });

    it("a sign-in that starts at the server's provider and returns to that of the organization is refused", async () => {
      const begun = await on.begin();
      const { search } = new URL(on.provider.back(begun.headers.location ?? ''));
      const cookie = (begun.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
      const path = `/app/~session/oidc/organizations/${id}/callback`;
      const answer = await on.server.call('GET', path + search, { headers: { cookie } });
      expect(refusal(answer)).toBe('expired');
    });
  });

  it('a change or deletion during a sign-in invalidates the old settings', async () => {
    own.person = ADA;
    const begun = await on.begin({}, undefined, 'acme');
    await change({ 'client-id': 'another' });
    expect(refusal(await on.comeBack(begun, undefined, own))).toBe('invalid');
    await change({ 'client-id': 'lockkeeper' });
    const again = await on.begin({}, undefined, 'acme');
    await on.server.user('DELETE', provider);
    expect(refusal(await on.comeBack(again, undefined, own))).toBe('expired');
    expect(refusal(await on.begin({}, undefined, 'acme'))).toBe('none');
  });

  it('its deletion revokes only its own sessions', async () => {
    const session = await signIn({ sub: 'tess', preferred_username: 'tess' });
    const servers = await on.signIn();
    await on.server.user('DELETE', provider);
    expect([await on.whoIs(session), await on.whoIs(servers)]).toEqual([undefined, 'hopper']);
  });

  it.each(['nobody', 'other', 'a%2Fb', '..%2f', 'x'.repeat(500)])('of %s there is none', async (organization) => {
    const answer = await on.begin({}, undefined, organization);
    expect(answer.headers.location ?? '').not.toContain(own.issuer);
    expect(answer.status).toBeLessThan(500);
  });

  it('is shown to a user who signed in with it and must sign in again; other users see only that organizations have providers', async () => {
    const session = await signIn({ sub: 'again', preferred_username: 'again' });
    const { offers } = (await on.as(session, 'GET', '/app/~session')).body;
    const address = `/app/~session/oidc/organizations/${id}`;
    expect(offers).toMatchObject({ provider: { name: 'Acme ID', address }, organizations: true });
    const begun = await on.begin({ again: '1', to: '/acme' }, session, id);
    expect(new URL(begun.headers.location ?? '').searchParams.get('prompt')).toBe('login');
    own.person = { ...own.person, auth_time: Math.floor(Date.now() / 1000) };
    const after = await on.comeBack(begun, session, own);
    expect(await on.whoIs(after)).toBe('again');
    // A user with an equal subject at the other provider is another user.
    const other = await on.begin({ again: '1', to: '/acme' }, after, id);
    own.person = { ...ADA, sub: 'else', auth_time: Math.floor(Date.now() / 1000) };
    expect(refusal(await on.comeBack(other, after, own))).toBe('another');
    const anybody = (await on.server.call('GET', '/app/~session', { headers: { 'sec-fetch-site': 'same-origin' } }))
      .body;
    expect(anybody.offers).toMatchObject({ provider: { name: 'Example ID' }, organizations: true });
    await on.server.user('DELETE', provider);
    const none = (await on.server.call('GET', '/app/~session', { headers: { 'sec-fetch-site': 'same-origin' } })).body;
    expect(none.offers.organizations).toBe(false);
  });

  it('signs out its users on every node, and none of another provider', async () => {
    const session = await signIn({ sub: 'ada-1', sid: 's-1' });
    const servers = await on.signIn({ sub: 'ada-1', sid: 's-1' });
    const node = await on.beside();
    try {
      const post = (path: string, token: string) =>
        node.call('POST', `/app/~session/oidc/logout${path}`, {
          body: new URLSearchParams({ logout_token: token }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
      // Its tokens are invalid at the URL of another provider.
      expect((await post('', await own.logoutToken({ sid: 's-1' }))).status).toBe(400);
      expect((await post(`/${id}`, await on.provider.logoutToken({ sid: 's-1' }))).status).toBe(400);
      expect((await post('/org-none', await own.logoutToken())).status).toBe(400);
      expect([await on.whoIs(session), await on.whoIs(servers)].includes(undefined)).toBe(false);
      expect((await post(`/${id}`, await own.logoutToken({ sid: 's-1' }))).status).toBe(200);
      expect([await on.whoIs(session), await on.whoIs(servers)]).toEqual([undefined, 'hopper']);
    } finally {
      await node.stop();
    }
  });

  it('that hangs delays no other sign-in', async () => {
    own.says.slow = { '/token': 'hangs' };
    const begun = await on.begin({}, undefined, 'acme');
    const waiting = on.comeBack(begun, undefined, own);
    expect(await on.whoIs(await on.signIn())).toBe('hopper');
    expect(refusal(await waiting)).toBe('away');
  });
});

describe.each(databaseKinds)('providers of organizations that the operator does not want, on %s', (kind) => {
  it('are kept, and do not redirect', async () => {
    const on = await SigningIn.start(kind, { organizationProviders: false });
    try {
      const data = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
      await on.server.user('POST', '/api/v2/organizations', { data });
      const attributes = { name: 'x', issuer: on.provider.issuer, 'client-id': 'x' };
      const made = await on.server.user('POST', '/api/v2/organizations/acme/sign-in-provider', {
        data: { type: 'sign-in-providers', attributes },
      });
      expect(made.status).toBe(403);
      const begun = await on.begin({}, undefined, 'acme');
      expect(begun.headers.location).toContain('refused=none');
    } finally {
      await on.stop();
    }
  });
});
