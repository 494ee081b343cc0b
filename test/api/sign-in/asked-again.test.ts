import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { type Session, SigningIn } from '../../support/oidc/signing-in.ts';

const HOUR = 3600;
const ADA = { sub: 'ada-1', preferred_username: 'ada', email: 'ada@example.com', email_verified: true };
const AGAIN = { again: '1', to: '/acme/settings?tab=2' };

describe.each(databaseKinds)('fresh sign-in with the provider on %s', (kind) => {
  let on: SigningIn;
  let user = '';
  let team = '';
  let pipeline = '';
  let pool = '';
  let invited = '';
  const seconds = () => Math.floor(Date.now() / 1000);
  const stale = () => on.signIn({ ...ADA, auth_time: seconds() - 2 * HOUR });
  const fresh = () => on.signIn({ ...ADA, auth_time: seconds() });
  const data = (type: string, attributes: object = {}) => ({ body: { data: { type, attributes } } });
  const token = data('authentication-tokens', { description: 'mine' });
  const ofPipeline = data('pipeline-identities', {
    ...{ issuer: 'https://token.actions.example.com', audiences: ['a'], claims: { sub: 'b' } },
  });
  const ofMachine = data('machine-identities', { mount: 'cert', role: 'deploy' });
  const found = (session: Session, name: string) =>
    on.as(session, 'POST', '/api/v2/organizations', data('organizations', { name, email: 'a@example.com' }));

  beforeAll(async () => {
    on = await SigningIn.start(kind);
    const ada = await fresh();
    user = (await on.as(ada, 'GET', '/api/v2/account/details')).body.data.id;
    await found(ada, 'acme');
    const made = await on.as(ada, 'POST', '/api/v2/organizations/acme/teams', data('teams', { name: 'platform' }));
    team = made.body.data.id;
    const identity = await on.as(ada, 'POST', `/api/v2/teams/${team}/pipeline-identities`, ofPipeline);
    pipeline = identity.body.data.id;
    const site = await on.as(ada, 'POST', '/api/v2/organizations/acme/agent-pools', data('agent-pools', { name: 'a' }));
    pool = site.body.data.id;
    const invitation = data('organization-memberships', { email: 'grace@example.com' });
    const path = '/api/v2/organizations/acme/organization-memberships';
    invited = (await on.as(ada, 'POST', path, invitation)).body.data.id;
  });
  afterEach(() => {
    on.provider.reset();
    on.provider.person = ADA;
  });
  afterAll(() => on.stop());

  const refusal = ({ status, headers }: Session) => [
    status,
    new URL(headers.location ?? '', on.server.address).searchParams.get('refused'),
    (headers['set-cookie'] ?? []).some((one) => one.startsWith('__Host-lockkeeper=')),
  ];
  const makeToken = (session: Session) => on.as(session, 'POST', `/api/v2/users/${user}/authentication-tokens`, token);
  /** Signs in again like a browser. @param person claims of the provider this time */
  const again = async (session: Session, person: object) => {
    const begun = await on.begin(AGAIN, session);
    Object.assign(on.provider, { person: { ...on.provider.person, ...person } });
    return on.comeBack(begun);
  };

  describe('of a user with an old last proof, or one of unknown time', () => {
    it.each([
      ['a token of their own', 'POST', (): string => `/api/v2/users/${user}/authentication-tokens`, token],
      ['a token of a team', 'POST', (): string => `/api/v2/teams/${team}/authentication-token`, token],
      ['another token of a team', 'POST', (): string => `/api/v2/teams/${team}/authentication-tokens`, token],
      ['a token of an organization', 'POST', (): string => '/api/v2/organizations/acme/authentication-token', token],
      ['a pipeline of a team', 'POST', (): string => `/api/v2/teams/${team}/pipeline-identities`, ofPipeline],
      ['which pipeline that is', 'PATCH', (): string => `/api/v2/pipeline-identities/${pipeline}`, ofPipeline],
      ['a machine of a team', 'POST', (): string => `/api/v2/teams/${team}/machine-identities`, ofMachine],
      ['a machine of a pool', 'POST', (): string => `/api/v2/agent-pools/${pool}/machine-identities`, ofMachine],
      [
        'a link of an invitation',
        'POST',
        (): string => `/api/v2/organization-memberships/${invited}/actions/create-link`,
        {},
      ],
      ['who signs in to an organization', 'DELETE', (): string => '/api/v2/organizations/acme/sign-in-provider', {}],
      ['the end of an organization', 'DELETE', (): string => '/api/v2/organizations/acme', {}],
    ] as const)('%s: refused, with an error code that the console knows', async (_what, method, path, body) => {
      for (const session of [await stale(), await on.signIn({ ...ADA, auth_time: undefined })]) {
        const answer = await on.as(session, method, path(), body);
        expect([answer.status, answer.body.errors]).toEqual([
          403,
          [{ status: '403', code: 'sign-in-again', title: 'forbidden', detail: expect.stringContaining('again') }],
        ]);
        expect((await on.as(session, 'GET', '/api/v2/organizations/acme')).status).toBe(200);
        expect((await on.as(session, 'GET', `/api/v2/users/${user}/authentication-tokens`)).body.data).toEqual([]);
      }
    });

    it('for every spelling of the path', async () => {
      const session = await stale();
      for (const path of [
        '/api/v2/organizations/acme/',
        '/api/v2/organizations/%61cme',
        '/api/v2//organizations/acme',
      ]) {
        expect((await on.as(session, 'DELETE', path)).status).toBeGreaterThanOrEqual(400);
      }
      expect((await on.as(session, 'GET', '/api/v2/organizations/acme')).status).toBe(200);
    });

    it('no token from the login pages of `tofu` and `terraform`: they redirect to the provider again', async () => {
      const session = await stale();
      const page = await on.as(session, 'GET', '/app/settings/tokens');
      expect(page.text).not.toContain('signed in as');
      expect(page.text).toContain('again=1');
      const form = { description: 'mine', lifetime: '8h' };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(form).toString();
      expect((await on.as(session, 'POST', '/app/settings/tokens', { body, headers })).status).toBe(403);
      const other = await fresh();
      expect((await on.as(other, 'GET', '/app/settings/tokens')).text).toContain('signed in as');
    });

    it('but reversible actions are allowed', async () => {
      expect(
        (
          await on.as(
            await stale(),
            'PATCH',
            '/api/v2/organizations/acme',
            data('organizations', { email: 'b@example.com' }),
          )
        ).status,
      ).toBe(200);
    });
  });

  it('is not required to remove a pipeline or a machine', async () => {
    const machine = await on.as(await fresh(), 'POST', `/api/v2/teams/${team}/machine-identities`, ofMachine);
    const session = await stale();
    for (const path of [`machine-identities/${machine.body.data.id}`, `pipeline-identities/${pipeline}`]) {
      expect((await on.as(session, 'DELETE', `/api/v2/${path}`)).status).toBe(204);
    }
  });

  it('accepts a recent proof until it is too old', async () => {
    const session = await on.signIn({ ...ADA, auth_time: Math.floor(on.server.now() / 1000) });
    expect((await found(session, 'short-lived')).status).toBe(201);
    expect((await makeToken(session)).status).toBe(201);
    expect((await on.as(session, 'DELETE', '/api/v2/organizations/short-lived')).status).toBe(204);
    on.server.advance(HOUR);
    expect((await makeToken(session)).body.errors[0].code).toBe('sign-in-again');
    // Tokens, and sessions that started with one, need no fresh sign-in.
    expect(
      (await on.server.user('POST', `/api/v2/users/${on.server.userId}/authentication-tokens`, token.body)).status,
    ).toBe(201);
    const pasted = await on.server.call('POST', '/app/~session', {
      body: { token: on.server.userToken },
      headers: { 'content-type': 'application/json', 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin' },
    });
    const own = `/api/v2/users/${on.server.userId}/authentication-tokens`;
    expect((await on.as(pasted, 'POST', own, token)).status).toBe(201);
    on.server.advance(-HOUR);
  });

  it('not immediately: each sign-in requests the time of the proof from the provider', async () => {
    const { searchParams } = new URL((await on.begin()).headers.location ?? '');
    expect([searchParams.get('max_age'), searchParams.get('prompt')]).toEqual(['31536000', null]);
  });

  describe('once more', () => {
    it('redirects to the provider, which asks the user to sign in, and back to the former page', async () => {
      const before = await stale();
      const { searchParams } = new URL((await on.begin(AGAIN, before)).headers.location ?? '');
      expect(Object.fromEntries(searchParams)).toMatchObject({ max_age: '0', prompt: 'login' });
      const after = await again(before, { auth_time: seconds() });
      expect([after.status, after.text]).toEqual([200, expect.stringContaining('url=/app/acme/settings?tab=2"')]);
      expect((await makeToken(after)).status).toBe(201);
      // The new session replaces the old one.
      expect([await on.whoIs(before), await on.whoIs(after)]).toEqual([undefined, 'ada']);
    });

    it.each([
      ['says that it was long ago', 'stale', { auth_time: Math.floor(Date.now() / 1000) - 120 }],
      ['does not say when', 'stale', { auth_time: undefined }],
      ['says it in words', 'invalid', { auth_time: `${Math.floor(Date.now() / 1000) + 60}` }],
    ])('%s: no user is signed in, and the session is unchanged', async (_what, reason, says) => {
      const before = await stale();
      expect(refusal(await again(before, says))).toEqual([303, reason, false]);
      expect(await on.whoIs(before)).toBe('ada');
      expect((await makeToken(before)).status).toBe(403);
    });

    it('another user, known or new: refused, and no account is created', async () => {
      await on.signIn({ sub: 'eve-1', preferred_username: 'eve', email: 'eve@example.com' });
      for (const sub of ['eve-1', 'mallory-1']) {
        const before = await stale();
        const other = { sub, preferred_username: 'mallory', email: 'm@example.com', auth_time: seconds() };
        expect(refusal(await again(before, other))).toEqual([303, 'another', false]);
        expect(await on.whoIs(before)).toBe('ada');
        on.provider.person = ADA;
      }
      const { body } = await on.as(
        await on.signIn({ sub: 'mallory-1', preferred_username: 'mallory', email: 'm@example.com' }),
        'GET',
        '/api/v2/account/details',
      );
      expect(body.data.attributes.username).toBe('mallory');
    });

    it('starts again after the session was revoked in between', async () => {
      const before = await stale();
      const begun = await on.begin(AGAIN, before);
      await on.as(before, 'DELETE', '/app/~session');
      on.provider.person = { ...ADA, auth_time: seconds() };
      expect(refusal(await on.comeBack(begun))).toEqual([303, 'expired', false]);
    });

    it('redirects only to this server', async () => {
      for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '@evil', '/%0d%0aset-cookie:x']) {
        const before = await stale();
        const begun = await on.begin({ again: '1', to }, before);
        on.provider.person = { ...ADA, auth_time: seconds() };
        const [, address = ''] = /url=([^"]*)"/.exec((await on.comeBack(begun)).text) ?? [];
        expect(new URL(address, on.server.address).origin).toBe(on.server.address);
      }
    });

    it('keeps the session of the access API', async () => {
      const ada = await stale();
      const { token: pasted } = { token: on.server.rootToken };
      const headers = { 'content-type': 'application/json' };
      const both = await on.as(ada, 'POST', '/app/~session', { body: { token: pasted }, headers });
      const after = await again(both, { auth_time: seconds() });
      const { body } = await on.as(after, 'GET', '/app/~session');
      expect([body.workspaces.name, body.access.kind]).toEqual(['ada', 'token']);
    });

    it('cannot be started by another site', async () => {
      const { headers } = await on.server.call('GET', '/app/~session/oidc?again=1&to=/acme', {
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect(headers.location).toBe('/app/~sign-in?to=%2Facme');
    });
  });
});

describe.each(databaseKinds)('fresh sign-in turned off on %s', (kind) => {
  it('if the operator turns it off', async () => {
    const on = await SigningIn.start(kind, { reauthenticateAfter: 0 });
    try {
      expect((await on.begin()).headers.location).not.toContain('max_age');
      const session = await on.signIn();
      const { id } = (await on.as(session, 'GET', '/api/v2/account/details')).body.data;
      const body = { data: { type: 'authentication-tokens', attributes: { description: 'mine' } } };
      expect((await on.as(session, 'POST', `/api/v2/users/${id}/authentication-tokens`, { body })).status).toBe(201);
    } finally {
      await on.stop();
    }
  });
});
