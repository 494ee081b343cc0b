import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { identify, issuesOf, namesOf, newOrganization } from './support/organization.ts';

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

  test('the owners team can be neither changed nor deleted', async () => {
    const { owner, ownersTeamId } = await newOrganization(api);
    const shown = await owner.call('GET', `/teams/${ownersTeamId}`);
    expect(Object.values(shown.body.data.attributes['organization-access'])).toEqual([true, true, true, true]);
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
