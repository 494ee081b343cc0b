import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization } from '../support/organization.ts';

const userBody = (attributes: object) => ({ data: { type: 'users', attributes } });

describe.each(databaseKinds)('users on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('users see all of their own fields, and other members without their email address', async () => {
    const { owner, machine } = await newOrganization(api);
    const account = await owner.call('GET', '/account/details');
    expect(account.body.data).toMatchObject({
      id: owner.id,
      type: 'users',
      attributes: {
        username: owner.username,
        email: `${owner.username}@example.com`,
        'unconfirmed-email': null,
        'is-service-account': false,
        'two-factor': { enabled: false },
      },
    });
    expect(account.body.data.attributes['avatar-url']).toMatch(/^data:image\/svg\+xml,%3Csvg/);
    const colleague = await machine('watcher');
    const seen = await colleague.call('GET', `/users/${owner.id}`);
    expect(seen.body.data.attributes.username).toBe(owner.username);
    expect(seen.text).not.toContain('@example.com');
    const stranger = await api.user(`stranger-of-${owner.username}`);
    expect((await stranger.call('GET', `/users/${owner.id}`)).status).toBe(404);
  });

  test('user names follow a rule and are unique, and so are email addresses', async () => {
    const create = (username: string, email = `${Math.random()}@example.com`) =>
      api.workspaces.tenancy.users.create({ username, email });
    await create('grace.hopper-1_', 'Grace@example.com');
    await expect(create('grace.hopper-1_')).rejects.toMatchObject({ kind: 'unprocessable' });
    await expect(create('other-grace', 'gRACE@Example.com')).rejects.toMatchObject({
      issues: [{ detail: 'Email has already been taken' }],
    });
    for (const wrong of ['', '-x', 'a b', 'ü', 'a\0b', 'x'.repeat(61), 'api-org-acme']) {
      await expect(create(wrong), wrong).rejects.toMatchObject({ kind: 'unprocessable' });
    }
    await expect(create('mailless', 'nobody')).rejects.toMatchObject({ kind: 'unprocessable' });
  });

  test('users rename themselves at once; a new email address waits for the operator', async () => {
    const user = await api.user('renamer');
    await api.user('somebody');
    const nothing = await user.call('PATCH', '/account/update', { data: { type: 'users' } });
    expect(nothing.body).toEqual((await user.call('GET', '/account/details')).body);
    const same = await user.call('PATCH', '/account/update', userBody({ username: null, email: null }));
    expect([same.status, same.body]).toEqual([200, nothing.body]);
    const renamed = await user.call('PATCH', '/account/update', userBody({ username: 'Renamed' }));
    expect(renamed.status).toBe(200);
    expect(renamed.body.data.attributes.username).toBe('Renamed');

    const asked = await user.call('PATCH', '/account/update', userBody({ email: 'new@example.com' }));
    expect(asked.body.data.attributes).toMatchObject({
      email: 'renamer@example.com',
      'unconfirmed-email': 'new@example.com',
    });
    expect((await user.call('GET', '/account/details')).body).toEqual(asked.body);
    await api.workspaces.tenancy.users.confirmEmail('Renamed', 'new@example.com');
    const confirmed = await user.call('GET', '/account/details');
    expect(confirmed.body.data.attributes).toMatchObject({ email: 'new@example.com', 'unconfirmed-email': null });

    const taken = await user.call('PATCH', '/account/update', userBody({ username: 'somebody' }));
    expect(issuesOf(taken)).toEqual(['/data/attributes/username: Username has already been taken']);
    const wrong = await user.call('PATCH', '/account/update', userBody({ email: 'notamailaddress' }));
    expect(issuesOf(wrong)).toEqual(['/data/attributes/email: Email is not a valid email address']);
    await expect(api.workspaces.tenancy.users.confirmEmail('Renamed', 'somebody@example.com')).rejects.toMatchObject({
      issues: [{ detail: 'Email has already been taken' }],
    });
  });

  test('a user who enters the email address of another person cannot accept invitations of that person', async () => {
    const { name, owner } = await newOrganization(api);
    const thief = await api.user('thief');
    await thief.call('PATCH', '/account/update', userBody({ email: 'boss@example.com' }));
    const body = { data: { type: 'organization-memberships', attributes: { email: 'boss@example.com' } } };
    const invited = await owner.call('POST', `/organizations/${name}/organization-memberships`, body);
    expect(invited.body.data.attributes.status).toBe('invited');
    expect((await thief.call('GET', `/organizations/${name}`)).status).toBe(404);
  });

  test('only users have an account', async () => {
    const { name, owner, machine, ownersTeamId } = await newOrganization(api);
    const team = await owner.call('POST', `/teams/${ownersTeamId}/authentication-token`);
    const organization = await owner.call('POST', `/organizations/${name}/authentication-token`);
    const tokens = [team, organization].map(({ body }) => body.data.attributes.token);
    for (const token of [...tokens, (await machine('m')).token]) {
      const headers = { authorization: `Bearer ${token}` };
      const caller = api.nobody();
      expect((await caller.call('GET', '/account/details', undefined, headers)).status).toBe(404);
      expect((await caller.call('PATCH', '/account/update', userBody({}), headers)).status).toBe(404);
    }
  });
});
