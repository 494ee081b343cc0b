import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { issuesOf, namesOf, newOrganization } from '../../support/organization.ts';
import { change, NOTHING, newMember, onWorkspace, relation } from '../../support/team-access.ts';

describe.each(databaseKinds)('access of teams to workspaces (facts §5.2, §6.4) on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  async function setting() {
    const acme = await newOrganization(api);
    const workspace = await acme.workspace('network');
    const member = await newMember(acme, api, 'ops');
    const post = (attributes: object, teamId = member.id) =>
      acme.owner.call('POST', '/team-workspaces', onWorkspace(teamId, workspace, attributes));
    return { acme, workspace, member, post };
  }

  test.each([
    ['read', { runs: 'read', variables: 'read', 'state-versions': 'read', 'sentinel-mocks': 'none' }, false, false],
    ['plan', { runs: 'plan', variables: 'read', 'state-versions': 'read', 'sentinel-mocks': 'none' }, false, false],
    ['write', { runs: 'apply', variables: 'write', 'state-versions': 'write', 'sentinel-mocks': 'read' }, true, false],
    ['admin', { runs: 'apply', variables: 'write', 'state-versions': 'write', 'sentinel-mocks': 'read' }, true, true],
  ])(
    'the level %s shows its permissions, equally when created, shown and listed',
    async (access, steps, locking, tasks) => {
      const { acme, workspace, member, post } = await setting();
      const made = await post({ access });
      expect(made.status, made.text).toBe(201);
      expect(made.body.data).toMatchObject({
        id: expect.stringMatching(/^tws-/),
        type: 'team-workspaces',
        attributes: { access, ...steps, 'workspace-locking': locking, 'run-tasks': tasks, 'policy-overrides': false },
        relationships: { team: relation('teams', member.id), workspace: relation('workspaces', workspace) },
      });
      const shown = await acme.owner.call('GET', `/team-workspaces/${made.body.data.id}`);
      expect(shown.body).toEqual(made.body);
      const list = await acme.owner.call('GET', `/team-workspaces?filter[workspace][id]=${workspace}`);
      expect(list.body.data).toEqual([made.body.data]);
      // The query that provider-tfe sends for the access of one team.
      for (const [team, listed] of [
        [member.id, list.body.data],
        [acme.ownersTeamId, []],
      ]) {
        const ofTeam = await acme.owner.call(
          'GET',
          `/team-workspaces?filter[workspace][id]=${workspace}&filter[team][id]=${team}`,
        );
        expect([ofTeam.status, ofTeam.body.data]).toEqual([200, listed]);
      }
      expect(list.body.meta.pagination).toMatchObject({ 'current-page': 1, 'total-count': 1 });
    },
  );

  test('the level custom gives the listed permissions, and to read runs', async () => {
    const { member, workspace, post } = await setting();
    const made = await post({ access: 'custom', 'workspace-locking': true, admin: true, move: true, variables: null });
    expect(made.body.data.attributes).toEqual({ access: 'custom', ...NOTHING, 'workspace-locking': true });
    const shown = await member.caller.call('GET', `/workspaces/${workspace}`);
    const { permissions } = shown.body.data.attributes;
    const allowed = Object.keys(permissions).filter((key) => permissions[key]);
    expect(allowed.toSorted()).toEqual([
      'can-lock',
      'can-read-assessment-results',
      'can-read-run',
      'can-read-settings',
      'can-unlock',
    ]);
  });

  test('details of a fixed level are refused with the message that official clients know', async () => {
    const { acme, post } = await setting();
    const refused = await post({ access: 'read', runs: 'apply', 'workspace-locking': true });
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].title).toBe('invalid attribute');
    expect(issuesOf(refused)).toEqual([
      "/data/attributes/runs: Runs is read-only when access level is 'read'; use the 'custom' access level to set this attribute.",
      "/data/attributes/workspace-locking: Workspace locking is read-only when access level is 'read'; use the 'custom' access level to set this attribute.",
    ]);
    const { id } = (await post({ access: 'read' })).body.data;
    const body = change('team-workspaces', { variables: 'write' });
    expect((await acme.owner.call('PATCH', `/team-workspaces/${id}`, body)).status).toBe(422);
  });

  test('attributes that an update omits stay unchanged', async () => {
    const { acme, post } = await setting();
    const { id } = (await post({ access: 'admin' })).body.data;
    const patch = async (attributes: object) =>
      (await acme.owner.call('PATCH', `/team-workspaces/${id}`, change('team-workspaces', attributes))).body.data
        .attributes;
    expect(await patch({ access: 'custom', runs: 'plan', 'run-tasks': false })).toMatchObject({
      access: 'custom',
      runs: 'plan',
      variables: 'write',
      'run-tasks': false,
      'workspace-locking': true,
    });
    expect(await patch({ variables: null })).toMatchObject({ access: 'custom', runs: 'plan', variables: 'none' });
    expect(await patch({ access: 'read' })).toMatchObject({ access: 'read', runs: 'read', variables: 'read' });
  });

  test.each([
    [{}, '/data/attributes/access'],
    [{ access: 'maintain' }, '/data/attributes/access'],
    [{ access: 'owner' }, '/data/attributes/access'],
    [{ access: null }, '/data/attributes/access'],
    [{ access: 'custom', runs: 'write' }, '/data/attributes/runs'],
    [{ access: 'custom', 'run-tasks': 'yes' }, '/data/attributes/run-tasks'],
  ])('%j is refused', async (attributes, pointer) => {
    const { post } = await setting();
    const refused = await post(attributes);
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].source.pointer).toBe(pointer);
  });

  test('a team has access once, and only teams of the organization have any', async () => {
    const { acme, workspace, member, post } = await setting();
    await post({ access: 'read' });
    const again = await post({ access: 'admin' });
    expect(again.status).toBe(422);
    expect(issuesOf(again)).toEqual(['/data/relationships/team: Team has already been taken']);
    const other = await newOrganization(api);
    const foreign = await post({ access: 'read' }, await other.team('spies'));
    expect(issuesOf(foreign)).toEqual(['/data/relationships/team: Team not found']);
    const absent = onWorkspace(member.id, 'ws-none', { access: 'read' });
    expect((await acme.owner.call('POST', '/team-workspaces', absent)).status).toBe(404);
    const without = { data: { type: 'team-workspaces', attributes: { access: 'read' }, relationships: {} } };
    expect((await acme.owner.call('POST', '/team-workspaces', without)).status).toBe(422);
    expect((await acme.owner.call('GET', '/team-workspaces')).status).toBe(400);
    expect((await other.owner.call('GET', `/team-workspaces?filter[workspace][id]=${workspace}`)).status).toBe(404);
  });

  test('access takes effect at once, and so does its removal', async () => {
    const { acme, workspace, member, post } = await setting();
    const path = `/workspaces/${workspace}`;
    expect((await member.caller.call('GET', path)).status).toBe(404);
    const { id } = (await post({ access: 'read' })).body.data;
    expect((await member.caller.call('GET', path)).status).toBe(200);
    expect((await member.caller.call('POST', `${path}/actions/lock`)).status).toBe(404);
    await acme.owner.call('PATCH', `/team-workspaces/${id}`, change('team-workspaces', { access: 'write' }));
    expect((await member.caller.call('POST', `${path}/actions/lock`)).status).toBe(200);
    expect((await acme.owner.call('DELETE', `/team-workspaces/${id}`)).status).toBe(204);
    expect((await member.caller.call('GET', path)).status).toBe(404);
    expect((await acme.owner.call('GET', `/team-workspaces/${id}`)).status).toBe(404);
    expect((await acme.owner.call('DELETE', `/team-workspaces/${id}`)).status).toBe(404);
  });

  test('administrators of the workspace manage access to it; other readers see the access that concerns them', async () => {
    const { acme, workspace, member, post } = await setting();
    const list = `/team-workspaces?filter[workspace][id]=${workspace}`;
    const admin = await newMember(acme, api, 'admins');
    const { id } = (await post({ access: 'write' })).body.data;
    api.advance(1);
    const { id: adminId } = (await post({ access: 'admin' }, admin.id)).body.data;
    expect((await admin.caller.call('GET', list)).body.data.map((grant: { id: string }) => grant.id)).toEqual([
      id,
      adminId,
    ]);
    // The other team is secret: the caller sees neither the team nor its access.
    expect((await member.caller.call('GET', list)).body.data.map((grant: { id: string }) => grant.id)).toEqual([id]);
    expect((await member.caller.call('GET', `/team-workspaces/${adminId}`)).status).toBe(404);
    const raise = change('team-workspaces', { access: 'admin' });
    expect((await member.caller.call('PATCH', `/team-workspaces/${id}`, raise)).status).toBe(404);
    expect((await member.caller.call('DELETE', `/team-workspaces/${id}`)).status).toBe(404);
    expect((await admin.caller.call('PATCH', `/team-workspaces/${id}`, raise)).status).toBe(200);
    expect((await admin.caller.call('DELETE', `/team-workspaces/${id}`)).status).toBe(204);
    const unseen = onWorkspace(member.id, workspace, { access: 'read' });
    expect((await admin.caller.call('POST', '/team-workspaces', unseen)).status).toBe(422);
  });

  test('access only to outputs does not show the workspace, neither in lists nor in projects', async () => {
    const { acme, member, workspace, post } = await setting();
    await post({ access: 'custom', runs: 'none', 'state-versions': 'read-outputs' });
    expect((await member.caller.call('GET', `/workspaces/${workspace}`)).status).toBe(404);
    const workspaces = await member.caller.call('GET', `/organizations/${acme.name}/workspaces`);
    expect(workspaces.body.data).toEqual([]);
    expect(workspaces.body.meta.pagination['total-count']).toBe(0);
    expect(namesOf(await member.caller.call('GET', `/organizations/${acme.name}/projects`))).toEqual([]);
  });

  test('deleting the team or the workspace also deletes its access', async () => {
    const { acme, workspace, member, post } = await setting();
    const { id } = (await post({ access: 'read' })).body.data;
    await acme.owner.call('DELETE', `/teams/${member.id}`);
    expect((await acme.owner.call('GET', `/team-workspaces/${id}`)).status).toBe(404);
    const other = await acme.team('others');
    const { id: second } = (await post({ access: 'read' }, other)).body.data;
    await acme.owner.call('DELETE', `/workspaces/${workspace}`);
    expect((await acme.owner.call('GET', `/team-workspaces/${second}`)).status).toBe(404);
  });
});
