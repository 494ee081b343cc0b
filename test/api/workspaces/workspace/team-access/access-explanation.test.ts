import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi, type UserCaller } from '../../support/api.ts';
import {
  created,
  issuesOf,
  joinOrganization,
  newOrganization,
  newTeamMember,
  type TestOrganization,
} from '../../support/organization.ts';
import { onProject, onWorkspace } from '../../support/team-access.ts';

interface Told {
  readonly permission: string;
  readonly allowed: boolean;
  readonly reason: string;
  readonly setting: string | null;
  readonly from: readonly object[];
}

describe.each(databaseKinds)('the explanation of permissions on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let workspaceId: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    workspaceId = await acme.workspace('net');
  });
  afterAll(() => api.close());

  const explain = (caller: Caller, query = '') =>
    caller.call('GET', `/workspaces/${workspaceId}/access-explanation${query}`);
  const told = (answer: Answer): readonly Told[] => {
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.attributes.permissions;
  };
  const one = (answer: Answer, permission: string) => told(answer).find((verdict) => verdict.permission === permission);

  /** Creates a user in a new team with this access to the workspace or its project. */
  async function member(name: string, grants: { workspace?: object; project?: object; access?: object } = {}) {
    const teamId = await acme.team(name, grants.access);
    const user = await newTeamMember(api, teamId, `${name}-${acme.name}-${kind}`);
    const { owner, defaultProjectId } = acme;
    const on = grants.workspace && onWorkspace(teamId, workspaceId, grants.workspace);
    const workspaceAccess = on && created(await owner.call('POST', '/team-workspaces', on));
    const within = grants.project && onProject(teamId, defaultProjectId, grants.project);
    const projectAccess = within && created(await owner.call('POST', '/team-projects', within));
    return { teamId, user, workspaceAccess, projectAccess };
  }

  /** Returns the permissions in the document of the workspace for a caller. */
  async function shownTo(caller: Caller): Promise<Record<string, boolean>> {
    return (await caller.call('GET', `/workspaces/${workspaceId}`)).body.data.attributes.permissions;
  }

  const allowedBy = (answer: Answer) =>
    Object.fromEntries(told(answer).map(({ permission, allowed }) => [permission, allowed]));

  test('agrees with the decision, for each caller and each user they ask about', async () => {
    const callers: [UserCaller, string][] = [];
    for (const [name, grants] of Object.entries({
      readers: { workspace: { access: 'read' } },
      custom: { workspace: { access: 'custom', runs: 'plan', 'workspace-locking': true } },
      writers: { workspace: { access: 'read' }, project: { access: 'write' } },
      managers: { access: { 'manage-workspaces': true } },
      tasks: { access: { 'manage-run-tasks': true, 'read-workspaces': true } },
    })) {
      const { user, teamId } = await member(name, grants);
      callers.push([user, teamId]);
    }
    for (const [user, teamId] of callers) {
      const shown = await shownTo(user);
      expect(allowedBy(await explain(user))).toEqual(shown);
      expect(allowedBy(await explain(acme.owner, `?filter[user][id]=${user.id}`))).toEqual(shown);
      expect(allowedBy(await explain(acme.owner, `?filter[user][username]=${user.username}`))).toEqual(shown);
      expect(allowedBy(await explain(acme.owner, `?filter[team][id]=${teamId}`))).toEqual(shown);
    }
    for (const caller of [acme.owner, await acme.machine('machines', { 'read-workspaces': true })]) {
      expect(allowedBy(await explain(caller))).toEqual(await shownTo(caller));
    }
  });

  test('shows each source', async () => {
    const { user, teamId, workspaceAccess, projectAccess } = await member('both', {
      workspace: { access: 'read' },
      project: { access: 'write' },
      access: { 'read-workspaces': true },
    });
    const answer = await explain(user);
    const team = { 'team-id': teamId, 'team-name': 'both' };
    expect(one(answer, 'can-read-run')).toEqual({
      permission: 'can-read-run',
      allowed: true,
      reason: 'granted',
      setting: null,
      from: [
        { kind: 'organization-access', ...team, gives: 'read-workspaces', 'access-id': null },
        { kind: 'workspace-access', ...team, gives: 'read', 'access-id': workspaceAccess },
        { kind: 'project-access', ...team, gives: 'write', 'access-id': projectAccess },
      ],
      'given-by': ['read', 'plan', 'write', 'admin'],
    });
    expect(one(answer, 'can-update')).toMatchObject({
      allowed: false,
      reason: 'nothing',
      from: [],
      'given-by': ['admin'],
    });
    expect(answer.body.data).toMatchObject({
      type: 'access-explanations',
      attributes: { 'subject-name': user.username, token: 'user' },
      relationships: {
        target: { data: { type: 'workspaces', id: workspaceId } },
        subject: { data: { type: 'users', id: user.id } },
      },
    });
    expect(one(await explain(acme.owner), 'can-force-delete')?.from).toMatchObject([{ kind: 'owners' }]);
    const token = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`);
    const ofToken = await explain(api.holder(token.body.data.attributes.token));
    expect(one(ofToken, 'can-update')?.from).toMatchObject([{ kind: 'organization-token', 'team-id': null }]);
    expect(one(ofToken, 'can-queue-run')).toMatchObject({ allowed: false, reason: 'nothing' });
  });

  test('shows the setting that denies it', async () => {
    const { user } = await member('wreckers', { workspace: { access: 'admin' } });
    const setting = (value: boolean) =>
      acme.owner.call('PATCH', `/workspaces/${workspaceId}`, {
        data: { type: 'workspaces', attributes: { 'allow-destroy-plan': value } },
      });
    expect((await setting(false)).status).toBe(200);
    expect(one(await explain(user), 'can-queue-destroy')).toMatchObject({
      allowed: false,
      reason: 'setting',
      setting: 'allow-destroy-plan',
    });
    expect((await setting(true)).status).toBe(200);
    expect(one(await explain(user), 'can-queue-destroy')).toMatchObject({ allowed: true, setting: null });
  });

  test('explains other users only to administrators, and explains no strangers', async () => {
    const [reader, admin] = [
      await member('lookers', { workspace: { access: 'read' } }),
      await member('keepers', { workspace: { access: 'admin' } }),
    ];
    const about = `?filter[user][id]=${reader.user.id}`;
    expect((await explain(admin.user, about)).status).toBe(200);
    expect((await explain(reader.user, `?filter[user][id]=${admin.user.id}`)).status).toBe(404);
    expect((await explain(reader.user, `?filter[team][id]=${reader.teamId}`)).status).toBe(404);
    expect((await explain(reader.user, about)).status).toBe(200);
    expect((await explain(await api.user(`stranger-${kind}`))).status).toBe(404);

    const stranger = await api.user(`elsewhere-${kind}`);
    for (const query of [
      `[user][id]=${stranger.id}`,
      `[user][username]=${stranger.username}`,
      '[user][id]=user-none',
    ]) {
      const answer = await explain(admin.user, `?filter${query}`);
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)[0]).toContain('The organization has no such user');
    }
    expect((await explain(admin.user, '?filter[team][id]=team-none')).status).toBe(422);
    const both = await explain(admin.user, `${about}&filter[team][id]=${reader.teamId}`);
    expect(issuesOf(both)).toEqual(['filter: Ask about one user or one team']);
  });

  test('hides a secret team from callers who do not see it', async () => {
    const secret = await member('hidden', { workspace: { access: 'write' } });
    const admin = await member('curious', { workspace: { access: 'admin' } });
    const asked = await explain(admin.user, `?filter[user][id]=${secret.user.id}`);
    expect(one(asked, 'can-lock')?.from).toMatchObject([{ 'team-id': null, 'team-name': null, gives: 'write' }]);
    expect(asked.text).not.toContain(secret.teamId);
    expect((await explain(admin.user, `?filter[team][id]=${secret.teamId}`)).status).toBe(422);
    expect(one(await explain(acme.owner, `?filter[user][id]=${secret.user.id}`), 'can-lock')?.from).toMatchObject([
      { 'team-name': 'hidden' },
    ]);
  });

  test('covers users without any access', async () => {
    const bare = await api.user(`bare-${kind}`);
    await joinOrganization(acme, bare);
    const about = `?filter[user][id]=${bare.id}`;
    expect(Object.values(allowedBy(await explain(acme.owner, about))).some(Boolean)).toBe(false);

    const other = await newOrganization(api);
    const id = await other.workspace('net');
    const teamId = await other.team('ops', { 'read-workspaces': true });
    const user = await newTeamMember(api, teamId, `barred-${kind}`);
    const token = await other.owner.call('POST', `/organizations/${other.name}/authentication-token`);
    const machine = api.holder(token.body.data.attributes.token);
    const asks = () => machine.call('GET', `/workspaces/${id}/access-explanation?filter[user][id]=${user.id}`);
    expect(one(await asks(), 'can-read-run')).toMatchObject({ allowed: true });
    const refuses = { data: { type: 'organizations', attributes: { 'user-tokens-enabled': false } } };
    expect((await other.owner.call('PATCH', `/organizations/${other.name}`, refuses)).status).toBe(200);
    expect((await user.call('GET', `/workspaces/${id}`)).status).toBe(401);
    expect(one(await asks(), 'can-read-run')).toMatchObject({
      allowed: false,
      reason: 'user-tokens',
      from: [{ gives: 'read-workspaces' }],
    });
  });

  test('of an organization', async () => {
    const path = `/organizations/${acme.name}/access-explanation`;
    const { user, teamId } = await member('founders', { access: { 'manage-projects': true } });
    const own = await user.call('GET', path);
    const shown = (await user.call('GET', `/organizations/${acme.name}`)).body.data.attributes.permissions;
    expect(allowedBy(own)).toEqual(shown);
    expect(one(own, 'can-create-project')).toMatchObject({
      from: [{ kind: 'organization-access', 'team-id': teamId, gives: 'manage-projects' }],
      'given-by': ['manage-projects'],
    });
    expect(one(own, 'can-traverse')?.from).toMatchObject([{ kind: 'membership' }, {}]);
    expect((await user.call('GET', `${path}?filter[user][id]=${acme.owner.id}`)).status).toBe(404);
    expect(allowedBy(await acme.owner.call('GET', `${path}?filter[team][id]=${teamId}`))).toEqual(shown);
    expect((await api.nobody().call('GET', path)).status).toBe(401);
  });
});
