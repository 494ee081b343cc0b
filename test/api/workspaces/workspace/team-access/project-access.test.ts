import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { issuesOf, namesOf, newOrganization, workspaceBody } from '../../support/organization.ts';
import { change, NOTHING, newMember, onProject, onWorkspace, relation } from '../../support/team-access.ts';

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
  ])(
    'the level %s shows its permissions, equally when created, shown and listed',
    async (access, project, workspaces) => {
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
      // The query that provider-tfe sends for the access of one team.
      for (const [team, listed] of [
        [member.id, list.body.data],
        [acme.ownersTeamId, []],
      ]) {
        const ofTeam = await acme.owner.call(
          'GET',
          `/team-projects?filter[project][id]=${id}&filter[team][id]=${team}`,
        );
        expect([ofTeam.status, ofTeam.body.data]).toEqual([200, listed]);
      }
      const beyond = await acme.owner.call('GET', `/team-projects?filter[project][id]=${id}&page[number]=999`);
      expect(beyond.body.data).toEqual([]);
      expect(beyond.body.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 1 });
      const shown = await acme.owner.call('GET', `/projects/${id}`);
      expect(shown.body.data.attributes['team-count']).toBe(1);
    },
  );

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

  test('a user who sees a workspace sees its project, and no more of it', async () => {
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

  test('a user moves a workspace if they may move in both projects (spec §5 rule 8)', async () => {
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
    // In the new project the team is not an administrator: it may only move the workspace back.
    const back = { project: relation('projects', project) };
    const rename = workspaceBody({ name: 'mine' }, back);
    expect((await member.caller.call('PATCH', `/workspaces/${workspace}`, rename)).status).toBe(404);
    expect((await member.caller.call('PATCH', `/workspaces/${workspace}`, workspaceBody({}, back))).status).toBe(200);
  });

  test('a user who may manage the teams of a project manages its access', async () => {
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
