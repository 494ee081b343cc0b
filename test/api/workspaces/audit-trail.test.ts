import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/storage/index.ts';
import { AuditTrail } from '../../../src/workspaces/audit-trail/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import { type Caller, startApi, type TestApi } from './support/api.ts';
import { created, newOrganization, type TestOrganization, workspaceBody } from './support/organization.ts';

const DAY = 86_400_000;
const PATH = '/organization/audit-trail';
const numberOn = sql<{ organizationId: string; by: number }>(
  `UPDATE audit_trail SET last_number = last_number + :by, first_number = first_number + :by
   WHERE organization_id = :organizationId AND last_number = (SELECT MAX(last_number) FROM audit_trail WHERE organization_id = :organizationId)`,
);
const countAll = sql<Record<never, never>, { count: number }>(
  'SELECT CAST(COALESCE(SUM(last_number - first_number + 1), 0) AS BIGINT) AS count FROM audit_trail',
);

interface Told {
  readonly id: string;
  readonly timestamp: string;
  readonly auth: { readonly description: string };
  readonly resource: { readonly id: string; readonly type: string; readonly action: string };
}

const resource = (type: string, attributes: object = {}, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

describe.each(databaseKinds)('the audit trail of an organization on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let reader: Caller;
  let organizationId: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    reader = await readerOf(acme);
    organizationId = (await acme.owner.call('GET', `/organizations/${acme.name}`)).body.data.attributes['external-id'];
  });

  async function tokenAt(by: Caller, path: string): Promise<Caller> {
    const answer = await by.call('POST', path, resource('authentication-tokens', { description: path }));
    expect(answer.status, answer.text).toBe(201);
    return api.holder(answer.body.data.attributes.token);
  }
  const readerOf = ({ name, owner }: TestOrganization) =>
    tokenAt(owner, `/organizations/${name}/authentication-token?token=audit-trails`);

  /** Returns the events of one page, newest first. */
  async function events(query = '', by: Caller = reader): Promise<Told[]> {
    const answer = await by.call('GET', `${PATH}${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  }
  const told = async (query = '') => (await events(query)).map(({ resource: { type, action } }) => `${type} ${action}`);
  /** Creates this many events, in an organization with no others but those of its creation. */
  function noteMany(count: number): void {
    const common = {
      accessorId: acme.owner.id,
      description: 'ada',
      authType: 'Client',
      requestId: 'r',
      meta: null,
    } as const;
    for (let at = 1; at <= count; at++) {
      const what = { resourceId: `ws-${at}`, resourceType: 'workspace', action: 'lock' };
      api.workspaces.auditTrail.note({ ...common, ...what, id: crypto.randomUUID(), organizationId });
    }
  }
  test('contains actions of a team token, and its owner', async () => {
    const teamId = await acme.team('runners', { 'manage-workspaces': true });
    const team = await tokenAt(acme.owner, `/teams/${teamId}/authentication-tokens`);
    const answer = await team.call('POST', `/organizations/${acme.name}/workspaces`, workspaceBody({ name: 'one' }));
    const id = created(answer);
    await team.call('POST', `/workspaces/${id}/actions/lock`, { reason: 'a reason that is nobody else’s' });
    await team.call('POST', `/workspaces/${id}/actions/unlock`);
    const answered = await reader.call('GET', `${PATH}?page[size]=3`);
    expect(answered.headers['content-type']).toBe('application/json; charset=utf-8');
    const common = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: '0',
      type: 'Resource',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      auth: {
        accessor_id: teamId,
        description: 'runners',
        type: 'Client',
        impersonator_id: null,
        organization_id: organizationId,
      },
      request: { id: expect.any(String) },
    };
    expect(answered.body.data).toEqual(
      ['unlock', 'lock', 'create'].map((action) => ({
        ...common,
        resource: { id, type: 'workspace', action, meta: null },
      })),
    );
  });

  test('names the actor: users, machines, agents, the organization itself', async () => {
    const machine = await acme.machine('deploy', { 'manage-workspaces': true });
    const organization = await tokenAt(acme.owner, `/organizations/${acme.name}/authentication-token`);
    const pool = created(
      await acme.owner.call('POST', `/organizations/${acme.name}/agent-pools`, resource('agent-pools', { name: 'p' })),
    );
    const agent = await tokenAt(acme.owner, `/agent-pools/${pool}/authentication-tokens`);
    const make = (by: Caller, name: string) =>
      by.call('POST', `/organizations/${acme.name}/workspaces`, workspaceBody({ name }));
    for (const [index, by] of [acme.owner, machine, organization].entries()) created(await make(by, `w-${index}`));
    created(await agent.call('POST', `/agent-pools/${pool}/agents`, resource('agents', { name: 'rack-7' })));
    expect((await events('?page[size]=4')).map(({ auth }) => auth)).toMatchObject([
      { type: 'System' },
      { type: 'Client', description: expect.stringContaining(acme.name) },
      { type: 'Client', accessor_id: 'accessor-1', description: 'runner-1.example.com' },
      { type: 'Client', accessor_id: acme.owner.id, description: acme.owner.username },
    ]);
  });

  test('keeps the name that a user had at that time', async () => {
    const teamId = await acme.team('before', { 'manage-workspaces': true });
    const team = await tokenAt(acme.owner, `/teams/${teamId}/authentication-tokens`);
    created(await team.call('POST', `/organizations/${acme.name}/workspaces`, workspaceBody({ name: 'one' })));
    await events();
    await acme.owner.call('PATCH', `/teams/${teamId}`, resource('teams', { name: 'after' }));
    await acme.owner.call('DELETE', `/teams/${teamId}`);
    expect((await events('?page[size]=3')).at(-1)?.auth.description).toBe('before');
  });

  test('contains members added to a team, and the permissions of a team in a workspace', async () => {
    const [teamId, workspaceId] = [await acme.team('ops'), await acme.workspace('one')];
    const users = { data: [{ type: 'users', id: acme.owner.username }] };
    await acme.owner.call('POST', `/teams/${teamId}/relationships/users`, users);
    const of = (type: string, id: string) => ({ data: { type, id } });
    const relationships = { team: of('teams', teamId), workspace: of('workspaces', workspaceId) };
    const given = created(
      await acme.owner.call('POST', '/team-workspaces', resource('team-workspaces', { access: 'read' }, relationships)),
    );
    await acme.owner.call('DELETE', `/team-workspaces/${given}`);
    expect((await events('?page[size]=3')).map(({ resource: what }) => what)).toEqual([
      { id: workspaceId, type: 'workspace', action: 'remove_team', meta: null },
      { id: workspaceId, type: 'workspace', action: 'add_team', meta: { team: teamId, permissions: 'read' } },
      { id: teamId, type: 'team', action: 'add_member', meta: { users: [acme.owner.username] } },
    ]);
  });

  test('contains no refused request, and no secret', async () => {
    const id = await acme.workspace('one');
    const before = (await events()).length;
    const stranger = await api.user(`stranger-of-${acme.name}`);
    expect((await stranger.call('POST', `/workspaces/${id}/actions/lock`)).status).toBe(404);
    expect((await acme.owner.call('POST', `/workspaces/${id}/actions/unlock`)).status).toBe(409);
    expect((await acme.owner.call('POST', '/team-workspaces', { data: 1 })).status).toBe(422);
    expect((await events()).length).toBe(before);
    const value = 'hunter2-and-more';
    const variable = resource('vars', { key: 'TOKEN', value, category: 'env', sensitive: true });
    created(await acme.owner.call('POST', `/workspaces/${id}/vars`, variable));
    const { text } = await reader.call('GET', PATH);
    expect(text).toContain('"type":"var","action":"create"');
    for (const secret of [value, 'TOKEN', reader.token, acme.owner.token]) expect(text).not.toContain(secret);
  });

  test('shows events of one organization only there', async () => {
    const other = await newOrganization(api);
    await other.owner.call('POST', `/organizations/${other.name}/workspaces`, workspaceBody({ name: 'theirs' }));
    // A user who owns both organizations.
    const second = `second-of-${acme.name}`;
    const founding = resource('organizations', { name: second, email: 'a@example.com' });
    created(await acme.owner.call('POST', '/organizations', founding));
    const own = await tokenAt(acme.owner, `/organizations/${second}/authentication-token?token=audit-trails`);
    await acme.owner.call('POST', `/organizations/${second}/workspaces`, workspaceBody({ name: 'ours' }));
    expect(await told()).toEqual(['authentication_token create', 'organization create']);
    const actions = (all: Told[]) => all.map(({ resource: { type, action } }) => `${type} ${action}`);
    expect(actions(await events('', own))).toEqual([
      'workspace create',
      'authentication_token create',
      'organization create',
    ]);
    expect(await events('', await readerOf(other))).toHaveLength(3);
  });

  test('is readable only with its own token or a token of the organization', async () => {
    const teamId = await acme.team('all', { 'manage-workspaces': true, 'manage-membership': true });
    const owner = `/organizations/${acme.name}`;
    const refused = {
      owner: acme.owner,
      team: await tokenAt(acme.owner, `/teams/${teamId}/authentication-tokens`),
      'team of the owners': await tokenAt(acme.owner, `/teams/${acme.ownersTeamId}/authentication-tokens`),
      machine: await acme.machine('deploy'),
    };
    for (const [who, by] of Object.entries(refused))
      expect([who, (await by.call('GET', PATH)).status]).toEqual([who, 404]);
    await api.workspaces.tenancy.users.setSiteAdmin(acme.owner.username, true);
    expect((await acme.owner.call('GET', PATH)).status).toBe(404);
    expect((await api.nobody().call('GET', PATH)).status).toBe(401);
    const organization = await tokenAt(acme.owner, `${owner}/authentication-token`);
    expect((await organization.call('GET', PATH)).status).toBe(200);

    // The token gives no other access.
    for (const path of [
      owner,
      `${owner}/workspaces`,
      '/account/details',
      '/events?seconds=0',
      `${owner}/authentication-token`,
    ])
      expect([path, (await reader.call('GET', path)).body?.data ?? []]).toEqual([path, []]);
    expect((await reader.call('POST', `${owner}/workspaces`, workspaceBody({ name: 'no' }))).status).toBe(404);
    expect((await acme.owner.call('DELETE', `${owner}/authentication-token?token=audit-trails`)).status).toBe(204);
    expect((await reader.call('GET', PATH)).status).toBe(401);
  });

  test('is read from a time on, without gaps', async () => {
    await acme.workspace('one');
    const [newest] = await events();
    const since = `?since=${newest?.timestamp}`;
    expect(await told(since)).toEqual([]);
    // The clock stands still; another node may even use an earlier time.
    await acme.workspace('two');
    expect(await told(since)).toEqual(['workspace create']);
    api.advance(5_000);
    await acme.workspace('three');
    const between = new Date(api.now() - 2_000).toISOString();
    expect(await told(`?since=${between}`)).toHaveLength(1);
    expect(await told(`?since=${between.slice(0, 19)}Z`)).toHaveLength(1);
    expect(await told(`?since=${encodeURIComponent(between.replace('Z', '+00:00'))}`)).toHaveLength(1);
    expect(await told(`?since=${between.slice(0, 10)}`)).toHaveLength(5);
    for (const wrong of ['yesterday', '2026-13-01T00:00:00Z', '2026-11-21 09:30', '1', ''])
      expect([wrong, (await reader.call('GET', `${PATH}?since=${encodeURIComponent(wrong)}`)).status]).toEqual([
        wrong,
        400,
      ]);
  });

  test('comes in pages, of a thousand by default', async () => {
    noteMany(1_003);
    const whole = await reader.call('GET', PATH);
    expect(whole.body.data).toHaveLength(1_000);
    const pagination = { current_page: 1, prev_page: null, next_page: 2, total_pages: 2, total_count: 1_005 };
    expect(whole.body.pagination).toEqual(pagination);
    const rest = await reader.call('GET', `${PATH}?page[number]=2&page[size]=5000`);
    expect(rest.body.pagination).toEqual({ ...pagination, current_page: 2, prev_page: 1, next_page: null });
    const all = [...whole.body.data, ...rest.body.data].map(({ resource: { id } }) => id);
    expect(all.slice(0, 3)).toEqual(['ws-1003', 'ws-1002', 'ws-1001']);
    expect(new Set(all)).toHaveLength(1_005);

    const few = await reader.call('GET', `${PATH}?page[number]=3&page[size]=2`);
    expect(few.body.data.map((event: Told) => event.resource.id)).toEqual(['ws-999', 'ws-998']);
    expect(few.body.pagination).toMatchObject({ prev_page: 2, next_page: 4, total_pages: 503 });
    const behind = await reader.call('GET', `${PATH}?page[number]=700&page[size]=2`);
    expect(behind.body).toMatchObject({ data: [], pagination: { prev_page: 503, next_page: null } });
    expect((await reader.call('GET', `${PATH}?page[number]=0&page[size]=2`)).body.data).toHaveLength(2);
    for (const wrong of ['page[number]=-1', 'page[number]=x', 'page[size]=0', 'page[size]=many'])
      expect([wrong, (await reader.call('GET', `${PATH}?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  test('continues in the middle of a batch', async () => {
    for (let at = 0; at < 5; at++) {
      api.advance(10);
      noteMany(1);
    }
    const [fifth, fourth, third] = await events('?page[size]=3');
    expect(await events(`?since=${third?.timestamp}`)).toEqual([fifth, fourth]);
    const { body } = await reader.call('GET', `${PATH}?since=${third?.timestamp}&page[number]=2&page[size]=1`);
    expect(body).toMatchObject({ data: [fourth], pagination: { total_count: 2, next_page: null } });
  });

  test('forgets after two weeks, and nothing that is younger', async () => {
    await acme.workspace('one');
    noteMany(1_200);
    await api.workspaces.auditTrail.flush();
    api.advance(13 * DAY);
    await acme.workspace('two');
    expect(await events('?page[size]=1')).toHaveLength(1);
    expect((await reader.call('GET', PATH)).body.pagination.total_count).toBe(1_204);
    api.advance(DAY + 1_000);
    const left = await reader.call('GET', PATH);
    expect([left.body.data.length, left.body.pagination.total_count]).toEqual([1, 1]);
    const rows = async () => (await api.workspaces.database.one(countAll, {}))?.count ?? 0;
    const before = await rows();
    while (await api.workspaces.auditTrail.sweep());
    expect(before - (await rows())).toBeGreaterThanOrEqual(1_203);
    expect(await told()).toEqual(['workspace create']);
    // Numbers continue after the remaining events, and start again in an empty trail.
    await acme.workspace('three');
    expect(await told()).toEqual(['workspace create', 'workspace create']);
    api.advance(15 * DAY);
    while (await api.workspaces.auditTrail.sweep());
    expect(await told()).toEqual([]);
    await acme.workspace('four');
    expect(await told()).toEqual(['workspace create']);
  });

  test('keeps the newest million', async () => {
    const { auditTrail, database } = api.workspaces;
    await acme.workspace('one');
    noteMany(1);
    await auditTrail.flush();
    await acme.workspace('two');
    await auditTrail.flush();
    // Raises the numbers as if a million events had happened.
    await database.run(numberOn, { organizationId, by: 999_998 });
    while (await auditTrail.sweep());
    expect(await told('?page[size]=1&page[number]=1000000')).toEqual(['workspace lock']);
    await database.run(numberOn, { organizationId, by: 1 });
    while (await auditTrail.sweep());
    const { body } = await reader.call('GET', PATH);
    expect([body.data.length, body.pagination.total_count]).toEqual([1, 1]);
  });

  test('is deleted with its organization, at any length', async () => {
    noteMany(450);
    await events();
    const rows = async () => (await api.workspaces.database.one(countAll, {}))?.count ?? 0;
    const before = await rows();
    expect((await acme.owner.call('DELETE', `/organizations/${acme.name}`)).status).toBe(204);
    // Events that were being written at that time belong to no organization.
    noteMany(1);
    await api.workspaces.auditTrail.flush();
    expect(before - (await rows())).toBe(452);
  });

  test('is in one order for all nodes that write it, without a gap', async () => {
    const { database } = api.workspaces;
    const nodes = Array.from({ length: 3 }, (_, node) => {
      const clock = () => api.now() - node * 400;
      return new AuditTrail({ database, clock, report: (error) => failures.push(error) });
    });
    const failures: unknown[] = [];
    const common = {
      accessorId: 'user-1',
      description: 'ada',
      authType: 'Client',
      requestId: 'r',
      meta: null,
    } as const;
    for (let round = 0; round < 10; round++) {
      for (const [node, trail] of nodes.entries()) {
        const what = { resourceId: `ws-${node}-${round}`, resourceType: 'workspace', action: 'lock' };
        trail.note({ ...common, ...what, id: crypto.randomUUID(), organizationId });
      }
      await Promise.all(nodes.map((trail) => trail.flush()));
      // A reader who continues from the last event misses none.
      api.advance(100);
    }
    for (const trail of nodes) await trail.flush();
    const all = await events();
    expect(all).toHaveLength(32);
    const times = all.map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect((await reader.call('GET', `${PATH}?page[size]=1`)).body.pagination.total_count).toBe(32);
    expect(failures).toEqual([]);
  });
});
