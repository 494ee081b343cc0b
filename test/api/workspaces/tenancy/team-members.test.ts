import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, newTeamMember } from '../support/organization.ts';

const teamBody = (attributes: object) => ({ data: { type: 'teams', attributes } });

describe.each(databaseKinds)('settings and members of a team (facts §6.4) on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const usersBody = (...names: string[]) => ({ data: names.map((id) => ({ type: 'users', id })) });
  const newTeam = (caller: Caller, organization: string, attributes: object) =>
    caller.call('POST', `/organizations/${organization}/teams`, teamBody(attributes));
  const change = (caller: Caller, id: string, attributes: object) =>
    caller.call('PATCH', `/teams/${id}`, teamBody(attributes));

  test('every organization permission is stored, and each is changed separately', async () => {
    const { name, owner } = await newOrganization(api);
    const made = await newTeam(owner, name, { name: 'all flags' });
    const { id, attributes } = made.body.data;
    const flags = attributes['organization-access'];
    expect(Object.keys(flags).length).toBeGreaterThanOrEqual(16);
    expect(Object.values(flags).some(Boolean)).toBe(false);
    for (const flag of Object.keys(flags)) {
      const changed = await change(owner, id, { 'organization-access': { [flag]: true } });
      expect(changed.body.data.attributes['organization-access']).toEqual({ ...flags, [flag]: true });
      await change(owner, id, { 'organization-access': { [flag]: null } });
    }
    expect((await owner.call('GET', `/teams/${id}`)).body).toEqual(made.body);
  });

  test('the id of a team elsewhere and whether members make tokens are kept; null clears, absent keeps', async () => {
    const { name, owner } = await newOrganization(api);
    const made = await newTeam(owner, name, { name: 'sso', 'sso-team-id': 'group-7' });
    const { id } = made.body.data;
    expect(made.body.data.attributes).toMatchObject({
      'sso-team-id': 'group-7',
      'allow-member-token-management': true,
    });
    const changed = await change(owner, id, { 'allow-member-token-management': false, name: 'foo bar' });
    expect(changed.body.data.attributes).toMatchObject({
      name: 'foo bar',
      'sso-team-id': 'group-7',
      'allow-member-token-management': false,
    });
    const cleared = await change(owner, id, { 'sso-team-id': null, 'allow-member-token-management': null });
    expect(cleared.body.data.attributes).toMatchObject({ 'sso-team-id': null, 'allow-member-token-management': true });
  });

  test.each([
    [{ name: ' ops' }, '/data/attributes/name'],
    [{ name: 'ops!' }, '/data/attributes/name'],
    [{ name: '' }, '/data/attributes/name'],
    [{ name: 'x'.repeat(91) }, '/data/attributes/name'],
    [{ name: 'ops', visibility: 'public' }, '/data/attributes/visibility'],
    [{ name: 'ops', 'sso-team-id': 7 }, '/data/attributes/sso-team-id'],
    [
      { name: 'ops', 'organization-access': { 'manage-teams': 'yes' } },
      '/data/attributes/organization-access/manage-teams',
    ],
  ])('%j is refused', async (attributes, pointer) => {
    const { name, owner } = await newOrganization(api);
    const refused = await newTeam(owner, name, attributes);
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].source.pointer).toBe(pointer);
  });

  test('teams are found by a part of their name, in upper or lower case', async () => {
    const { name, owner, team } = await newOrganization(api);
    for (const one of ['Alpha', 'alphabet', 'beta']) await team(one);
    const find = async (query: string) => namesOf(await owner.call('GET', `/organizations/${name}/teams?${query}`));
    expect(await find('q=ALPHA')).toEqual(['Alpha', 'alphabet']);
    expect(await find('q=al%25')).toEqual([]);
    expect(await find('q=a&filter[names]=beta,owners')).toEqual(['beta']);
  });

  test('users are put into a team by name, once, and taken out of it', async () => {
    const acme = await newOrganization(api);
    const { owner, team } = acme;
    const crew = await team('crew');
    const bob = await newTeamMember(api, crew, `bob-of-${acme.name}`);
    const id = await team('ops', { 'manage-workspaces': true });
    const path = `/teams/${id}/relationships/users`;
    const reads = () => bob.call('GET', `/projects/${acme.defaultProjectId}`);
    expect((await reads()).status).toBe(404);
    for (const _ of ['first', 'again']) {
      expect((await owner.call('POST', path, usersBody(bob.username, owner.username))).status).toBe(204);
    }
    expect((await reads()).status).toBe(200);
    const shown = await owner.call('GET', `/teams/${id}?include=users`);
    expect(shown.body.data.attributes['users-count']).toBe(2);
    expect(shown.body.data.relationships.users.data.map((user: { id: string }) => user.id).toSorted()).toEqual(
      [bob.id, owner.id].toSorted(),
    );
    expect(shown.body.included.map((user: { attributes: { username: string } }) => user.attributes.username)).toEqual(
      expect.arrayContaining([bob.username, owner.username]),
    );
    const list = await owner.call('GET', `/organizations/${acme.name}/teams?include=users,organization-memberships`);
    expect(list.body.data.find((one: { id: string }) => one.id === id).relationships.users.data).toHaveLength(2);
    expect((await owner.call('GET', `/teams/${id}?include=owner`)).status).toBe(400);
    for (const _ of ['first', 'again']) {
      expect((await owner.call('DELETE', path, usersBody(bob.username, 'unheard-of'))).status).toBe(204);
    }
    expect((await reads()).status).toBe(404);
  });

  test('only members of the organization can be added to a team, all or none', async () => {
    const acme = await newOrganization(api);
    const { owner, team } = acme;
    const stranger = await api.user(`stranger-of-${acme.name}`);
    const id = await team('ops');
    const answers = [];
    for (const unknown of [stranger.username, 'unheard-of']) {
      const body = usersBody(owner.username, unknown);
      answers.push(await owner.call('POST', `/teams/${id}/relationships/users`, body));
    }
    expect(answers.map(issuesOf)).toEqual([
      ['/data/1/id: No member of the organization has this name'],
      ['/data/1/id: No member of the organization has this name'],
    ]);
    expect((await owner.call('GET', `/teams/${id}`)).body.data.attributes['users-count']).toBe(0);
  });

  test('an organization keeps an owner', async () => {
    const { name, owner, ownersTeamId, team } = await newOrganization(api);
    const path = `/teams/${ownersTeamId}/relationships/users`;
    expect((await owner.call('DELETE', path, usersBody(owner.username))).status).toBe(422);
    const second = await newTeamMember(api, await team('crew'), `second-of-${name}`);
    expect((await owner.call('POST', path, usersBody(second.username))).status).toBe(204);
    expect((await second.call('DELETE', path, usersBody(owner.username))).status).toBe(204);
    expect((await second.call('DELETE', path, usersBody(second.username))).status).toBe(422);
    expect((await owner.call('GET', `/teams/${ownersTeamId}`)).status).toBe(404);
  });

  test('managers of teams create, change and delete the teams they see, and grant only permissions they have', async () => {
    const acme = await newOrganization(api);
    const manager = await acme.machine('managers', { 'manage-teams': true });
    const secret = await acme.team('secret');
    const made = await newTeam(manager, acme.name, { name: 'open', visibility: 'organization' });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const flags = { 'organization-access': { 'manage-workspaces': true } };
    expect(issuesOf(await newTeam(manager, acme.name, { name: 'strong', ...flags }))).toEqual([
      '/data/attributes/organization-access/manage-workspaces: manage-workspaces cannot be given: you do not have it yourself',
    ]);
    expect((await change(manager, id, flags)).status).toBe(404);
    expect((await change(manager, id, { name: 'opened' })).status).toBe(200);
    expect((await manager.call('DELETE', `/teams/${secret}`)).status).toBe(404);
    expect((await manager.call('DELETE', `/teams/${id}`)).status).toBe(204);
  });

  test('a user who manages teams can grant only the permissions that they have', async () => {
    const acme = await newOrganization(api);
    const access = { 'manage-organization-access': true, 'read-workspaces': true };
    const manager = await acme.machine('managers', access);
    const { id } = (await newTeam(acme.owner, acme.name, { name: 'open', visibility: 'organization' })).body.data;
    const give = (flag: string) => change(manager, id, { 'organization-access': { [flag]: true } });
    expect((await give('read-workspaces')).status).toBe(200);
    expect((await give('manage-workspaces')).status).toBe(422);
    expect((await change(manager, id, { name: 'mine' })).status).toBe(404);
  });

  test('users who manage members do so in every team they see, except the owners', async () => {
    const acme = await newOrganization(api);
    const manager = await acme.machine('managers', { 'manage-membership': true });
    const { id } = (await newTeam(acme.owner, acme.name, { name: 'open', visibility: 'organization' })).body.data;
    const secret = await acme.team('secret');
    const add = (team: string) =>
      manager.call('POST', `/teams/${team}/relationships/users`, usersBody(acme.owner.username));
    expect((await add(id)).status).toBe(204);
    expect((await add(secret)).status).toBe(404);
    expect((await add(acme.ownersTeamId)).status).toBe(404);
  });
});
