import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import type { Answer } from '../../support/http.ts';
import { SigningIn } from '../../support/oidc/signing-in.ts';

describe.each(databaseKinds)('sign-in of users in a directory on %s', (kind) => {
  let on: SigningIn;
  let token: string;
  const admin = (method: string, path: string, type: string, attributes: object) =>
    on.server.user(method, `/api/v2${path}`, { data: { type, attributes } });
  const scim = (method: string, path: string, body?: unknown) =>
    on.server.call(method, `/scim/v2${path}`, { token, body, headers: { 'content-type': 'application/json' } });
  const refusal = ({ headers }: Answer) =>
    new URL(headers.location ?? '', on.server.address).searchParams.get('refused');
  const off = { Operations: [{ op: 'replace', value: { active: false } }] };
  beforeAll(async () => {
    const claims = { name: 'preferred_username', email: 'email', groups: 'groups', directoryId: 'oid' };
    const rules = { create: 'always', linkByEmail: false, ssoTeamIds: true, teams: [], siteAdminGroups: [] };
    on = await SigningIn.start(kind, {}, { claims, rules });
    await on.server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
    await admin('PATCH', '/admin/scim-settings', 'scim-settings', { enabled: true });
    token = (await admin('POST', '/admin/scim-tokens', 'authentication-tokens', { description: 'o' })).body.data
      .attributes.token;
  });
  afterAll(() => on.stop());
  it('signed in before they were provisioned under another email address: deactivation affects them', async () => {
    const p = { sub: 's-1', oid: 'o-1', email: 'one@old.example.com', preferred_username: 'one' };
    const session = await on.signIn(p);
    expect(await on.whoIs(session)).toBe('one');
    const { body } = await scim('POST', '/Users', {
      userName: 'one@new.example.com',
      externalId: 'o-1',
      emails: [{ value: 'one@new.example.com' }],
    });
    await scim('PATCH', `/Users/${body.id}`, off);
    expect(await on.whoIs(session)).toBeUndefined();
    expect(refusal(await on.signIn(p))).toBe('suspended');
  });
  it('deleted before they ever signed in: kept out', async () => {
    const { body } = await scim('POST', '/Users', { userName: 'two', externalId: 'o-2' });
    await scim('DELETE', `/Users/${body.id}`);
    const s = await on.signIn({ sub: 's-2', oid: 'o-2', email: undefined, preferred_username: 'two' });
    expect(refusal(s)).toBe('suspended');
  });
  it('deactivated before their first sign-in: refused, and no other user has their ID', async () => {
    const { body } = await scim('POST', '/Users', { userName: 'three', externalId: 'o-3' });
    await scim('PATCH', `/Users/${body.id}`, off);
    expect((await scim('POST', '/Users', { userName: 'three-b', externalId: 'o-3' })).status).toBe(409);
    const s = await on.signIn({ sub: 's-3', oid: 'o-3', email: undefined, preferred_username: 'three' });
    expect(refusal(s)).toBe('suspended');
  });
  it('a site administrator created by hand is not a user of the directory', async () => {
    const { body } = await scim('POST', '/Users', { userName: 'four', externalId: 'o-4' });
    await on.server.application.workspaces.tenancy.users.markSiteAdmin(body.id, true);
    await scim('PATCH', `/Users/${body.id}`, { Operations: [{ op: 'replace', value: { externalId: 'o-evil' } }] });
    const s = await on.signIn({ sub: 's-evil', oid: 'o-evil', email: undefined, preferred_username: 'evil' });
    expect(refusal(s)).toBe('taken');
  });
  it('naming an existing user does not give the directory their account', async () => {
    const made = await admin('POST', '/admin/users', 'users', { username: 'owner5', email: 'owner5@example.com' });
    const emails = [{ value: 'owner5@example.com' }];
    const named = await scim('POST', '/Users', { userName: 'x5', externalId: 'o-5', emails });
    expect(named.body.id).toBe(made.body.data.id);
    const person = { sub: 's-5', oid: 'o-5', email: undefined, preferred_username: 'x5' };
    expect(refusal(await on.signIn(person))).toBe('taken');
  });

  it('who was provisioned before the provider confirmed them is one account after the next sign-in', async () => {
    const person = { sub: 's-6', email: 'six@example.com', preferred_username: 'six' };
    const { id } = (await scim('POST', '/Users', { userName: 'six-there', externalId: 'o-6' })).body;
    const session = await on.signIn({ ...person, oid: undefined });
    expect(await on.whoIs(session)).toBe('six');
    expect(refusal(await on.signIn({ ...person, oid: 'o-6' }))).toBe('taken');
    await scim('DELETE', `/Users/${id}`);
    const again = await scim('POST', '/Users', { userName: 'six-there', externalId: 'o-6' });
    expect([again.status, again.body.id === id]).toEqual([201, false]);
    expect(await on.whoIs(await on.signIn({ ...person, oid: 'o-6' }))).toBe('six');
    await scim('PATCH', `/Users/${again.body.id}`, off);
    expect(await on.whoIs(session)).toBeUndefined();
  });
});
