import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import type { Answer } from '../../support/http.ts';
import { SigningIn } from '../../support/oidc/signing-in.ts';

describe.each(databaseKinds)('signing in where a directory provisions people, on %s', (kind) => {
  let on: SigningIn;
  let token: string;
  const admin = (method: string, path: string, type: string, attributes: object) =>
    on.server.user(method, `/api/v2${path}`, { data: { type, attributes } });
  const scim = (method: string, path: string, body?: unknown) =>
    on.server.call(method, `/scim/v2${path}`, { token, body, headers: { 'content-type': 'application/json' } });
  const refusal = ({ headers }: Answer) =>
    new URL(headers.location ?? '', on.server.address).searchParams.get('refused');

  beforeAll(async () => {
    const claims = { name: 'preferred_username', email: 'email', groups: 'groups', directoryId: 'oid' };
    const teams = [{ group: 'platform', organization: 'acme', team: 'platform' }];
    const rules = { create: 'never', linkByEmail: false, ssoTeamIds: true, teams, siteAdminGroups: ['admins'] };
    on = await SigningIn.start(kind, {}, { claims, rules });
    await on.server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
    await admin('PATCH', '/admin/scim-settings', 'scim-settings', { enabled: true });
    const made = await admin('POST', '/admin/scim-tokens', 'authentication-tokens', { description: 'ours' });
    token = made.body.data.attributes.token;
    await admin('POST', '/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    await admin('POST', '/organizations/acme/teams', 'teams', { name: 'platform' });
  });
  afterAll(() => on.stop());

  it('are identified by the ID of the directory, never by their email address', async () => {
    const emails = [{ value: 'ada@example.com', primary: true }];
    const { id } = (await scim('POST', '/Users', { userName: 'ada', externalId: 'o-1', emails })).body;
    expect(refusal(await on.signIn({ sub: 'x', oid: 'o-2' }))).toBe('taken');
    const session = await on.signIn({ sub: 'ada-1', oid: 'o-1' });
    expect(await on.whoIs(session)).toBe('ada');
    expect((await on.as(session, 'GET', '/api/v2/account/details')).body.data.id).toBe(id);
    // Another subject with an equal ID is another user: identities are linked once.
    expect(refusal(await on.signIn({ sub: 'ada-2', oid: 'o-1' }))).toBe('taken');
    // Deactivated users lose their session with the next request, and cannot sign in again.
    const off = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect((await scim('PATCH', `/Users/${id}`, off)).status).toBe(200);
    expect(await on.whoIs(session)).toBeUndefined();
    expect(refusal(await on.signIn({ sub: 'ada-1', oid: 'o-1' }))).toBe('suspended');
  });

  it('groups of the provider count no more, those of the directory do', async () => {
    const { id } = (await scim('POST', '/Users', { userName: 'mary', externalId: 'o-3' })).body;
    const person = { sub: 'mary-1', oid: 'o-3', email: 'mary@example.com', groups: ['platform', 'admins'] };
    const session = await on.signIn(person);
    const organizations = async () => (await on.as(session, 'GET', '/api/v2/organizations')).body.data;
    expect(await organizations()).toEqual([]);
    expect((await on.as(session, 'GET', '/api/v2/admin/users')).status).toBe(404);
    const group = (await scim('POST', '/Groups', { displayName: 'g', members: [{ value: id }] })).body.id;
    const teams = (await on.server.user('GET', '/api/v2/organizations/acme/teams')).body.data;
    const team = teams.find((one: { attributes: { name: string } }) => one.attributes.name === 'platform').id;
    await admin('POST', `/admin/teams/${team}/scim-group-mapping`, 'scim-group-mappings', { 'scim-group-id': group });
    expect(await organizations()).toHaveLength(1);
    await on.signIn({ ...person, groups: [] });
    expect(await organizations()).toHaveLength(1);
    await scim('PATCH', `/Groups/${group}`, { Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }] });
    expect(await organizations()).toEqual([]);
  });
});
