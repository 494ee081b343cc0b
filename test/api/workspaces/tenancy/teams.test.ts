import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { identify, issuesOf, namesOf, newOrganization } from '../support/organization.ts';

const teamBody = (attributes: object) => ({ data: { type: 'teams', attributes } });

const identityBody = (attributes: object) => ({ data: { type: 'machine-identities', attributes } });

describe.each(databaseKinds)('teams on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('a team is created with the given access, and no other', async () => {
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

  test('an update changes the given attributes and keeps the rest', async () => {
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
    const same = await owner.call('PATCH', `/teams/${id}`, teamBody({ 'organization-access': null }));
    expect(same.body).toEqual(updated.body);
    const renamed = await owner.call('PATCH', `/teams/${id}`, teamBody({ name: 'operators' }));
    expect(renamed.body.data.attributes).toEqual({ ...updated.body.data.attributes, name: 'operators' });
  });

  test('removed access is lost at once', async () => {
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

  test('a team name is unique in an organization, including the owners team', async () => {
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

  test('a secret team is visible to owners and its members, a visible one to the whole organization', async () => {
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

  test('only owners create, change and delete teams', async () => {
    const { name, machine, team } = await newOrganization(api);
    const all = { 'manage-workspaces': true, 'manage-projects': true, 'read-workspaces': true, 'read-projects': true };
    const manager = await machine('manager', all);
    const id = await team('ops');
    expect((await manager.call('POST', `/organizations/${name}/teams`, teamBody({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('PATCH', `/teams/${id}`, teamBody({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('DELETE', `/teams/${id}`)).status).toBe(404);
  });

  test('users cannot raise their own access', async () => {
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
