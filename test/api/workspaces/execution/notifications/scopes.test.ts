import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { Caller, TestApi } from '../../support/api.ts';
import { notificationsOf, startNotifying } from '../../support/notifications.ts';
import { issuesOf, joinTeam, newTeamMember, type TestOrganization } from '../../support/organization.ts';
import type { TestRuns } from '../../support/runs.ts';
import { change, onProject, onWorkspace } from '../../support/team-access.ts';

describe.each(databaseKinds)('notifications of projects, teams and organizations on %s', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });
  afterEach(async () => {
    receiver.answer = (_received, response) => void response.end('ok');
    for (const { id } of (await listOf(`organizations/${acme.name}`)).body.data) await remove(id);
  });

  const { newPath, attributesFor, postTo, createIn, show, deliver, triggersAt } = notificationsOf(() => ({
    api,
    receiver,
    acme,
    runs,
  }));
  const listOf = (scope: string, caller: Pick<Caller, 'call'> = acme.owner) =>
    caller.call('GET', `/${scope}/notification-configurations`);
  const remove = (id: string) => acme.owner.call('DELETE', `/notification-configurations/${id}`);
  const newProject = () => acme.project(`project-${++names}`);
  const workspaceIn = (project: string) =>
    acme.workspace(
      `scoped-${++names}`,
      { 'auto-apply': false },
      {
        project: { data: { type: 'projects', id: project } },
      },
    );
  const started = async (workspace: string) => {
    await runs.uploaded(workspace);
    const run = await runs.run(workspace);
    await deliver();
    return run;
  };
  const on = (path: string, more: object = {}) => attributesFor(path, { triggers: ['run:created'], ...more });
  const events = (path: string) => triggersAt(path).slice(1);

  test('have their scope in the document', async () => {
    const project = await newProject();
    const team = await acme.team(`team-${++names}`);
    for (const [type, id] of [
      ['projects', project],
      ['teams', team],
      ['organizations', acme.name],
    ] as const) {
      const data = await createIn(`${type}/${id}`, on('/', { enabled: false }));
      expect(data.relationships.subscribable.data).toEqual({ type, id });
      expect(await show(data.id)).toEqual(data);
      expect((await listOf(`${type}/${id}`)).body.data).toEqual([data]);
    }
  });

  test('get the events of their workspaces only', async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const team = await acme.team(`team-${++names}`);
    const [byProject, byTeam, byAll] = [newPath(), newPath(), newPath()];
    await createIn(`projects/${mine}`, on(byProject));
    await createIn(`teams/${team}`, on(byTeam));
    await createIn(`organizations/${acme.name}`, on(byAll));
    const [first, second] = [await workspaceIn(mine), await workspaceIn(other)];
    await acme.owner.call('POST', '/team-workspaces', onWorkspace(team, second, { access: 'read' }));
    await started(first);
    expect([byProject, byTeam, byAll].map((path) => events(path).length)).toEqual([1, 0, 1]);
    await started(second);
    expect([byProject, byTeam, byAll].map((path) => events(path).length)).toEqual([1, 1, 2]);
    const projectTeam = onProject(team, mine, { access: 'read' });
    expect((await acme.owner.call('POST', '/team-projects', projectTeam)).status).toBe(201);
    await started(await workspaceIn(mine));
    expect([byProject, byTeam, byAll].map((path) => events(path).length)).toEqual([2, 2, 3]);
    const [request] = receiver.at(byAll).slice(-1);
    expect(request?.body.workspace_name).toBe(`scoped-${names}`);
  });

  test('of teams tell nothing about runs that their members may not read', async () => {
    const workspace = await workspaceIn(await newProject());
    const team = await acme.team(`team-${++names}`);
    const path = newPath();
    await createIn(`teams/${team}`, on(path));
    const access = { access: 'custom', runs: 'none', variables: 'read' };
    const granted = await acme.owner.call('POST', '/team-workspaces', onWorkspace(team, workspace, access));
    expect(granted.status, granted.text).toBe(201);
    await started(workspace);
    expect(events(path)).toEqual([]);
    const id = granted.body.data.id;
    const readable = await acme.owner.call(
      'PATCH',
      `/team-workspaces/${id}`,
      change('team-workspaces', { runs: 'read' }),
    );
    expect(readable.status, readable.text).toBe(200);
    await started(workspace);
    expect(events(path)).toHaveLength(1);
  });

  test('reach a receiver once, through the nearest scope that has the trigger', async () => {
    const project = await newProject();
    const workspace = await workspaceIn(project);
    const path = newPath();
    await createIn(`organizations/${acme.name}`, on(path, { name: 'All' }));
    const near = await createIn(`projects/${project}`, on(path, { name: 'Project' }));
    await createIn(`workspaces/${workspace}`, on(path, { name: 'Own', triggers: ['run:errored'] }));
    await createIn(`workspaces/${workspace}`, on(path, { name: 'Off', enabled: false }));
    // Another format is another receiver.
    const slack = await createIn(`organizations/${acme.name}`, on(path, { 'destination-type': 'slack' }));
    const before = receiver.at(path).length;
    await started(workspace);
    const bodies = receiver.at(path).slice(before);
    expect(bodies).toHaveLength(2);
    expect(bodies.map(({ body }) => body.notification_configuration_id ?? 'slack').toSorted()).toEqual(
      [near.id, 'slack'].toSorted(),
    );
    expect((await show(slack.id)).attributes['delivery-responses']).toHaveLength(2);
  });

  test('are shown to administrators of a workspace, without receivers', async () => {
    const project = await newProject();
    const workspace = await workspaceIn(project);
    const team = await acme.team(`team-${++names}`);
    await acme.owner.call('POST', '/team-workspaces', onWorkspace(team, workspace, { access: 'admin' }));
    const admin = await newTeamMember(api, team, `admin-${++names}`);
    const path = newPath();
    await createIn(`projects/${project}`, on(path, { name: 'Of the project' }));
    await createIn(`organizations/${acme.name}`, on(path, { name: 'Of all' }));
    const inherited = await admin.call('GET', `/workspaces/${workspace}/inherited-notification-configurations`);
    expect(inherited.status, inherited.text).toBe(200);
    expect(inherited.body.data).toMatchObject([
      { attributes: { name: 'Of the project', url: null, 'delivery-responses': [] } },
      { attributes: { name: 'Of all', url: null, 'delivery-responses': [] } },
    ]);
    expect(inherited.text).not.toContain(path);
    // A secret team with access is not named to an administrator who may not see it.
    const secret = await acme.team(`secret-${++names}`);
    expect(
      (await acme.owner.call('POST', '/team-workspaces', onWorkspace(secret, workspace, { access: 'read' }))).status,
    ).toBe(201);
    await createIn(`teams/${secret}`, on('/', { name: 'Of the secret team', enabled: false }));
    const namesFor = async (caller: Pick<Caller, 'call'>) => {
      const { body } = await caller.call('GET', `/workspaces/${workspace}/inherited-notification-configurations`);
      return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
    };
    expect(await namesFor(admin)).toEqual(['Of the project', 'Of all']);
    expect(await namesFor(acme.owner)).toEqual(['Of the project', 'Of the secret team', 'Of all']);
    await acme.owner.call('PATCH', `/teams/${secret}`, change('teams', { visibility: 'organization' }));
    expect(await namesFor(admin)).toEqual(['Of the project', 'Of the secret team', 'Of all']);
    const reader = await newTeamMember(api, await acme.team(`team-${++names}`), `reader-${names}`);
    expect((await reader.call('GET', `/workspaces/${workspace}/inherited-notification-configurations`)).status).toBe(
      404,
    );
  });

  test('need the permission to administer their scope', async () => {
    const project = await newProject();
    const team = await acme.team(`team-${++names}`);
    const scopes = [`projects/${project}`, `teams/${team}`, `organizations/${acme.name}`];
    const member = await newTeamMember(api, team, `member-${++names}`);
    const owned = await Promise.all(scopes.map((scope) => createIn(scope, on('/', { enabled: false }))));
    for (const [index, scope] of scopes.entries()) {
      expect((await listOf(scope, member)).status, scope).toBe(404);
      expect((await postTo(scope, on('/', { enabled: false }), member)).status, scope).toBe(404);
      const path = `/notification-configurations/${owned[index].id}`;
      expect((await member.call('GET', path)).status, scope).toBe(404);
      expect((await member.call('DELETE', path)).status, scope).toBe(404);
    }
    const projectTeam = onProject(team, project, { access: 'admin' });
    expect((await acme.owner.call('POST', '/team-projects', projectTeam)).status).toBe(201);
    expect((await listOf(`projects/${project}`, member)).status).toBe(200);
    expect((await listOf(`organizations/${acme.name}`, member)).status).toBe(404);
    // Who may only change the name of a team must not read what its members see.
    const managers = await acme.team(`team-${++names}`, { 'manage-teams': true });
    const manager = await newTeamMember(api, managers, `manager-${names}`);
    expect((await postTo(`teams/${team}`, on('/', { enabled: false }), manager)).status).toBe(404);
    const admits = { 'manage-membership': true, 'access-secret-teams': true };
    const admitters = await acme.team(`team-${++names}`, admits);
    await joinTeam(api, admitters, manager.id);
    expect((await postTo(`teams/${team}`, on('/', { enabled: false }), manager)).status).toBe(201);
  });

  test('end with their project or team', async () => {
    const project = await newProject();
    const team = await acme.team(`team-${++names}`);
    const [ofProject, ofTeam] = [
      await createIn(`projects/${project}`, on('/', { enabled: false })),
      await createIn(`teams/${team}`, on('/', { enabled: false })),
    ];
    expect((await acme.owner.call('DELETE', `/projects/${project}`)).status).toBe(204);
    expect((await acme.owner.call('DELETE', `/teams/${team}`)).status).toBe(204);
    for (const { id } of [ofProject, ofTeam]) {
      expect((await acme.owner.call('GET', `/notification-configurations/${id}`)).status).toBe(404);
    }
  });

  test('are at most twenty of each scope', async () => {
    const project = await newProject();
    for (let i = 0; i < 20; i++) await createIn(`projects/${project}`, on('/', { enabled: false }));
    const answer = await postTo(`projects/${project}`, on('/', { enabled: false }));
    expect(answer.status).toBe(422);
    await createIn(`projects/${await newProject()}`, on('/', { enabled: false }));
  });

  test('of teams store the trigger of change requests, and say that it never fires', async () => {
    const team = await acme.team(`team-${++names}`);
    const data = await createIn(`teams/${team}`, on('/', { enabled: false, triggers: ['change_request:created'] }));
    expect(data.attributes.notice).toBe(
      'The trigger change_request:created never fires, because this server has no change requests.',
    );
    const refused = await postTo(`organizations/${acme.name}`, on('/', { triggers: ['team:change_request'] }));
    expect(refused.status).toBe(422);
    expect(issuesOf(refused)).toEqual([expect.stringContaining('/data/attributes/triggers: ')]);
  });
});
