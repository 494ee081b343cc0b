import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi, type UserCaller } from '../support/api.ts';
import { invite, issuesOf, joinOrganization, newOrganization } from '../support/organization.ts';

interface Item {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
}
const emailsOf = (answer: Answer) => answer.body.data.map(({ attributes }: Item) => attributes.email);
const membersBody = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'organization-memberships', id })) });

describe.each(databaseKinds)('memberships on %s (facts §6.4)', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const join = async (
    organization: { name: string; owner: Caller },
    username: string,
    teams: readonly string[] = [],
  ) => {
    const user = await api.user(username);
    return { user, membership: await joinOrganization(organization, user, teams) };
  };

  test('a member is found by email address and by name, an invited user only by email address, as official clients search', async () => {
    const { name, owner, team } = await newOrganization(api);
    const teamId = await team('found');
    await join({ name, owner }, 'found-member', [teamId]);
    await invite(owner, name, 'Found-Invited@example.com', [teamId]);
    const list = `/organizations/${name}/organization-memberships`;
    /** Returns the fields that such a client compares: the email address and the name of the one included user. */
    const found = async (path: string) => {
      const { body } = await owner.call('GET', path);
      const user = body.data[0].relationships.user.data.id;
      const { attributes } = body.included.find((one: Item) => one.id === user);
      return [body.data.length, attributes.email, attributes.username];
    };
    const byAddress = (email: string) => found(`${list}?include=user&filter[email]=${email}`);
    expect(await byAddress('found-member@example.com')).toEqual([1, 'found-member@example.com', 'found-member']);
    expect(await byAddress('found-invited@example.com')).toEqual([1, 'found-invited@example.com', '']);
    expect(await found(`${list}?include=user&q=found-member`)).toEqual([1, 'found-member@example.com', 'found-member']);

    const ofTeam = `/teams/${teamId}/relationships/organization-memberships`;
    expect(await found(`${ofTeam}?include=user&filter[status]=invited`)).toEqual([1, 'found-invited@example.com', '']);
    expect((await owner.call('GET', ofTeam)).body.data).toHaveLength(2);
    // In other responses an email address is visible only to its owner.
    const included = (await owner.call('GET', `/teams/${teamId}?include=users`)).text;
    expect(included).not.toContain('@example.com');
  });

  test('the list is searched and filtered, page by page', async () => {
    const organization = await newOrganization(api);
    const { name, owner } = organization;
    await join(organization, 'Anna-lists');
    await join(organization, 'bert-lists');
    await invite(owner, name, 'carl-lists@example.com');
    const path = `/organizations/${name}/organization-memberships`;
    const all = await owner.call('GET', path);
    expect(emailsOf(all)).toHaveLength(4);
    expect(all.body.included).toBeUndefined();
    const get = async (query: string) => emailsOf(await owner.call('GET', `${path}?${query}`)).sort();
    expect(await get('q=ANNA')).toEqual(['anna-lists@example.com']);
    expect(await get('q=lists')).toEqual([
      'anna-lists@example.com',
      'bert-lists@example.com',
      'carl-lists@example.com',
    ]);
    expect(await get('q=li%25ts')).toEqual([]);
    expect(await get('filter[email]=Bert-lists@example.com,carl-lists@example.com')).toEqual([
      'bert-lists@example.com',
      'carl-lists@example.com',
    ]);
    expect(await get('filter[status]=active&q=carl')).toEqual([]);
    const far = await owner.call('GET', `${path}?page[number]=999&page[size]=100`);
    expect(far.body).toMatchObject({ data: [], meta: { pagination: { 'current-page': 999, 'total-count': 4 } } });
    const users = await owner.call('GET', `${path}?include=user`);
    expect(users.body.included).toHaveLength(4);
    const unknown = await owner.call('GET', `${path}?include=users`);
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('include parameter');
  });

  test('only users who manage members see and change memberships; all users see their own', async () => {
    const organization = await newOrganization(api);
    const { name, owner, team } = organization;
    const managers = await team('managers', { 'manage-membership': true, 'access-secret-teams': true });
    const plain = await join(organization, 'plain');
    const manager = await join(organization, 'manager', [managers]);
    const path = `/organizations/${name}/organization-memberships`;
    expect((await plain.user.call('GET', path)).status).toBe(404);
    expect((await invite(plain.user, name, 'x@example.com')).status).toBe(404);
    expect((await plain.user.call('GET', `/organization-memberships/${manager.membership}`)).status).toBe(404);
    expect((await plain.user.call('GET', `/organization-memberships/${plain.membership}`)).status).toBe(200);
    expect((await plain.user.call('DELETE', `/organization-memberships/${manager.membership}`)).status).toBe(404);
    expect((await manager.user.call('GET', path)).status).toBe(200);
    expect((await invite(manager.user, name, 'y@example.com')).status).toBe(201);
    expect((await owner.call('GET', '/organization-memberships/nonexisting')).status).toBe(404);
  });

  test('a user who manages members can neither add nor remove owners', async () => {
    const organization = await newOrganization(api);
    const { name, owner, team, ownersTeamId } = organization;
    const managers = await team('managers', { 'manage-membership': true, 'access-secret-teams': true });
    const { user, membership } = await join(organization, 'climber', [managers]);
    expect((await invite(user, name, 'friend@example.com', [ownersTeamId])).status).toBe(404);
    expect(emailsOf(await owner.call('GET', `/organizations/${name}/organization-memberships?q=friend`))).toEqual([]);
    const relation = `/teams/${ownersTeamId}/relationships/organization-memberships`;
    expect((await user.call('POST', relation, membersBody(membership))).status).toBe(404);
    const owners = await owner.call('GET', `/organizations/${name}/organization-memberships?q=${owner.username}`);
    const refused = await user.call('DELETE', `/organization-memberships/${owners.body.data[0].id}`);
    expect(refused.status).toBe(403);
    expect(refused.body.errors[0].title).toBe('forbidden');
  });

  test('the last owner stays, with any request; an invited owner does not count (403 and 422)', async () => {
    const organization = await newOrganization(api);
    const { name, owner, ownersTeamId } = organization;
    await invite(owner, name, 'not-yet@example.com', [ownersTeamId]);
    const mine = await owner.call('GET', '/organization-memberships');
    const id = mine.body.data[0].id;
    expect((await owner.call('DELETE', `/organization-memberships/${id}`)).status).toBe(403);
    const relation = `/teams/${ownersTeamId}/relationships/organization-memberships`;
    expect((await owner.call('DELETE', relation, membersBody(id))).status).toBe(422);
    expect((await owner.call('GET', `/organizations/${name}`)).status).toBe(200);

    const second = await join(organization, 'second-owner', [ownersTeamId]);
    expect((await second.user.call('DELETE', `/organization-memberships/${id}`)).status).toBe(204);
    expect((await owner.call('GET', `/organizations/${name}`)).status).toBe(404);
  });

  test('a removed user has no access left in the organization, and a deleted invitation leaves no trace', async () => {
    const organization = await newOrganization(api);
    const { name, owner, team } = organization;
    const teamId = await team('readers', { 'read-workspaces': true });
    const { user, membership } = await join(organization, 'leaver', [teamId]);
    expect((await owner.call('DELETE', `/organization-memberships/${membership}`)).status).toBe(204);
    expect((await user.call('GET', `/organizations/${name}`)).status).toBe(404);
    expect((await owner.call('GET', `/teams/${teamId}`)).body.data.attributes['users-count']).toBe(0);
    expect((await user.call('GET', '/account/details')).status).toBe(200);

    const invited = await invite(owner, name, 'ghost@example.com', [teamId]);
    const { id, relationships } = invited.body.data;
    expect((await owner.call('DELETE', `/organization-memberships/${id}`)).status).toBe(204);
    expect((await owner.call('GET', `/users/${relationships.user.data.id}`)).status).toBe(404);
    expect((await owner.call('GET', `/organization-memberships/${id}`)).status).toBe(404);
    const again = await invite(owner, name, 'ghost@example.com');
    expect(again.status).toBe(201);
  });

  test('members are put into teams by their memberships, all of them or none', async () => {
    const organization = await newOrganization(api);
    const { owner, team } = organization;
    const teamId = await team('crew');
    const members: { user: UserCaller; membership: string }[] = [];
    for (const name of ['crew-a', 'crew-b']) members.push(await join(organization, name));
    const ids = members.map(({ membership }) => membership);
    const relation = `/teams/${teamId}/relationships/organization-memberships`;
    const foreign = await join(await newOrganization(api), 'crew-foreign');
    const refused = await owner.call('POST', relation, membersBody(...ids, foreign.membership));
    expect(issuesOf(refused)).toEqual(['/data/2/id: The organization has no such membership']);
    const shown = async () => (await owner.call('GET', `/teams/${teamId}?include=organization-memberships`)).body.data;
    expect((await shown()).attributes['users-count']).toBe(0);

    expect((await owner.call('POST', relation, membersBody(...ids))).status).toBe(204);
    expect((await owner.call('POST', relation, membersBody(...ids))).status).toBe(204);
    const { attributes, relationships } = await shown();
    expect(attributes['users-count']).toBe(2);
    expect(relationships['organization-memberships'].data.map(({ id }: Item) => id)).toEqual(ids);
    expect((await owner.call('DELETE', relation, membersBody(ids[0] ?? '', 'ou-none'))).status).toBe(204);
    expect((await shown()).attributes['users-count']).toBe(1);
    expect((await members[1]?.user.call('POST', relation, membersBody(...ids)))?.status).toBe(404);
  });

  test('a team of another organization is unknown (404), and secret teams are not revealed', async () => {
    const organization = await newOrganization(api);
    const { name, owner, team } = organization;
    const foreign = await newOrganization(api);
    expect((await invite(owner, name, 'z@example.com', [await foreign.team('theirs')])).status).toBe(404);
    const secret = await team('secret');
    const managers = await team('managers', { 'manage-membership': true });
    await join(organization, 'in-secret', [secret]);
    const { user } = await join(organization, 'unaware', [managers]);
    const seen = await user.call('GET', `/organizations/${name}/organization-memberships?q=in-secret`);
    expect(seen.body.data[0].relationships.teams.data).toEqual([]);
    const seenByOwner = await owner.call('GET', `/organizations/${name}/organization-memberships?q=in-secret`);
    expect(seenByOwner.body.data[0].relationships.teams.data).toEqual([{ type: 'teams', id: secret }]);
  });
});
