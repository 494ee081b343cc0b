import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { MAX_INVITATIONS } from '../../../../src/workspaces/tenancy/membership/memberships.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { invite, issuesOf, newOrganization } from '../support/organization.ts';

interface Item {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
}
const emailsOf = (answer: Answer) => answer.body.data.map(({ attributes }: Item) => attributes.email);

describe.each(databaseKinds)('invitations on %s (facts §6.4)', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  /** Response without the parts that differ between any two invitations: IDs, times and the email address. */
  const shapeOf = (answer: Answer, email: string) => {
    const { id, relationships } = answer.body.data;
    const { data: user } = relationships.user;
    return answer.text.replaceAll(id, 'ID').replaceAll(user.id, 'USER').replaceAll(email, 'EMAIL');
  };

  test('an invitation looks the same whether or not the email address has an account, and gives no access', async () => {
    const { name, owner, team, workspace } = await newOrganization(api);
    const teamId = await team('readers', { 'read-workspaces': true });
    const user = await api.user('joiner');
    const id = await workspace('hidden');
    const elsewhere = await newOrganization(api);
    await invite(elsewhere.owner, elsewhere.name, 'ninja1@example.com');

    const toAccount = await invite(owner, name, 'Joiner@Example.com', [teamId]);
    const toNobody = await invite(owner, name, 'nobody@example.com', [teamId]);
    const toInvited = await invite(owner, name, 'ninja1@example.com', [teamId]);
    expect(toAccount.status).toBe(201);
    expect(toAccount.body.data).toMatchObject({
      type: 'organization-memberships',
      attributes: { status: 'invited', email: 'joiner@example.com' },
      relationships: { organization: { data: { type: 'organizations', id: name } } },
    });
    expect(shapeOf(toAccount, 'joiner@example.com')).toBe(shapeOf(toNobody, 'nobody@example.com'));
    expect(shapeOf(toInvited, 'ninja1@example.com')).toBe(shapeOf(toNobody, 'nobody@example.com'));
    const placeholder = toAccount.body.data.relationships.user.data.id;
    expect(toAccount.body.included).toMatchObject([
      { id: placeholder, attributes: { username: '', email: 'joiner@example.com' } },
    ]);
    expect((await owner.call('GET', `/organization-memberships/${toAccount.body.data.id}?include=user`)).body).toEqual(
      toAccount.body,
    );

    const all = [
      await owner.call('GET', `/organizations/${name}/organization-memberships?include=user,teams`),
      await owner.call('GET', `/organizations/${name}/organization-memberships?q=joiner&include=user`),
      await owner.call('GET', `/teams/${teamId}?include=users,organization-memberships`),
      await owner.call('GET', `/organizations/${name}/teams?include=users`),
    ];
    for (const { text } of all) {
      expect(text).not.toContain(user.id);
      expect(text).not.toContain('"joiner"');
    }
    expect((await owner.call('GET', `/users/${user.id}`)).status).toBe(404);
    const users = (username: string) => ({ data: [{ type: 'users', id: username }] });
    const byName = await owner.call('POST', `/teams/${teamId}/relationships/users`, users('joiner'));
    const byNoName = await owner.call('POST', `/teams/${teamId}/relationships/users`, users('nobody-at-all'));
    expect(byName.body).toEqual(byNoName.body);
    for (const path of [`/organizations/${name}`, `/workspaces/${id}`, `/teams/${teamId}`, `/users/${owner.id}`]) {
      expect((await user.call('GET', path)).status, path).toBe(404);
    }
    expect((await user.call('GET', '/organizations')).body.data).toEqual([]);

    for (const email of ['joiner@example.com', 'NOBODY@example.com']) {
      expect(issuesOf(await invite(owner, name, email))).toEqual([
        '/data/attributes/email: Email has already been taken',
      ]);
    }
    expect(issuesOf(await invite(owner, name, 'nobody'))).toEqual([
      '/data/attributes/email: Email is not a valid email address',
    ]);
  });

  test('an invited user finds the invitation, accepts it and is a member with its teams; other users cannot', async () => {
    const { name, owner, team, workspace } = await newOrganization(api);
    const teamId = await team('readers', { 'read-workspaces': true });
    const id = await workspace('shown');
    const user = await api.user('accepter');
    const stranger = await api.user('stranger-to-it');
    const made = await invite(owner, name, 'Accepter@example.com', [teamId]);
    const path = `/organization-memberships/${made.body.data.id}`;

    const own = await user.call('GET', '/organization-memberships?filter[status]=invited');
    expect(own.body.data).toMatchObject([
      {
        id: made.body.data.id,
        attributes: { status: 'invited' },
        relationships: { organization: { data: { id: name } } },
      },
    ]);
    expect((await user.call('GET', path)).status).toBe(200);
    expect((await stranger.call('GET', path)).status).toBe(404);
    expect((await stranger.call('GET', '/organization-memberships')).body.data).toEqual([]);
    for (const caller of [stranger, owner]) {
      for (const action of ['accept', 'decline']) {
        expect((await caller.call('POST', `${path}/actions/${action}`)).status).toBe(404);
      }
    }
    expect((await user.call('POST', `${path}/actions/accept`)).status).toBe(204);
    expect((await user.call('POST', `${path}/actions/accept`)).status).toBe(404);
    expect((await user.call('POST', `${path}/actions/decline`)).status).toBe(404);

    const shown = await owner.call('GET', `${path}?include=user`);
    expect(shown.body.data.attributes).toMatchObject({ status: 'active', email: 'accepter@example.com' });
    expect(shown.body.data.relationships.teams.data).toEqual([{ type: 'teams', id: teamId }]);
    expect(shown.body.included).toMatchObject([{ id: user.id, attributes: { username: 'accepter' } }]);
    expect((await owner.call('GET', `/users/${made.body.data.relationships.user.data.id}`)).status).toBe(404);
    expect((await user.call('GET', `/workspaces/${id}`)).status).toBe(200);
    expect((await owner.call('GET', `/teams/${teamId}`)).body.data.attributes['users-count']).toBe(1);
    expect((await user.call('GET', '/organization-memberships?filter[status]=invited')).body.data).toEqual([]);
  });

  test('a declined invitation leaves no trace, and can be created again', async () => {
    const { name, owner, team } = await newOrganization(api);
    const teamId = await team('readers');
    const user = await api.user('decliner');
    const made = await invite(owner, name, 'decliner@example.com', [teamId]);
    const path = `/organization-memberships/${made.body.data.id}`;
    expect((await user.call('POST', `${path}/actions/decline`)).status).toBe(204);
    expect((await owner.call('GET', path)).status).toBe(404);
    expect((await owner.call('GET', `/users/${made.body.data.relationships.user.data.id}`)).status).toBe(404);
    expect((await owner.call('GET', `/teams/${teamId}?include=users`)).body.data.relationships.users.data).toEqual([]);
    expect((await user.call('GET', `/organizations/${name}`)).status).toBe(404);
    expect((await invite(owner, name, 'decliner@example.com')).status).toBe(201);
  });

  test('the operator consents for an email address: with an account for it, and by confirming it', async () => {
    const first = await newOrganization(api);
    const second = await newOrganization(api);
    const teams = [await first.team('a-readers', { 'read-workspaces': true }), await first.team('b-projects')];
    const made = await invite(first.owner, first.name, 'later@example.org', teams);
    expect(made.body.data.relationships.teams.data.map(({ id }: Item) => id)).toEqual(teams);
    await invite(second.owner, second.name, 'LATER@example.org');

    const user = await api.workspaces.tenancy.users.create({ username: 'latecomer', email: 'Later@example.org' });
    const { text } = await api.workspaces.tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
    const latecomer = api.holder(text);
    const own = await latecomer.call('GET', '/organization-memberships?include=teams');
    expect(own.body.data.map(({ attributes }: Item) => attributes.status)).toEqual(['active', 'active']);
    expect(own.body.included.map(({ id }: Item) => id)).toEqual(teams);
    expect((await latecomer.call('GET', `/teams/${teams[0]}`)).status).toBe(200);
    const listed = `/organizations/${first.name}/organization-memberships`;
    expect(emailsOf(await first.owner.call('GET', `${listed}?filter[status]=invited`))).toEqual([]);

    const third = await newOrganization(api);
    const readers = await first.team('c-readers');
    await invite(third.owner, third.name, 'new@example.org');
    // The user is a member here already, under their current email address.
    await invite(first.owner, first.name, 'new@example.org', [readers]);
    await api.workspaces.tenancy.users.confirmEmail('latecomer', 'New@example.org');
    const after = await latecomer.call('GET', '/organization-memberships?include=teams');
    expect(after.body.data.map(({ attributes }: Item) => [attributes.status, attributes.email])).toEqual(
      Array.from({ length: 3 }, () => ['active', 'new@example.org']),
    );
    expect(after.body.included.map(({ id }: Item) => id)).toEqual([...teams, readers]);
  });

  test('an organization has a maximum number of pending invitations', async () => {
    const { name, owner } = await newOrganization(api);
    await api.workspaces.database.run(
      sql<{ name: string; count: number }>(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)
         INSERT INTO organization_membership (id, organization_id, email, status, created_at)
         SELECT 'ou-' || o.name || '-' || cast(i as text), o.id, cast(i as text) || '@example.net', 'invited', 0
         FROM organization o CROSS JOIN n WHERE o.name = :name`,
      ),
      { name, count: MAX_INVITATIONS },
    );
    expect((await invite(owner, name, 'last@example.net')).status).toBe(201);
    const refused = await invite(owner, name, 'more@example.net');
    expect(issuesOf(refused)).toEqual([
      `/data/attributes/email: An organization may have at most ${MAX_INVITATIONS} open invitations`,
    ]);
  });
});
