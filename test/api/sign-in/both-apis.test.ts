import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { type Session, SigningIn } from '../../support/oidc/signing-in.ts';

const SELF = '/v1/auth/token/lookup-self';
const POLICY = '/v1/sys/policies/acl/operators';

describe.each(databaseKinds)('one sign-in for both APIs on %s', (kind) => {
  let on: SigningIn;

  beforeAll(async () => {
    const policies = [
      { group: 'platform-*', policy: 'operators' },
      { group: 'auditors', policy: 'auditors' },
    ];
    on = await SigningIn.start(kind, {}, { policies });
    await on.server.root('PUT', POLICY, { policy: 'path "sys/policies/acl/*" { capabilities = ["read"] }' });
    await on.server.root('PUT', '/v1/sys/policies/acl/auditors', {
      policy: 'path "sys/audit" { capabilities = ["read"] }',
    });
    await on.server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
  });
  afterAll(() => on?.stop());

  const person = (sub: string) => ({ sub, preferred_username: sub, email: `${sub}@example.com` });
  const selfOf = (session: Session) => on.as(session, 'GET', SELF);
  const sessionOf = async (session: Session) => (await on.as(session, 'GET', '/app/~session')).body;
  const accessorOf = async (session: Session): Promise<string> => (await selfOf(session)).body.data.accessor;
  const isThere = async (accessor: string) =>
    (await on.server.root('POST', '/v1/auth/token/lookup-accessor', { accessor })).status === 200;

  it('groups give policies: the session says both identities, and its token of the access API is bounded', async () => {
    const session = await on.signIn({ ...person('ada'), groups: ['platform-eu', 'auditors'] });
    expect(session.status).toBe(200);
    const { access, workspaces } = await sessionOf(session);
    expect(workspaces).toMatchObject({ kind: 'user', name: 'ada', organizations: [], is_site_admin: false });
    expect(access).toMatchObject({
      name: 'console-ada',
      policies: ['auditors', 'default', 'operators'],
      is_root: false,
    });
    expect(Date.parse(access.expires_at)).toBeLessThanOrEqual(on.server.now() + 8 * 3_600_000);
    expect(Date.parse(access.expires_at)).toBeLessThanOrEqual(Date.parse(workspaces.expires_at));
    const { data } = (await selfOf(session)).body;
    expect(data).toMatchObject({
      ...{ display_name: 'console-ada', renewable: false, orphan: true, id: 'held by the session' },
      meta: { via: 'console', username: 'ada' },
    });
    expect(data.explicit_max_ttl).toBeLessThanOrEqual(8 * 3600);
    expect((await on.as(session, 'GET', POLICY)).status).toBe(200);
    expect((await on.as(session, 'GET', '/v1/sys/mounts')).status).toBe(403);
    expect((await on.as(session, 'POST', '/v1/auth/token/renew-self', { body: {} })).status).toBe(400);
    // A page of another site, and a link, get nothing of it.
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await on.as(session, 'GET', SELF, foreign)).status).toBe(403);
  });

  it('signing out ends both', async () => {
    const session = await on.signIn({ ...person('grace'), groups: ['auditors'] });
    const accessor = await accessorOf(session);
    expect(await isThere(accessor)).toBe(true);
    expect((await on.as(session, 'DELETE', '/app/~session')).status).toBe(204);
    expect(await isThere(accessor)).toBe(false);
    expect(await on.whoIs(session)).toBeUndefined();
    expect((await selfOf(session)).status).toBe(403);
  });

  it('the end of the session of the workspaces ends both, on another node too', async () => {
    const session = await on.signIn({ ...person('mary'), groups: ['auditors'] });
    const node = await on.beside();
    try {
      expect((await on.as(session, 'GET', SELF, {}, node)).status).toBe(200);
      const { data } = (await on.server.user('GET', '/api/v2/admin/users?q=mary')).body;
      await on.server.user('POST', `/api/v2/admin/users/${data[0].id}/actions/suspend`);
      expect((await on.as(session, 'GET', SELF, {}, node)).status).toBe(403);
      expect((await selfOf(session)).status).toBe(403);
    } finally {
      await node.stop();
    }
  });

  it('a user without a mapped group opens the workspaces only', async () => {
    const session = await on.signIn({ ...person('joan'), groups: ['nothing'] });
    const { access, workspaces } = await sessionOf(session);
    expect([access, workspaces.name]).toEqual([null, 'joan']);
    expect((await selfOf(session)).status).toBe(403);
  });

  it('the groups of the last sign-in count, and the token before is revoked', async () => {
    const first = await on.signIn({ ...person('lin'), groups: ['platform-eu'] });
    const accessor = await accessorOf(first);
    const signInAgain = async (session: Session, groups: readonly string[]) => {
      on.server.advance(60);
      const signedInAt = Math.floor(on.server.now() / 1000);
      Object.assign(on.provider, { person: { ...on.provider.person, groups, auth_time: signedInAt } });
      return on.comeBack(await on.begin({ again: '1' }, session), session);
    };
    const again = await signInAgain(first, ['auditors']);
    expect(again.status, again.headers.location).toBe(200);
    expect((await sessionOf(again)).access.policies).toEqual(['auditors', 'default']);
    expect(await isThere(accessor)).toBe(false);
    const next = await accessorOf(again);
    const last = await signInAgain(again, []);
    expect(await sessionOf(last)).toMatchObject({ access: null, workspaces: { name: 'lin' } });
    expect(await isThere(next)).toBe(false);
  });

  it('an ordinary sign-in in the same browser revokes the tokens of the session before', async () => {
    const first = await on.signIn({ ...person('vera'), groups: ['auditors'] });
    const accessor = await accessorOf(first);
    const begun = await on.begin({}, first);
    expect(await isThere(accessor)).toBe(true);
    // Browsers send only the cookie of the sign-in with the redirect of the provider.
    Object.assign(on.provider, { person: { ...on.provider.person, groups: [] } });
    const next = await on.comeBack(begun);
    expect(await sessionOf(next)).toMatchObject({ access: null, workspaces: { name: 'vera' } });
    expect(await isThere(accessor)).toBe(false);
    expect([await on.whoIs(first), await on.whoIs(next)]).toEqual([undefined, 'vera']);
    // A sign-in that fails revokes nothing.
    const third = await on.signIn({ ...person('vera'), groups: ['auditors'] });
    const kept = await accessorOf(third);
    const refused = await on.begin({}, third);
    Object.assign(on.provider.says, { back: { state: 'another' } });
    expect((await on.comeBack(refused)).headers.location).toContain('refused=');
    on.provider.reset();
    expect(await isThere(kept)).toBe(true);
  });

  it('a token that does not fit into the cookie of the next sign-in is revoked before', async () => {
    const session = await on.signIn({ ...person('wide'), groups: ['auditors'] });
    const accessor = await accessorOf(session);
    // Each quotation mark has two characters in JSON.
    for (let length = 500; await isThere(accessor); length += 20) {
      const { headers } = await on.begin({ again: '1', to: `/${'"'.repeat(length)}` }, session);
      expect(headers.location).not.toContain('refused');
    }
    expect(await on.whoIs(session)).toBe('wide');
    expect((await selfOf(session)).status).toBe(403);
  });

  it('another user who signs in in the same browser does not inherit the token of the access API', async () => {
    const session = await on.signIn({ ...person('iris'), groups: ['auditors'] });
    const accessor = await accessorOf(session);
    const other = await on.as(session, 'POST', '/app/~session', {
      headers: { 'content-type': 'application/json' },
      body: { token: on.server.userToken },
    });
    expect(other.body).toMatchObject({ workspaces: { name: 'first' }, access: null });
    expect(await isThere(accessor)).toBe(false);
  });

  it('a root token is marked', async () => {
    const answer = await on.server.call('POST', '/app/~session', {
      headers: { 'sec-fetch-site': 'same-origin', 'x-lockkeeper-console': '1', 'content-type': 'application/json' },
      body: { token: on.server.rootToken },
    });
    expect(answer.body.access).toMatchObject({ policies: ['root'], is_root: true });
  });
});
