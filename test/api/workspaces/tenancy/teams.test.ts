import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { identify, issuesOf, namesOf, newOrganization, newTeamMember } from '../support/organization.ts';

const teamBody = (attributes: object) => ({ data: { type: 'teams', attributes } });
const identityBody = (attributes: object) => ({ data: { type: 'machine-identities', attributes } });

describe.each(databaseKinds)('teams on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('a team is made with the access it is given, and no other', async () => {
    const { name, owner } = await newOrganization(api);
    const access = { 'manage-workspaces': true, 'manage-policies': true };
    const made = await owner.call(
      'POST',
      `/organizations/${name}/teams`,
      teamBody({ name: 'ops', 'organization-access': access }),
    );
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      name: 'ops',
      visibility: 'secret',
      'users-count': 0,
      'organization-access': {
        'manage-workspaces': true,
        'read-workspaces': false,
        'manage-projects': false,
        'read-projects': false,
      },
    });
    expect((await owner.call('GET', `/teams/${made.body.data.id}`)).body).toEqual(made.body);
  });

  test('an update changes what it names and keeps the rest', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('ops', { 'manage-workspaces': true, 'read-projects': true });
    const body = teamBody({ 'organization-access': { 'manage-workspaces': null }, visibility: 'organization' });
    const updated = await owner.call('PATCH', `/teams/${id}`, body);
    expect(updated.status).toBe(200);
    expect(updated.body.data.attributes).toMatchObject({
      name: 'ops',
      visibility: 'organization',
      'organization-access': { 'manage-workspaces': false, 'read-projects': true },
    });
    const renamed = await owner.call('PATCH', `/teams/${id}`, teamBody({ name: 'operators' }));
    expect(renamed.body.data.attributes).toEqual({ ...updated.body.data.attributes, name: 'operators' });
  });

  test('access that is taken away is gone at once', async () => {
    const { name, owner, team } = await newOrganization(api);
    const id = await team('ops', { 'read-workspaces': true });
    await identify(owner, id, { mount: 'cert', role: `${name}/ops` });
    const machine = api.machine({ role: `${name}/ops` });
    const list = () => machine.call('GET', `/organizations/${name}/projects`);
    expect(namesOf(await list())).toEqual(['Default Project']);
    await owner.call('PATCH', `/teams/${id}`, teamBody({ 'organization-access': { 'read-workspaces': false } }));
    expect(namesOf(await list())).toEqual([]);
    await owner.call('DELETE', `/teams/${id}`);
    expect((await list()).status).toBe(401);
  });

  test('a team name is taken once in an organization, by the owners too', async () => {
    const { name, owner, team } = await newOrganization(api);
    const id = await team('ops');
    await team('dev');
    for (const answer of [
      await owner.call('POST', `/organizations/${name}/teams`, teamBody({ name: 'owners' })),
      await owner.call('PATCH', `/teams/${id}`, teamBody({ name: 'dev' })),
    ]) {
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)).toEqual(['/data/attributes/name: Name has already been taken']);
    }
  });

  test('a team name may hold slashes and spaces, as groups of identity providers do', async () => {
    const { name, owner } = await newOrganization(api);
    const create = (team: string) => owner.call('POST', `/organizations/${name}/teams`, teamBody({ name: team }));
    for (const team of ['dept/platform', '/Group/Sub', 'a b/c']) {
      const made = await create(team);
      expect(made.status, made.text).toBe(201);
      expect((await owner.call('GET', `/teams/${made.body.data.id}`)).body.data.attributes.name).toBe(team);
      const found = await owner.call('GET', `/organizations/${name}/teams?filter[names]=${encodeURIComponent(team)}`);
      expect(namesOf(found)).toEqual([team]);
    }
    for (const team of ['a\\b', ' a', 'a ', 'a\nb', 'ä']) expect((await create(team)).status, team).toBe(422);
  });

  test('the owners team can be neither changed nor deleted', async () => {
    const { owner, ownersTeamId } = await newOrganization(api);
    const shown = await owner.call('GET', `/teams/${ownersTeamId}`);
    expect(Object.values(shown.body.data.attributes['organization-access']).every((flag) => flag === true)).toBe(true);
    expect(shown.body.data.attributes.permissions['can-destroy']).toBe(false);
    for (const answer of [
      await owner.call('DELETE', `/teams/${ownersTeamId}`),
      await owner.call('PATCH', `/teams/${ownersTeamId}`, teamBody({ name: 'x' })),
    ]) {
      expect(answer.status).toBe(422);
    }
    expect((await owner.call('GET', `/teams/${ownersTeamId}`)).body).toEqual(shown.body);
  });

  test('a secret team is seen by owners and those who act for it, a visible one by the whole organization', async () => {
    const { name, machine, owner, team } = await newOrganization(api);
    const secret = await team('hidden');
    await owner.call('POST', `/organizations/${name}/teams`, teamBody({ name: 'open', visibility: 'organization' }));
    const member = await machine('mine', { 'manage-workspaces': true });
    expect(namesOf(await member.call('GET', `/organizations/${name}/teams`))).toEqual(['mine', 'open']);
    expect(namesOf(await owner.call('GET', `/organizations/${name}/teams`))).toEqual([
      'hidden',
      'mine',
      'open',
      'owners',
    ]);
    expect(namesOf(await owner.call('GET', `/organizations/${name}/teams?filter[names]=open,hidden`))).toEqual([
      'hidden',
      'open',
    ]);
    expect((await member.call('GET', `/teams/${secret}`)).status).toBe(404);
  });

  test('only owners make, change and delete teams', async () => {
    const { name, machine, team } = await newOrganization(api);
    const all = { 'manage-workspaces': true, 'manage-projects': true, 'read-workspaces': true, 'read-projects': true };
    const manager = await machine('manager', all);
    const id = await team('ops');
    expect((await manager.call('POST', `/organizations/${name}/teams`, teamBody({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('PATCH', `/teams/${id}`, teamBody({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('DELETE', `/teams/${id}`)).status).toBe(404);
  });

  test('nobody raises their own access', async () => {
    const { name, owner, team } = await newOrganization(api);
    const id = await team('ops', { 'manage-workspaces': true });
    await identify(owner, id, { mount: 'cert', role: `${name}/self` });
    const machine = api.machine({ role: `${name}/self` });
    const body = teamBody({ 'organization-access': { 'manage-projects': true } });
    expect((await machine.call('PATCH', `/teams/${id}`, body)).status).toBe(404);
    const identity = identityBody({ mount: 'cert', role: 'other' });
    expect((await machine.call('POST', `/teams/${id}/machine-identities`, identity)).status).toBe(404);
  });
});

describe.each(databaseKinds)('what is set on a team, and who is in it (facts §6.4) on %s', (kind) => {
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

  test('every flag of access across the organization is kept, and each is changed alone', async () => {
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

  test('teams are found by a part of their name, whatever the case', async () => {
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

  test('only who is in the organization is put into a team, all of them or none', async () => {
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

  test('managers of teams make, change and delete those that they see, and give no more than they have', async () => {
    const acme = await newOrganization(api);
    const manager = await acme.machine('managers', { 'manage-teams': true });
    const secret = await acme.team('secret');
    const made = await newTeam(manager, acme.name, { name: 'open', visibility: 'organization' });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const flags = { 'organization-access': { 'manage-workspaces': true } };
    expect(issuesOf(await newTeam(manager, acme.name, { name: 'strong', ...flags }))).toEqual([
      '/data/attributes/organization-access/manage-workspaces: manage-workspaces is not yours to give',
    ]);
    expect((await change(manager, id, flags)).status).toBe(404);
    expect((await change(manager, id, { name: 'opened' })).status).toBe(200);
    expect((await manager.call('DELETE', `/teams/${secret}`)).status).toBe(404);
    expect((await manager.call('DELETE', `/teams/${id}`)).status).toBe(204);
  });

  test('who manages the access of teams gives what they have themselves', async () => {
    const acme = await newOrganization(api);
    const access = { 'manage-organization-access': true, 'read-workspaces': true };
    const manager = await acme.machine('managers', access);
    const { id } = (await newTeam(acme.owner, acme.name, { name: 'open', visibility: 'organization' })).body.data;
    const give = (flag: string) => change(manager, id, { 'organization-access': { [flag]: true } });
    expect((await give('read-workspaces')).status).toBe(200);
    expect((await give('manage-workspaces')).status).toBe(422);
    expect((await change(manager, id, { name: 'mine' })).status).toBe(404);
  });

  test('who manages members does so in every team they see but that of the owners', async () => {
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

describe.each(databaseKinds)('machine identities on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('an identity names a mount, a role and a common name', async () => {
    const { owner, team } = await newOrganization(api);
    const teamId = await team('runners');
    const path = `/teams/${teamId}/machine-identities`;
    const attributes = { mount: 'team-a/cert/', role: 'build server', 'common-name': '*.example.com' };
    const made = await owner.call('POST', path, identityBody(attributes));
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      type: 'machine-identities',
      attributes: { ...attributes, mount: 'team-a/cert' },
      relationships: { team: { data: { type: 'teams', id: teamId } } },
    });
    expect((await owner.call('GET', `/machine-identities/${made.body.data.id}`)).body).toEqual(made.body);
    api.advance(1);
    const any = await owner.call('POST', path, identityBody({ mount: 'cert', role: 'any' }));
    expect(any.body.data.attributes['common-name']).toBeNull();
    const list = await owner.call('GET', `${path}?page[size]=1`);
    expect(list.body.data).toEqual([made.body.data]);
    expect(list.body.meta.pagination).toMatchObject({ 'total-count': 2, 'next-page': 2 });
  });

  test('the same identity is not made twice', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    await identify(owner, id, { mount: 'cert', role: 'build' });
    const again = await owner.call(
      'POST',
      `/teams/${id}/machine-identities`,
      identityBody({ mount: 'cert/', role: 'build' }),
    );
    expect(again.status).toBe(422);
    expect(again.body.errors[0].detail).toContain('already');
  });

  test.each([
    [{ role: 'build' }, '/data/attributes/mount'],
    [{ mount: 'cert' }, '/data/attributes/role'],
    [{ mount: '//', role: 'build' }, '/data/attributes/mount'],
    [{ mount: 'cert', role: '' }, '/data/attributes/role'],
    [{ mount: 'cert', role: 'a\nb' }, '/data/attributes/role'],
    [{ mount: 'cert', role: 'build', 'common-name': 'x'.repeat(256) }, '/data/attributes/common-name'],
    [{ mount: 'cert', role: 'build', 'common-name': 7 }, '/data/attributes/common-name'],
  ])('%j is refused', async (attributes, pointer) => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    const answer = await owner.call('POST', `/teams/${id}/machine-identities`, identityBody(attributes));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test('a team has a hundred identities and no more', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    for (let i = 0; i < 100; i++) await identify(owner, id, { mount: 'cert', role: `r${i}` });
    const answer = await owner.call(
      'POST',
      `/teams/${id}/machine-identities`,
      identityBody({ mount: 'cert', role: 'r100' }),
    );
    expect(answer.status).toBe(422);
  });
});
