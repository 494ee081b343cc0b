import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import {
  identify,
  issuesOf,
  namesOf,
  newOrganization,
  type TestOrganization,
  workspaceBody,
} from '../support/organization.ts';

const relation = (type: string, id: string) => ({ data: { type, id } });

function onWorkspace(teamId: string, workspaceId: string, attributes: object): object {
  const relationships = { team: relation('teams', teamId), workspace: relation('workspaces', workspaceId) };
  return { data: { type: 'team-workspaces', attributes, relationships } };
}

function onProject(teamId: string, projectId: string, attributes: object): object {
  const relationships = { team: relation('teams', teamId), project: relation('projects', projectId) };
  return { data: { type: 'team-projects', attributes, relationships } };
}

const change = (type: string, attributes: object) => ({ data: { type, attributes } });

/** A machine that acts for a new team, and the team. */
async function newMember(acme: TestOrganization, api: TestApi, role: string): Promise<{ id: string; caller: Caller }> {
  const id = await acme.team(role);
  await identify(acme.owner, id, { mount: 'cert', role: `${acme.name}/${role}` });
  return { id, caller: api.machine({ role: `${acme.name}/${role}` }) };
}

const NOTHING = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  'run-tasks': false,
  'policy-overrides': false,
};

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
  ])('the level %s says what it gives, alike when made, shown and listed', async (access, steps, locking, tasks) => {
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
    expect(list.body.meta.pagination).toMatchObject({ 'current-page': 1, 'total-count': 1 });
  });

  test('the level custom gives what it names, and to read runs', async () => {
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

  test('details of a fixed level are refused in the words that official clients know', async () => {
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

  test('what an update does not name stays as it was shown', async () => {
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

  test('access works at once, and is gone at once', async () => {
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

  test('administrators of the workspace keep the access to it, whoever sees it sees what concerns them', async () => {
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
    // The other team is secret: neither its access nor the team is seen.
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

  test('outputs alone do not show the workspace, in no list and in no project', async () => {
    const { acme, member, workspace, post } = await setting();
    await post({ access: 'custom', runs: 'none', 'state-versions': 'read-outputs' });
    expect((await member.caller.call('GET', `/workspaces/${workspace}`)).status).toBe(404);
    const workspaces = await member.caller.call('GET', `/organizations/${acme.name}/workspaces`);
    expect(workspaces.body.data).toEqual([]);
    expect(workspaces.body.meta.pagination['total-count']).toBe(0);
    expect(namesOf(await member.caller.call('GET', `/organizations/${acme.name}/projects`))).toEqual([]);
  });

  test('deleting the team or the workspace takes its access along', async () => {
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

describe.each(databaseKinds)('access of teams to projects (facts §5.3, §6.4) on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  async function setting() {
    const acme = await newOrganization(api);
    const project = await acme.project('Network');
    const inProject = { project: relation('projects', project) };
    const workspace = await acme.workspace('edge', {}, inProject);
    const member = await newMember(acme, api, 'ops');
    const post = (attributes: object, teamId = member.id, projectId = project) =>
      acme.owner.call('POST', '/team-projects', onProject(teamId, projectId, attributes));
    return { acme, project, inProject, workspace, member, post };
  }

  const none = { create: false, move: false, delete: false, locking: false };
  test.each([
    ['read', { settings: 'read', teams: 'none' }, { ...none, runs: 'read', 'run-tasks': false }],
    ['write', { settings: 'read', teams: 'none' }, { ...none, locking: true, runs: 'apply', 'run-tasks': false }],
    [
      'maintain',
      { settings: 'read', teams: 'none' },
      { create: true, move: false, delete: true, locking: true, runs: 'apply', 'run-tasks': true },
    ],
    [
      'admin',
      { settings: 'delete', teams: 'manage' },
      { create: true, move: true, delete: true, locking: true, runs: 'apply', 'run-tasks': true },
    ],
    ['custom', { settings: 'read', teams: 'none', 'variable-sets': 'none' }, { ...none, ...NOTHING }],
  ])('the level %s says what it gives, alike when made, shown and listed', async (access, project, workspaces) => {
    const { acme, project: id, member, post } = await setting();
    const made = await post({ access });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toMatchObject({
      id: expect.stringMatching(/^tprj-/),
      type: 'team-projects',
      attributes: { access, 'project-access': project, 'workspace-access': workspaces },
      relationships: { team: relation('teams', member.id), project: relation('projects', id) },
    });
    expect((await acme.owner.call('GET', `/team-projects/${made.body.data.id}`)).body).toEqual(made.body);
    const list = await acme.owner.call('GET', `/team-projects?filter[project][id]=${id}`);
    expect(list.body.data).toEqual([made.body.data]);
    const beyond = await acme.owner.call('GET', `/team-projects?filter[project][id]=${id}&page[number]=999`);
    expect(beyond.body.data).toEqual([]);
    expect(beyond.body.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 1 });
    const shown = await acme.owner.call('GET', `/projects/${id}`);
    expect(shown.body.data.attributes['team-count']).toBe(1);
  });

  test('custom details are kept, changed one by one, and refused on fixed levels', async () => {
    const { acme, post } = await setting();
    const given = { 'project-access': { settings: 'update' }, 'workspace-access': { runs: 'apply', create: true } };
    const made = await post({ access: 'custom', ...given });
    expect(made.body.data.attributes).toMatchObject(given);
    const path = `/team-projects/${made.body.data.id}`;
    const patch = (attributes: object) => acme.owner.call('PATCH', path, change('team-projects', attributes));
    const next = await patch({ 'project-access': { teams: 'manage' }, 'workspace-access': { create: false } });
    expect(next.body.data.attributes).toMatchObject({
      'project-access': { settings: 'update', teams: 'manage', 'variable-sets': 'none' },
      'workspace-access': { runs: 'apply', create: false },
    });
    expect((await patch({ access: 'read' })).body.data.attributes['workspace-access'].runs).toBe('read');
    const refused = await patch({ 'project-access': { teams: 'read' }, 'workspace-access': { locking: true } });
    expect(issuesOf(refused)).toEqual([
      "/data/attributes/project-access/teams: Teams is read-only when access level is 'read'; use the 'custom' access level to set this attribute.",
      "/data/attributes/workspace-access/locking: Locking is read-only when access level is 'read'; use the 'custom' access level to set this attribute.",
    ]);
    const unknown = await patch({ access: 'custom', 'project-access': { settings: 'none' } });
    expect(unknown.status).toBe(422);
  });

  test('a team has access to a project once', async () => {
    const { post } = await setting();
    await post({ access: 'read' });
    expect(issuesOf(await post({ access: 'admin' }))).toEqual([
      '/data/relationships/team: Team has already been taken',
    ]);
  });

  test('access to a project shows it and the workspaces in it, and nothing else', async () => {
    const { acme, project, workspace, member, post } = await setting();
    const elsewhere = await acme.workspace('elsewhere');
    expect((await member.caller.call('GET', `/projects/${project}`)).status).toBe(404);
    await post({ access: 'read' });
    expect((await member.caller.call('GET', `/projects/${project}`)).status).toBe(200);
    expect(namesOf(await member.caller.call('GET', `/organizations/${acme.name}/projects`))).toEqual(['Network']);
    expect((await member.caller.call('GET', `/workspaces/${workspace}`)).status).toBe(200);
    expect((await member.caller.call('GET', `/workspaces/${elsewhere}`)).status).toBe(404);
  });

  test('whoever sees a workspace sees its project, and no more of it', async () => {
    const { acme, project, workspace, member } = await setting();
    await acme.owner.call('POST', '/team-workspaces', onWorkspace(member.id, workspace, { access: 'admin' }));
    const shown = await member.caller.call('GET', `/projects/${project}`);
    expect(shown.status).toBe(200);
    const { permissions } = shown.body.data.attributes;
    expect(Object.keys(permissions).filter((key) => permissions[key])).toEqual(['can-read']);
    expect(namesOf(await member.caller.call('GET', `/organizations/${acme.name}/projects`))).toEqual(['Network']);
    expect((await member.caller.call('GET', `/team-projects?filter[project][id]=${project}`)).status).toBe(404);
  });

  test('workspaces are created in a project by access to it, and nowhere else (spec §4.1)', async () => {
    const { acme, inProject, member, post } = await setting();
    const create = (name: string, relationships: object) =>
      member.caller.call('POST', `/organizations/${acme.name}/workspaces`, workspaceBody({ name }, relationships));
    const { id } = (await post({ access: 'write' })).body.data;
    expect((await create('one', inProject)).status).toBe(404);
    const custom = { access: 'custom', 'workspace-access': { create: true } };
    await acme.owner.call('PATCH', `/team-projects/${id}`, change('team-projects', custom));
    const made = await create('one', inProject);
    expect(made.status, made.text).toBe(201);
    expect((await create('two', {})).status).toBe(404);
    const hidden = { project: relation('projects', acme.defaultProjectId) };
    expect((await create('two', hidden)).body).toEqual(
      (await create('two', { project: relation('projects', 'prj-none') })).body,
    );
  });

  test('a workspace is moved by whoever may move in both projects (spec §5 rule 8)', async () => {
    const { acme, project, workspace, member, post } = await setting();
    const other = await acme.project('Other');
    const move = (attributes: object = {}) =>
      member.caller.call(
        'PATCH',
        `/workspaces/${workspace}`,
        workspaceBody(attributes, { project: relation('projects', other) }),
      );
    await post({ access: 'admin' });
    expect((await move()).status).toBe(422);
    const { id } = (await post({ access: 'write' }, member.id, other)).body.data;
    expect((await move()).status).toBe(404);
    const mayMove = { access: 'custom', 'workspace-access': { move: true } };
    await acme.owner.call('PATCH', `/team-projects/${id}`, change('team-projects', mayMove));
    const moved = await move();
    expect(moved.status, moved.text).toBe(200);
    expect(moved.body.data.relationships.project.data.id).toBe(other);
    // There the same team is no administrator: to move it back is all that it may change.
    const back = { project: relation('projects', project) };
    const rename = workspaceBody({ name: 'mine' }, back);
    expect((await member.caller.call('PATCH', `/workspaces/${workspace}`, rename)).status).toBe(404);
    expect((await member.caller.call('PATCH', `/workspaces/${workspace}`, workspaceBody({}, back))).status).toBe(200);
  });

  test('teams of a project are kept by whoever may manage them', async () => {
    const { acme, project, member, post } = await setting();
    const { id } = (await post({ access: 'custom', 'project-access': { teams: 'read' } })).body.data;
    const list = `/team-projects?filter[project][id]=${project}`;
    const secret = await acme.team('secret');
    await post({ access: 'admin' }, secret);
    expect((await member.caller.call('GET', list)).body.data).toHaveLength(1);
    const raise = change('team-projects', { access: 'admin' });
    expect((await member.caller.call('PATCH', `/team-projects/${id}`, raise)).status).toBe(404);
    const manage = change('team-projects', { 'project-access': { teams: 'manage' } });
    await acme.owner.call('PATCH', `/team-projects/${id}`, manage);
    expect((await member.caller.call('GET', list)).body.data).toHaveLength(2);
    expect((await member.caller.call('PATCH', `/team-projects/${id}`, raise)).status).toBe(200);
    expect((await member.caller.call('DELETE', `/team-projects/${id}`)).status).toBe(204);
    expect((await member.caller.call('GET', list)).status).toBe(404);
  });
});
