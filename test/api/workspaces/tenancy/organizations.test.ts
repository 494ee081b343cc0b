import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs, sql } from '../../../../src/storage/index.ts';
import { TenancyHooks } from '../../../../src/workspaces/tenancy/hooks/hooks.ts';
import { OrganizationRemoval } from '../../../../src/workspaces/tenancy/organization/removal.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { identify, issuesOf, namesOf, newOrganization } from '../support/organization.ts';

const organizationBody = (attributes: object, relationships: object = {}) => ({
  data: { type: 'organizations', attributes, relationships },
});

describe.each(databaseKinds)('organizations on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('a new organization is found by its name, and starts with its owners and a project', async () => {
    const ada = await api.user('ada');
    const founded = await ada.call(
      'POST',
      '/organizations',
      organizationBody({ name: 'Lock_Keepers-1', email: 'a@b.c' }),
    );
    expect(founded.status).toBe(201);
    const { data } = founded.body;
    expect(data).toMatchObject({ id: 'Lock_Keepers-1', type: 'organizations' });
    expect(data.attributes).toMatchObject({
      name: 'Lock_Keepers-1',
      email: 'a@b.c',
      'default-execution-mode': 'remote',
      'user-tokens-enabled': true,
      'collaborator-auth-policy': 'password',
      'session-timeout': null,
      'recoverable-items-enabled': true,
    });
    expect(data.attributes['external-id']).toMatch(/^org-/);
    expect(data.attributes.permissions['can-create-workspace']).toBe(true);
    expect(data.relationships['default-agent-pool'].data).toBeNull();
    expect((await ada.call('GET', '/organizations/Lock_Keepers-1')).body).toEqual(founded.body);
    expect((await ada.call('GET', '/organizations')).body.data).toEqual([data]);

    const projects = await ada.call('GET', '/organizations/Lock_Keepers-1/projects');
    expect(namesOf(projects)).toEqual(['Default Project']);
    expect(projects.body.data[0].id).toBe(data.relationships['default-project'].data.id);
    const teams = await ada.call('GET', '/organizations/Lock_Keepers-1/teams');
    expect(teams.body.data.map(({ attributes }: never) => attributes)).toMatchObject([
      { name: 'owners', 'users-count': 1 },
    ]);
  });

  test('says that deleted workspaces are not recoverable if the operator keeps none', async () => {
    const strict = await startApi(kind, FileBlobs, {}, 'none', undefined, {}, { policies: { recoverableFor: 0 } });
    const { name, owner } = await newOrganization(strict);
    const shown = await owner.call('GET', `/organizations/${name}`);
    expect(shown.body.data.attributes['recoverable-items-enabled']).toBe(false);
    await owner.call('PATCH', `/organizations/${name}`, organizationBody({ email: 'b@c.d' }));
    const listed = await owner.call('GET', '/organizations');
    expect(listed.body.data[0].attributes).toMatchObject({ email: 'b@c.d', 'recoverable-items-enabled': false });
    await strict.close();
  });

  test('include=default-project includes the project, an unknown include returns 400', async () => {
    const { name, owner, defaultProjectId } = await newOrganization(api);
    const shown = await owner.call('GET', `/organizations/${name}?include=default-project`);
    expect(shown.body.included).toMatchObject([
      { type: 'projects', id: defaultProjectId, attributes: { name: 'Default Project' } },
    ]);
    const unknown = await owner.call('GET', `/organizations/${name}?include=weather`);
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('include parameter');
  });

  test('a name is unique, across all owners', async () => {
    const { name } = await newOrganization(api);
    const other = await api.user('other');
    const answer = await other.call('POST', '/organizations', organizationBody({ name, email: 'a@b.c' }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Name has already been taken',
        source: { pointer: '/data/attributes/name' },
      },
    ]);
  });

  test.each([
    [
      { name: 'with space', email: 'a@b.c' },
      ['/data/attributes/name: Name must have 1 to 90 letters, digits, - and _'],
    ],
    [{ name: 'x'.repeat(91), email: 'a@b.c' }, ['/data/attributes/name: name must not have more than 90 characters']],
    [{ name: 'ok', email: 'nobody' }, ['/data/attributes/email: Email is not a valid email address']],
    [{ name: 'ok' }, ['/data/attributes/email: email is required']],
    [
      { name: 'ok', email: 'a@b.c', 'default-execution-mode': 'cloud' },
      ['/data/attributes/default-execution-mode: default-execution-mode must be one of remote, local, agent'],
    ],
    [
      { name: 'ok', email: 'a@b.c', 'default-execution-mode': 'agent' },
      [
        "/data/attributes/default-agent-pool-id: Default agent pool must be specified when using 'agent' execution mode",
      ],
    ],
    [
      { name: 'ok', email: 'a@b.c', 'collaborator-auth-policy': 'two_factor_mandatory' },
      [
        '/data/attributes/collaborator-auth-policy: This server has no second factor: require it at the identity provider of single sign-on',
      ],
    ],
    [
      { name: 'ok', email: 'a@b.c', 'session-timeout': 0 },
      ['/data/attributes/session-timeout: session-timeout must be >= 1'],
    ],
  ])('%j is refused', async (attributes, issues) => {
    const user = await api.user(`founder-${Math.random().toString(36).slice(2)}`);
    const answer = await user.call('POST', '/organizations', organizationBody(attributes));
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual(issues);
  });

  test('all users list the organizations they are in, by name; pages are on request', async () => {
    const user = await api.user('lister');
    expect((await user.call('GET', '/organizations')).body.data).toEqual([]);
    const names = Array.from({ length: 25 }, (_, index) => `list-${String(index).padStart(2, '0')}`);
    for (const name of names.toReversed()) {
      await user.call('POST', '/organizations', organizationBody({ name, email: `${name}@Example.com` }));
    }
    const all = await user.call('GET', '/organizations');
    expect(namesOf(all)).toEqual(names);
    expect(all.body.meta.pagination).toMatchObject({ 'total-count': 25, 'total-pages': 1 });
    const second = await user.call('GET', '/organizations?page[size]=10&page[number]=3');
    expect(namesOf(second)).toEqual(names.slice(20));
    expect(second.body.meta.pagination['total-count']).toBe(25);

    expect(namesOf(await user.call('GET', '/organizations?q=LIST-07'))).toEqual(['list-07']);
    expect(namesOf(await user.call('GET', '/organizations?q=list-08@example.com'))).toEqual(['list-08']);
    expect(namesOf(await user.call('GET', '/organizations?q[email]=-09@'))).toEqual(['list-09']);
    expect(namesOf(await user.call('GET', '/organizations?q[name]=example'))).toEqual([]);
    expect(namesOf(await user.call('GET', '/organizations?q=%25'))).toEqual([]);
  });

  test('every setting is stored, null restores its default, and an omitted one stays', async () => {
    const { name, owner } = await newOrganization(api);
    const settings = {
      'aggregated-commit-status-enabled': false,
      'allow-force-delete-workspaces': true,
      'assessments-enforced': true,
      'cost-estimation-enabled': true,
      'default-execution-mode': 'local',
      'fork-plans': 'approved',
      'owners-team-saml-role-id': 'role-1',
      'plan-merge-result': true,
      'pull-request-comments': true,
      'send-passing-statuses-for-untriggered-speculative-plans': true,
      'session-remember': 60,
      'session-timeout': 3600,
      'speculative-plan-management-enabled': false,
      'stacks-enabled': true,
    };
    const before = (await owner.call('GET', `/organizations/${name}`)).body.data.attributes;
    const changed = await owner.call('PATCH', `/organizations/${name}`, organizationBody(settings));
    expect(changed.status).toBe(200);
    expect(changed.body.data.attributes).toEqual({ ...before, ...settings });
    const empty = await owner.call('PATCH', `/organizations/${name}`, { data: { type: 'organizations' } });
    expect(empty.body).toEqual(changed.body);
    const nulls = Object.fromEntries(Object.keys(settings).map((key) => [key, null]));
    const back = await owner.call('PATCH', `/organizations/${name}`, organizationBody(nulls));
    expect(back.body.data.attributes).toEqual(before);
  });

  test('one status for all workspaces and statuses of untouched workspaces exclude each other', async () => {
    const { name, owner } = await newOrganization(api);
    const [aggregated, passing] = [
      'aggregated-commit-status-enabled',
      'send-passing-statuses-for-untriggered-speculative-plans',
    ];
    const change = (settings: object) => owner.call('PATCH', `/organizations/${name}`, organizationBody(settings));
    const text = `${aggregated} and ${passing} exclude each other. Set one of them to false`;
    expect(issuesOf(await change({ [passing]: true }))).toEqual([`/data/attributes/${passing}: ${text}`]);
    expect((await change({ [passing]: true, [aggregated]: false })).status).toBe(200);
    expect(issuesOf(await change({ [aggregated]: true }))).toEqual([`/data/attributes/${aggregated}: ${text}`]);
    expect((await change({ [aggregated]: true, [passing]: false })).status).toBe(200);
  });

  test('a renamed organization is found only by its new name, and keeps its ID', async () => {
    const { name, owner } = await newOrganization(api);
    const before = (await owner.call('GET', `/organizations/${name}`)).body.data.attributes;
    const renamed = await owner.call('PATCH', `/organizations/${name}`, organizationBody({ name: `${name}-new` }));
    expect(renamed.body.data).toMatchObject({
      id: `${name}-new`,
      attributes: { 'external-id': before['external-id'] },
    });
    expect((await owner.call('GET', `/organizations/${name}`)).status).toBe(404);
    expect((await owner.call('GET', `/organizations/${name}-new`)).body).toEqual(renamed.body);

    const { name: other } = await newOrganization(api);
    const taken = await owner.call('PATCH', `/organizations/${name}-new`, organizationBody({ name: other }));
    expect(issuesOf(taken)).toEqual(['/data/attributes/name: Name has already been taken']);
  });

  test('a default agent pool must exist, and requires the agent mode', async () => {
    const { name, owner } = await newOrganization(api);
    const pool = { 'default-agent-pool': { data: { type: 'agent-pools', id: 'apool-none' } } };
    const unknown = await owner.call('PATCH', `/organizations/${name}`, organizationBody({}, pool));
    expect(unknown.status).toBe(422);
    expect(issuesOf(unknown)).toEqual(['/data/attributes/default-agent-pool-id: Default agent pool not found']);
  });

  test('only owners change and delete an organization; for others it stays as it is (facts §10.1, 17)', async () => {
    const { name, machine } = await newOrganization(api);
    const manager = await machine('manager', { 'manage-workspaces': true, 'manage-projects': true });
    const stranger = await api.user(`stranger-of-${name}`);
    for (const caller of [manager, stranger]) {
      expect((await caller.call('PATCH', `/organizations/${name}`, organizationBody({ name: 'x' }))).status).toBe(404);
      expect((await caller.call('DELETE', `/organizations/${name}`)).status).toBe(404);
    }
  });

  test('the entitlements show that no runs execute here, with every key (facts §6.1)', async () => {
    const { name, owner } = await newOrganization(api);
    const { body } = await owner.call('GET', `/organizations/${name}/entitlement-set`);
    expect(body.data.type).toBe('entitlement-sets');
    expect(body.data.attributes).toMatchObject({ operations: false, teams: true, 'state-storage': true });
    expect(Object.keys(body.data.attributes)).toEqual(
      expect.arrayContaining(['agents', 'run-task-limit', 'self-serve-billing', 'versioned-policy-set-limit', 'sso']),
    );
  });

  test('no run waits or executes', async () => {
    const { name, owner } = await newOrganization(api);
    const capacity = await owner.call('GET', `/organizations/${name}/capacity`);
    expect(capacity.body.data).toEqual({
      id: name,
      type: 'organization-capacity',
      attributes: { pending: 0, running: 0 },
    });
    const queue = await owner.call('GET', `/organizations/${name}/runs/queue`);
    expect(queue.body).toMatchObject({ data: [], meta: { pagination: { 'total-count': 0 } } });
  });

  test('an organization can refuse the tokens of users: only its members get an error with this reason', async () => {
    const { name, owner, ownersTeamId } = await newOrganization(api);
    const made = await owner.call('POST', `/teams/${ownersTeamId}/authentication-token`);
    const team = { authorization: `Bearer ${made.body.data.attributes.token}` };
    const set = (enabled: boolean) =>
      api.nobody().call('PATCH', `/organizations/${name}`, organizationBody({ 'user-tokens-enabled': enabled }), team);
    expect((await set(false)).body.data.attributes['user-tokens-enabled']).toBe(false);

    const refused = await owner.call('GET', `/organizations/${name}`);
    expect(refused.status).toBe(401);
    expect(refused.body.errors[0].title).toBe('unauthorized');
    expect((await owner.call('GET', '/organizations')).body.data).toEqual([]);
    expect((await owner.call('GET', '/account/details')).status).toBe(200);
    const stranger = await api.user(`stranger-to-${name}`);
    expect((await stranger.call('GET', `/organizations/${name}`)).status).toBe(404);
    expect((await api.nobody().call('GET', `/organizations/${name}`, undefined, team)).status).toBe(200);

    await set(true);
    expect((await owner.call('GET', `/organizations/${name}`)).status).toBe(200);
  });

  test('DELETE also deletes all contents (facts §10.1, 18), and the name is available at once', async () => {
    const { name, owner, team, workspace, project } = await newOrganization(api);
    const workspaceId = await workspace(
      'web',
      {},
      { tags: { data: [{ type: 'tags', attributes: { name: 'prod' } }] } },
    );
    const projectId = await project('Network');
    const teamId = await team('runners', { 'manage-workspaces': true });
    await identify(owner, teamId, { mount: 'cert', role: `${name}/doomed` });
    const machine = api.machine({ role: `${name}/doomed` });
    expect((await machine.call('GET', `/organizations/${name}`)).status).toBe(200);
    const token = await owner.call('POST', `/organizations/${name}/authentication-token`);
    await owner.call('POST', `/organizations/${name}/organization-memberships`, {
      data: { type: 'organization-memberships', attributes: { email: `invited@${name}.example` } },
    });

    expect((await owner.call('DELETE', `/organizations/${name}`)).status).toBe(204);
    for (const path of [
      `/organizations/${name}`,
      `/workspaces/${workspaceId}`,
      `/projects/${projectId}`,
      `/teams/${teamId}`,
    ]) {
      expect((await owner.call('GET', path)).status, path).toBe(404);
    }
    expect((await machine.call('GET', '/organizations')).status).toBe(401);
    const bearer = { authorization: `Bearer ${token.body.data.attributes.token}` };
    expect((await api.nobody().call('GET', '/organizations', undefined, bearer)).status).toBe(401);
    expect((await owner.call('DELETE', `/organizations/${name}`)).status).toBe(404);
    const again = await owner.call('POST', '/organizations', organizationBody({ name, email: 'a@b.c' }));
    expect(again.status).toBe(201);
    expect((await api.workspaces.tenancy.users.byUsername(`api-org-${name}`)) ?? 'gone').toBe('gone');
  });

  test('a large organization is deleted in many transactions, and is unreachable after the first', async () => {
    const { name, owner, workspace } = await newOrganization(api);
    await workspace('first');
    const { database } = api.workspaces;
    const id = await fill(api, owner, name, 1000);
    let units = 0;
    const reached: number[] = [];
    const other = await api.user(`beside-${name}`);
    const transaction = database.transaction.bind(database);
    database.transaction = async (work) => {
      units++;
      const done = await transaction(work);
      // Other requests run between two units of work: they do not find the organization, and can write.
      reached.push((await owner.call('GET', `/organizations/${name}`)).status);
      expect((await other.call('GET', '/account/details')).status).toBe(200);
      return done;
    };
    try {
      expect((await owner.call('DELETE', `/organizations/${name}`)).status).toBe(204);
    } finally {
      database.transaction = transaction;
    }
    expect(units).toBeGreaterThan(5);
    expect(new Set(reached)).toEqual(new Set([404]));
    expect(await leftOf(api, id)).toBe(0);
  });

  test('the rest of a deletion runs in the background, also after a restart of the program', async () => {
    const { name, owner, workspace } = await newOrganization(api);
    await workspace('first');
    const id = await fill(api, owner, name, 6000);
    expect((await owner.call('DELETE', `/organizations/${name}`)).status).toBe(204);
    expect((await owner.call('GET', `/organizations/${name}`)).status).toBe(404);
    expect(await leftOf(api, id)).toBeGreaterThan(0);

    const { database, tenancy } = api.workspaces;
    const { organizations, organizationRemoval } = tenancy;
    const stopped = new OrganizationRemoval({
      ...{ database, organizations, clock: api.now, report: console.error },
      hooks: new TenancyHooks(),
    });
    await stopped.stop();
    await stopped.sweep();
    expect(await leftOf(api, id)).toBeGreaterThan(0);
    await organizationRemoval.sweep();
    expect(await leftOf(api, id)).toBe(0);
  });

  test('references to a workspace are deleted before its row', async () => {
    const { name, owner, workspace } = await newOrganization(api);
    const ids = [await workspace('a'), await workspace('b')];
    const seen: string[] = [];
    const { database, tenancy } = api.workspaces;
    const { organizations } = tenancy;
    const hooks = new TenancyHooks();
    const purge = async (workspaceId: string) => {
      expect(await database.one(workspaceRow, { id: workspaceId })).toEqual({ id: workspaceId });
      seen.push(workspaceId);
      return seen.filter((id) => id === workspaceId).length === 3;
    };
    hooks.extend({ workspaceCleanups: [{}, { purge }] });
    const removal = new OrganizationRemoval({
      ...{ database, organizations, hooks, clock: api.now, report: console.error },
    });
    const actor = await api.workspaces.tenancy.authentication.actorOf(owner.id);
    if (actor === undefined) throw new Error('the owner has gone');
    await removal.delete(actor, name);
    expect(seen).toEqual(ids.flatMap((id) => [id, id, id]));
    expect(await database.one(workspaceRow, { id: ids[0] ?? '' })).toBeUndefined();
  });
});

const workspaceRow = sql<{ id: string }, { id: string }>('SELECT id FROM workspace WHERE id = :id');
const insertTag = sql<{ id: string; organizationId: string; name: string }>(
  `INSERT INTO tag (id, organization_id, name, instance_count, created_at) VALUES (:id, :organizationId, :name, 0, 0)`,
);
const countRows = sql<{ id: string }, { count: number }>(
  `SELECT (SELECT COUNT(*) FROM tag WHERE organization_id = :id)
    + (SELECT COUNT(*) FROM workspace WHERE organization_id = :id) AS count`,
);

/** Gives an organization many rows. Returns its ID. */
async function fill(api: TestApi, owner: Caller, name: string, rows: number): Promise<string> {
  const organizationId = (await owner.call('GET', `/organizations/${name}`)).body.data.attributes['external-id'];
  await api.workspaces.database.transaction(async (tx) => {
    for (let index = 0; index < rows; index++) {
      await tx.run(insertTag, { id: `tag-${name}-${index}`, organizationId, name: `tag-${index}` });
    }
  });
  return organizationId;
}

async function leftOf(api: TestApi, id: string): Promise<number> {
  return (await api.workspaces.database.one(countRows, { id }))?.count ?? -1;
}
