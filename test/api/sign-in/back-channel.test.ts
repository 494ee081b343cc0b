import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { SigningIn } from '../../support/oidc/signing-in.ts';

const PATH = '/app/~session/oidc/logout';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe.each(databaseKinds)('signing out at the provider on %s', (kind) => {
  let on: SigningIn;

  beforeAll(async () => {
    on = await SigningIn.start(kind);
  });
  afterEach(() => {
    on.provider.reset();
    on.provider.person = { sub: 'ada-1', preferred_username: 'ada', email: 'ada@example.com', email_verified: true };
  });
  afterAll(() => on.stop());

  const post = (token: string, server = on.server) =>
    server.call('POST', PATH, { body: new URLSearchParams({ logout_token: token }).toString(), headers: FORM });
  const signOut = async (claims: object = {}) => (await post(await on.provider.logoutToken({ ...claims }))).status;
  const theirs = (sessions: readonly Parameters<SigningIn['whoIs']>[0][]) =>
    Promise.all(sessions.map((one) => on.whoIs(one)));

  it('revokes all sessions and tokens of one user with the next request, and none of others', async () => {
    const [one, two] = [await on.signIn({ sid: 'there-1' }), await on.signIn({ sid: 'there-2' })];
    const other = await on.signIn({
      sub: 'eve-1',
      preferred_username: 'eve',
      email: 'eve@example.com',
      sid: 'there-3',
    });
    expect(await theirs([one, two, other])).toEqual(['ada', 'ada', 'eve']);
    const { status, headers, text } = await post(await on.provider.logoutToken({ sub: 'ada-1' }));
    expect([status, headers['cache-control'], text]).toEqual([200, 'no-store', '']);
    expect(await theirs([one, two, other])).toEqual([undefined, undefined, 'eve']);
  });

  it('revokes the session in the token, with or without the user', async () => {
    const sids = ['named-1', 'named-2', 'named-3'];
    const sessions = [];
    for (const sid of sids) sessions.push(await on.signIn({ sid }));
    expect(await signOut({ sub: undefined, sid: 'named-1' })).toBe(200);
    expect(await theirs(sessions)).toEqual([undefined, 'ada', 'ada']);
    expect(await signOut({ sid: 'named-2' })).toBe(200);
    expect(await theirs(sessions)).toEqual([undefined, undefined, 'ada']);
    // The session of one person, and the name of another.
    expect(await signOut({ sub: 'eve-1', sid: 'named-3' })).toBe(200);
    expect(await theirs(sessions)).toEqual([undefined, undefined, 'ada']);
  });

  it('revokes sessions of users without a name, if the token contains the session', async () => {
    const session = await on.signIn();
    expect(await signOut({ sub: undefined, sid: 'anything' })).toBe(200);
    expect(await on.whoIs(session)).toBe('ada');
    expect(await signOut({ sid: 'anything' })).toBe(200);
    expect(await on.whoIs(session)).toBeUndefined();
  });

  it('keeps tokens and sessions that started with one, and ignores unknown users', async () => {
    const session = await on.signIn({ auth_time: Math.floor(Date.now() / 1000) });
    const { id } = (await on.as(session, 'GET', '/api/v2/account/details')).body.data;
    const tokens = `/api/v2/users/${id}/authentication-tokens`;
    const data = { type: 'authentication-tokens', attributes: { description: 'mine' } };
    const { token } = (await on.as(session, 'POST', tokens, { body: { data } })).body.data.attributes;
    const byToken = await on.server.call('POST', '/app/~session', {
      body: { token },
      headers: { 'content-type': 'application/json', 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin' },
    });
    expect(await signOut({ sub: 'nobody' })).toBe(200);
    expect(await signOut()).toBe(200);
    expect(await theirs([session, byToken])).toEqual([undefined, 'ada']);
    expect((await on.server.call('GET', '/api/v2/account/details', { token })).status).toBe(200);
  });

  it('takes effect on every node, and each node accepts a logout token once', async () => {
    const beside = await on.beside();
    try {
      const session = await on.signIn({ sid: 'of-all-nodes' });
      expect([await on.whoIs(session), await on.whoIs(session, beside)]).toEqual(['ada', 'ada']);
      const token = await on.provider.logoutToken({ sid: 'of-all-nodes' });
      expect((await post(token, beside)).status).toBe(200);
      expect([await on.whoIs(session), await on.whoIs(session, beside)]).toEqual([undefined, undefined]);
      // A replay on another node ends only sessions from before the logout.
      const since = await on.signIn({ sid: 'begun-since' });
      expect((await post(token)).status).toBe(200);
      expect((await post(token, beside)).status).toBe(400);
      expect(await on.whoIs(since)).toBe('ada');
    } finally {
      await beside.stop();
    }
  });

  it('accepts the type of a logout token, or none', async () => {
    for (const typ of ['JWT', 'application/logout+jwt', undefined]) {
      expect((await post(await on.provider.logoutToken({}, typ ?? ''))).status).toBe(typ === undefined ? 400 : 200);
    }
  });

  describe('an invalid logout token', () => {
    const now = Math.floor(Date.now() / 1000);
    it.each([
      ['of another issuer', { iss: 'https://id.example.org' }],
      ['of no issuer', { iss: undefined }],
      ['for another audience', { aud: 'somebody-else' }],
      ['for other audiences', { aud: ['one', 'lockkeeper-2'] }],
      ['for no audience', { aud: undefined }],
      ['not said when it was issued', { iat: undefined }],
      ['issued in words', { iat: `${now}` }],
      ['issued long ago', { iat: now - 3600, exp: now + 60 }],
      ['issued tomorrow', { iat: now + 86_400, exp: now + 90_000 }],
      ['expired', { exp: now - 60 }],
      ['an end that is none', { exp: 'never' }],
      ['without the event', { events: undefined }],
      ['of another event', { events: { 'https://schemas.openid.net/secevent/risc/event-type/account-disabled': {} } }],
      ['with a word for an event', { events: EVENT }],
      ['with an event that is none', { events: { [EVENT]: 'yes' } }],
      ['of nobody', { sub: undefined }],
      ['of a number', { sub: 7 }],
      ['of an empty session', { sid: '' }],
      ['of a session that is a list', { sid: ['there'] }],
      ['of a session without end', { sid: 'x'.repeat(256) }],
      ['with a nonce, as an ID token has', { nonce: 'n' }],
      ['with an empty nonce', { nonce: null }],
      ['without an id', { jti: undefined }],
      ['with an id that is a number', { jti: 7 }],
      ['with an id without end', { jti: 'x'.repeat(256) }],
    ])('%s', async (_what, claims) => {
      await expectRefused(await on.provider.logoutToken(claims));
    });

    it.each(['none', 'stranger', 'secret'] as const)('signed by %s', async (signedBy) => {
      on.provider.says.signedBy = signedBy;
      const token = await on.provider.logoutToken();
      on.provider.reset();
      await expectRefused(token);
    });

    it.each(['at+jwt', 'dpop+jwt', 'secevent+jwt'])('a token of the kind %s', async (typ) => {
      await expectRefused(await on.provider.logoutToken({}, typ));
    });

    it('with other claims than were signed, or with a key of its own', async () => {
      const token = await on.provider.logoutToken();
      const [head = '', , signature = ''] = token.split('.');
      const [, otherClaims = ''] = (await on.provider.logoutToken({ sid: 'another' })).split('.');
      await expectRefused([head, otherClaims, signature].join('.'));
      await expectRefused(token.slice(0, -4));
      await expectRefused(`${token}.`);
    });

    it('seen before', async () => {
      const token = await on.provider.logoutToken();
      expect((await post(token)).status).toBe(200);
      await expectRefused(token);
      const both = await on.provider.logoutToken();
      expect((await Promise.all([post(both), post(both)])).map(({ status }) => status).toSorted()).toEqual([200, 400]);
    });

    it('nothing, twice, something else', async () => {
      const token = await on.provider.logoutToken();
      for (const body of ['', 'token=x', `logout_token=${token}&logout_token=${token}`, 'logout_token=', '%%%']) {
        const { status, headers } = await on.server.call('POST', PATH, { body, headers: FORM });
        expect([status, headers['cache-control']]).toEqual([400, 'no-store']);
      }
      expect((await on.server.call('GET', PATH)).status).toBe(404);
      const json = { body: { logout_token: token }, headers: { 'content-type': 'application/json' } };
      expect((await on.server.call('POST', PATH, json)).status).toBe(415);
      const large = await on.server.call('POST', PATH, { body: `logout_token=${'x'.repeat(20_000)}`, headers: FORM });
      expect(large.status).toBe(413);
    });

    async function expectRefused(token: string) {
      const session = await on.signIn();
      const { status, body, headers } = await post(token);
      expect([status, body.error, headers['cache-control']]).toEqual([400, 'invalid_request', 'no-store']);
      expect(await on.whoIs(session)).toBe('ada');
    }
  });

  it('is in the audit log, without its content', async () => {
    await on.signIn({ sub: 'marked-sub', sid: 'marked-sid', preferred_username: 'mark', email: 'mark@example.com' });
    await signOut({ sub: 'marked-sub', sid: 'marked-sid', jti: 'marked-jti' });
    await signOut({ sub: 'marked-sub', sid: 'marked-sid', nonce: 'marked-nonce' });
    await post('marked-token');
    const lines = on.server.auditLines().filter(({ path, type }) => path === PATH && type === 'response');
    expect(lines.slice(-3)).toMatchObject([
      {
        ...{ status: 200, actor_kind: 'provider', actor_name: 'Example ID', actor_via: 'oidc' },
        ...{ ended_sessions: [expect.stringMatching(/^at-/)], ended_of: [expect.stringMatching(/^user-/)] },
      },
      { status: 400, error: 'logout_token is invalid' },
      { status: 400 },
    ]);
    expect(JSON.stringify([...on.server.auditLines(), ...on.server.logLines()])).not.toMatch(/marked/);
  });

  describe('the keys of the provider', () => {
    const fetched = () => on.provider.asked.splice(0).filter((path) => path === '/keys').length;

    it('are not fetched for a logout token that is invalid anyway', async () => {
      on.server.advance(3600);
      fetched();
      for (const claims of [{ iss: 'https://id.example.org' }, { aud: 'x' }, { nonce: 'n' }, { sub: undefined }]) {
        expect((await post(await on.provider.logoutToken(at(claims)))).status).toBe(400);
      }
      expect((await post('x.y.z')).status).toBe(400);
      expect(on.provider.asked).toEqual([]);
    });

    it('are fetched once for any number of tokens with an unknown key', async () => {
      on.server.advance(3600);
      on.provider.says.signedBy = 'stranger';
      const tokens = await Promise.all(Array.from({ length: 40 }, () => on.provider.logoutToken(at())));
      fetched();
      const answers = await Promise.all(tokens.map((token) => post(token)));
      expect(answers.every(({ status }) => status === 400)).toBe(true);
      for (const token of tokens.slice(0, 5)) await post(token);
      expect(fetched()).toBe(1);
    });

    it('are found again when it has others', async () => {
      on.server.advance(3600);
      expect(await signOut(at())).toBe(200);
      on.provider.rotate();
      on.server.advance(11);
      expect(await signOut(at())).toBe(200);
    });

    it('are unavailable: the error says so, and a retry comes only after a pause', async () => {
      on.server.advance(25 * 3600);
      on.provider.says.instead = { '/keys': { status: 503, body: '' } };
      const token = await on.provider.logoutToken(at());
      fetched();
      for (let count = 0; count < 5; count++) {
        const { status, body } = await post(token);
        expect([status, body.error_description]).toEqual([400, 'the keys of the identity provider cannot be fetched']);
      }
      expect(fetched()).toBe(1);
      on.provider.reset();
      on.server.advance(11);
      expect((await post(token)).status).toBe(200);
    });

    /** Valid claims by the clock of the server, which the tests move. */
    function at(claims: object = {}) {
      const now = Math.floor(on.server.now() / 1000);
      return { iat: now, exp: now + 120, ...claims };
    }
  });
});
