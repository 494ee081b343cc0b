import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { type Caller, startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

/** Adds as many runs as years of use would leave: copies of an existing one, in another workspace. */
const older = sql<{ id: string; workspace: string }>(
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
   INSERT INTO run (id, organization_id, workspace_id, configuration_version_id, status, operation, source, trigger_reason,
     message, parameters, timestamps, has_changes, waits, active, queued, version, created_by_type, created_by_id,
     created_by_name, finished_at, created_at)
   SELECT 'run-old-' || n.i, r.organization_id, :workspace, r.configuration_version_id, 'errored', r.operation, r.source,
     r.trigger_reason, r.message, r.parameters, r.timestamps, r.has_changes, 0, 0, 0, r.version, r.created_by_type,
     r.created_by_id, r.created_by_name, r.finished_at, r.created_at - n.i
   FROM n CROSS JOIN run r WHERE r.id = :id`,
);

describe.each(databaseKinds)('responses about runs on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const newWorkspace = (attributes = {}) => runs.workspace(`s-${++names}`, attributes);

  test('the creator of a run has a name: a machine that of its certificate, its team in the history, and an agent while it executes the run', async () => {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool(`named-${++names}`);
    const workspace = await newWorkspace(byAgents(pool));
    const machine = await acme.machine('begins-runs', { 'manage-workspaces': true });
    const { body } = await runs.create(workspace, {}, undefined, machine);
    const called = async () => {
      const { attributes } = await runs.show(body.data.id);
      return [attributes['created-by-name'], attributes['agent-name']];
    };
    expect(body.data.attributes).toMatchObject({
      'created-by-name': 'runner-1.example.com',
      'confirmed-by-name': null,
    });
    const [event] = (await acme.owner.call('GET', `/runs/${body.data.id}/run-events`)).body.data;
    expect([event.attributes['actor-name'], event.relationships.actor.data]).toEqual(['begins-runs', null]);
    const job = await (await agents.agent(pool)).take();
    await job.start();
    expect(await called()).toEqual(['runner-1.example.com', 'runner-1']);
    await job.finish('failed');
    expect(await called()).toEqual(['runner-1.example.com', null]);
  });

  test('§6.11 a run is shown as it was created, in every response', async () => {
    const workspace = await newWorkspace();
    const attributes = {
      message: 'yo',
      refresh: false,
      'replace-addrs': ['null_resource.a'],
      'target-addrs': ['null_resource.b'],
      'allow-empty-apply': true,
      variables: [{ key: 'region', value: '"eu"' }],
    };
    const created = await runs.create(workspace, attributes);
    expect(created.status, created.text).toBe(201);
    const { data } = created.body;
    expect(data.attributes).toMatchObject({
      ...attributes,
      status: 'plan_queued',
      source: 'tfe-api',
      'trigger-reason': 'manual',
      'auto-apply': false,
      'is-destroy': false,
      'plan-only': false,
      'canceled-at': null,
      'has-changes': false,
      actions: {
        'is-cancelable': true,
        'is-confirmable': false,
        'is-discardable': false,
        'is-force-cancelable': false,
      },
      permissions: {
        'can-apply': true,
        'can-cancel': true,
        'can-discard': true,
        'can-force-cancel': true,
        'can-force-execute': true,
      },
    });
    expect(Object.keys(data.attributes['status-timestamps'])).toEqual(['plan-queueable-at', 'plan-queued-at']);
    expect(data.relationships.workspace.data).toEqual({ type: 'workspaces', id: workspace });
    expect(data.relationships['created-by'].data).toEqual({ type: 'users', id: acme.owner.id });
    expect(data.relationships['confirmed-by'].data).toBe(null);
    expect(data.relationships['run-events'].data).toHaveLength(2);
    expect(await runs.show(data.id)).toEqual(data);
    const list = await acme.owner.call('GET', `/workspaces/${workspace}/runs`);
    expect(list.body.data).toEqual([data]);
    expect(list.body.meta.pagination['total-count']).toBe(1);
    const all = await acme.owner.call('GET', `/organizations/${acme.name}/runs`);
    expect(all.body.data).toContainEqual(data);
    expect(Object.keys(all.body.meta.pagination)).not.toContain('total-count');
  });

  test('spec §4.3 workspaces are found and sorted by their current run', async () => {
    const [planned, applied] = [await newWorkspace(), await newWorkspace()];
    const without = await acme.workspace(`s-${++names}`);
    const second = await runs.run(applied);
    await runs.through(second, 'planning', 'planned');
    await runs.act(second, 'apply');
    await runs.through(second, 'applying', 'applied');
    await runs.through(await runs.run(planned), 'planning', 'planned');
    const list = async (query: string) => {
      const path = `/organizations/${acme.name}/workspaces?page[size]=100&include=current_run&${query}`;
      const answer = await acme.owner.call('GET', path);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const found = await list('filter[current-run][status]=applied');
    expect(found.data.map(({ id }: { id: string }) => id)).toContain(applied);
    expect(found.data.map(({ id }: { id: string }) => id)).not.toContain(planned);
    const current = found.included.find(({ id }: { id: string }) => id === second);
    expect(current).toMatchObject({ type: 'runs', attributes: { status: 'applied' } });
    for (const [sort, order] of [
      ['current-run.created-at', [applied, planned, without]],
      ['-current-run.created-at', [planned, applied, without]],
    ] as const) {
      const ids = (await list(`sort=${sort}`)).data.map(({ id }: { id: string }) => id);
      expect(ids.filter((id: string) => [planned, applied, without].includes(id))).toEqual(order);
    }
  });

  test('spec §4.4 the plan of the current run has the absolute URL of its log', async () => {
    const workspace = await newWorkspace();
    const { relationships } = (await acme.owner.call('GET', `/runs/${await runs.run(workspace)}`)).body.data;
    const shown = await acme.owner.call('GET', `/workspaces/${workspace}?include=current_run.plan`);
    const plan = shown.body.included.find(({ type }: { type: string }) => type === 'plans');
    expect(plan).toEqual((await acme.owner.call('GET', `/plans/${relationships.plan.data.id}`)).body.data);
    expect(plan.attributes['log-read-url']).toMatch(/^http:\/\/keeper\.example\.com:8443\/api\/v2\//);
  });

  test('runs of an organization are counted by status, as far as the caller may see them', async () => {
    const other = await newOrganization(api);
    const theirs = runsOf(api, other);
    const [one, two] = [await theirs.workspace('one'), await theirs.workspace('two')];
    const ids = [await theirs.run(one), await theirs.run(two), await theirs.run(two)];
    await theirs.through(ids[0] ?? '', 'planning', 'errored');
    const counts = async (caller: Caller = other.owner, query = '&filter[status]=applied') => {
      const { status, body } = await caller.call('GET', `/organizations/${other.name}/runs?counts=true${query}`);
      expect(status).toBe(200);
      return body.meta.counts;
    };
    expect(await counts()).toEqual({
      statuses: { errored: 1, plan_queued: 1, pending: 1 },
      'at-least': [],
    });
    const reader = await other.machine('reads-one');
    const teams = await other.owner.call('GET', `/organizations/${other.name}/teams`);
    const team = teams.body.data.find(
      ({ attributes }: { attributes: { name: string } }) => attributes.name === 'reads-one',
    );
    expect(await counts(reader)).toEqual({ statuses: {}, 'at-least': [] });
    const given = await other.owner.call('POST', '/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'read' },
        relationships: {
          team: { data: { type: 'teams', id: team.id } },
          workspace: { data: { type: 'workspaces', id: two } },
        },
      },
    });
    expect(given.status).toBe(201);
    expect(await counts(reader)).toEqual({ statuses: { plan_queued: 1, pending: 1 }, 'at-least': [] });

    // The list shows only a limited number of finished runs.
    await api.workspaces.database.run(older, { id: ids[0] ?? '', workspace: two });
    expect(await counts()).toEqual({
      statuses: { plan_queued: 1, pending: 1, errored: 1000 },
      'at-least': ['errored'],
    });
    expect(await counts(reader)).toMatchObject({ statuses: { errored: 1000 }, 'at-least': ['errored'] });
    const plain = await other.owner.call('GET', `/organizations/${other.name}/runs`);
    expect(plain.body.meta).not.toHaveProperty('counts');
  });

  test('§6.1 the queue of the organization counts waiting and active runs', async () => {
    const other = await newOrganization(api);
    const theirs = runsOf(api, other);
    const [one, two] = [await theirs.workspace('one'), await theirs.workspace('two')];
    const ids = [await theirs.run(one), await theirs.run(two), await theirs.run(two)];
    await theirs.through(ids[0] ?? '', 'planning');
    const queue = await other.owner.call('GET', `/organizations/${other.name}/runs/queue`);
    expect(queue.body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    const places = queue.body.data.map((run: { attributes: object }) => run.attributes);
    expect(places).toMatchObject([1, 2, 3].map((place) => ({ 'position-in-queue': place })));
    expect(queue.body.meta.pagination['total-count']).toBe(3);
    const waiting = await other.owner.call('GET', `/organizations/${other.name}/runs/queue?filter[status]=pending`);
    expect(waiting.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(waiting.body.meta.pagination['total-count']).toBe(1);
    const capacity = await other.owner.call('GET', `/organizations/${other.name}/capacity`);
    expect(capacity.body.data).toEqual({
      id: other.name,
      type: 'organization-capacity',
      attributes: { pending: 2, running: 1 },
    });
    await theirs.through(ids[0] ?? '', 'planned');
    expect((await theirs.show(ids[0] ?? '')).attributes['position-in-queue']).toBe(0);
    expect((await theirs.show(ids[2] ?? '')).attributes['position-in-queue']).toBe(2);
  });

  test('§6.11 lists are filtered', async () => {
    const workspace = await newWorkspace();
    const plan = await runs.run(workspace, { 'plan-only': true, message: '50% of It' });
    const normal = await runs.run(workspace);
    const destroy = await runs.run(workspace, { 'is-destroy': true });
    const list = async (query: string) => {
      const answer = await acme.owner.call('GET', `/workspaces/${workspace}/runs?${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.map(({ id }: { id: string }) => id);
    };
    expect(await list('')).toEqual([destroy, normal, plan]);
    expect(await list('filter[operation]=plan_only')).toEqual([plan]);
    expect(await list('filter[operation]=destroy,plan_only')).toEqual([destroy, plan]);
    expect(await list('filter[status]=pending')).toEqual([destroy]);
    expect(await list('filter[source]=tfe-ui')).toEqual([]);
    expect(await list('filter[status_group]=final')).toEqual([]);
    expect(await list('filter[status_group]=discardable')).toEqual([destroy]);
    expect(await list('filter[status_group]=nonsense')).toEqual([]);
    expect(await list('filter[timeframe]=2026')).toEqual([destroy, normal, plan]);
    expect(await list('filter[timeframe]=2025')).toEqual([]);
    expect(await list('filter[timeframe]=year,2025')).toEqual([destroy, normal, plan]);
    expect(await list(`search[basic]=${normal}`)).toEqual([normal]);
    expect(await list(`search[basic]=${encodeURIComponent('50% of it')}`)).toEqual([plan]);
    expect(await list(`search[user]=${acme.owner.username.toUpperCase()}`)).toHaveLength(3);
    expect(await list('search[user]=nobody&search[commit]=abc')).toEqual([]);
    expect(await list('page[number]=2&page[size]=2')).toEqual([plan]);
    expect(await list('page[number]=999')).toEqual([]);
    const { name } = (await runs.place(workspace)).attributes;
    const all = await acme.owner.call(
      'GET',
      `/organizations/${acme.name}/runs?filter[workspace_names]=${name}&page[size]=2`,
    );
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([destroy, normal]);
    expect(all.body.meta.pagination).toMatchObject({ 'current-page': 1, 'next-page': 2 });
    expect((await acme.owner.call('GET', `/workspaces/${workspace}/runs?include=nonsense`)).status).toBe(400);
  });

  test('§2.4 each caller may do what their access grants, and strangers find nothing', async () => {
    const workspace = await newWorkspace();
    const run = await runs.run(workspace, { variables: [{ key: 'a', value: '1' }] });
    const stranger = await api.user(`stranger-${++names}`);
    const member = await acme.machine(`bystander-${names}`);
    const reader = await acme.machine(`reader-${names}`, { 'read-workspaces': true });
    for (const caller of [stranger, member]) {
      expect((await caller.call('GET', `/runs/${run}`)).status).toBe(404);
      expect((await caller.call('GET', `/workspaces/${workspace}/runs`)).status).toBe(404);
      expect((await runs.act(run, 'cancel', undefined, caller)).status).toBe(404);
    }
    const none = await member.call('GET', `/organizations/${acme.name}/runs`);
    expect(none.body.data).toEqual([]);
    const shown = await reader.call('GET', `/runs/${run}`);
    expect(shown.body.data.attributes.permissions).toMatchObject({ 'can-apply': false, 'can-cancel': false });
    for (const action of ['apply', 'discard', 'cancel', 'force-cancel', 'force-execute']) {
      expect((await runs.act(run, action, undefined, reader)).status).toBe(404);
    }
    expect((await runs.report(run, 'planning', {}, reader)).status).toBe(404);
    expect((await runs.create(workspace, { 'plan-only': true }, undefined, reader)).status).toBe(404);
  });

  test('§5.2 a user who may plan creates only speculative plans; a custom grant shows runs in the list of the organization', async () => {
    const workspace = await newWorkspace();
    await runs.run(workspace);
    const grant = async (role: string, attributes: object) => {
      const machine = await acme.machine(`${role}-${++names}`);
      const teams = await acme.owner.call('GET', `/organizations/${acme.name}/teams?page[size]=100`);
      const team = teams.body.data.find(
        (one: { attributes: { name: string } }) => one.attributes.name === `${role}-${names}`,
      );
      const given = await acme.owner.call('POST', '/team-workspaces', {
        data: {
          type: 'team-workspaces',
          attributes,
          relationships: {
            team: { data: { type: 'teams', id: team.id } },
            workspace: { data: { type: 'workspaces', id: workspace } },
          },
        },
      });
      expect(given.status, given.text).toBe(201);
      return machine;
    };
    const planner = await grant('planner', { access: 'plan' });
    // These users have no plan applied, not even automatically.
    for (const attributes of [{}, { 'auto-apply': true }, { 'allow-empty-apply': true }, { 'save-plan': true }]) {
      expect((await runs.create(workspace, attributes, undefined, planner)).status).toBe(404);
    }
    const plan = await runs.create(workspace, { 'plan-only': true }, undefined, planner);
    expect(plan.status, plan.text).toBe(201);
    expect(plan.body.data.relationships['created-by'].data).toBe(null);
    expect(plan.body.data.relationships['created-by-team'].data.type).toBe('teams');
    const { id } = plan.body.data;
    expect((await runs.report(id, 'planning', {}, planner)).status).toBe(200);

    const listed = async (caller: typeof planner) =>
      (await caller.call('GET', `/organizations/${acme.name}/runs`)).body.data.length;
    expect(await listed(planner)).toBe(2);
    expect(await listed(await grant('custom', { access: 'custom', runs: 'read' }))).toBe(2);
    expect(await listed(await grant('blind', { access: 'custom', runs: 'none', variables: 'read' }))).toBe(0);
  });

  test('§6.11 events and comments of a run are recorded', async () => {
    const workspace = await newWorkspace();
    const run = await runs.run(workspace);
    const said = await acme.owner.call('POST', `/runs/${run}/comments`, {
      data: { type: 'comments', attributes: { body: 'First!' } },
    });
    expect(said.status, said.text).toBe(201);
    await runs.through(run, 'planning', 'planned');
    await runs.act(run, 'apply', { comment: 'Hello, Earl' });
    const events = await acme.owner.call('GET', `/runs/${run}/run-events?include=actor,comment`);
    expect(events.body.data.map((event: { attributes: { action: string } }) => event.attributes.action)).toEqual([
      'created',
      'plan_queued',
      'commented',
      'planning',
      'planned',
      'confirmed',
      'apply_queued',
    ]);
    const included = events.body.included.map(({ type }: { type: string }) => type);
    expect(included.toSorted()).toEqual(['comments', 'comments', 'users']);
    const { relationships } = await runs.show(run);
    expect(relationships.comments.data).toHaveLength(2);
    expect(relationships['confirmed-by'].data.id).toBe(acme.owner.id);
    const { username } = events.body.included.find(({ type }: { type: string }) => type === 'users').attributes;
    expect(
      events.body.data.map((event: { attributes: Record<string, string> }) => event.attributes['actor-name']),
    ).toEqual([username, null, username, username, username, username, null]);
    const shown = (await runs.show(run)).attributes;
    expect([shown['created-by-name'], shown['confirmed-by-name'], shown['agent-name']]).toEqual([
      ...[username, username, null],
    ]);
    const comment = await acme.owner.call('GET', `/comments/${relationships.comments.data[1].id}`);
    expect(comment.body.data.attributes.body).toBe('Hello, Earl');
    const [, , third] = events.body.data;
    expect((await acme.owner.call('GET', `/run-events/${third.id}`)).body.data).toEqual(third);
    const comments = await acme.owner.call('GET', `/runs/${run}/comments`);
    expect(comments.body.data).toHaveLength(2);
    const stranger = await api.user(`listener-${++names}`);
    for (const path of [`/comments/${said.body.data.id}`, `/run-events/${third.id}`, `/runs/${run}/comments`]) {
      expect((await stranger.call('GET', path)).status).toBe(404);
    }
  });

  test('§4.7 a log grows, and is readable with its signed URL', async () => {
    const workspace = await newWorkspace();
    const run = await runs.run(workspace);
    await runs.through(run, 'planning');
    const plan = `/plans/${(await runs.show(run)).relationships.plan.data.id}`;
    const append = (offset: number, text: string) => {
      const content = Buffer.from(text).toString('base64');
      return acme.owner.call('POST', `${plan}/actions/append-log`, { data: { attributes: { offset, content } } });
    };
    const { attributes } = (await acme.owner.call('GET', plan)).body.data;
    const read = async (offset: number, limit: number) => {
      const url = `${new URL(attributes['log-read-url']).pathname}?limit=${limit}&offset=${offset}`;
      const answer = await api.app.inject({ method: 'GET', url });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toContain('text/plain');
      return answer.payload;
    };
    expect(await read(0, 100)).toBe('\u0002');
    expect((await append(0, 'Hello, ')).status).toBe(200);
    expect((await append(7, 'wörld')).status).toBe(200);
    expect((await append(7, 'again')).status).toBe(409);
    expect((await append(99, 'hole')).status).toBe(409);
    expect(await read(0, 100)).toBe('\u0002Hello, wörld');
    expect(await read(1, 5)).toBe('Hello');
    expect(await read(6, 3)).toBe(', w');
    expect(await read(14, 100)).toBe('');
    await runs.through(run, 'planned');
    expect(await read(0, 100)).toBe('\u0002Hello, wörld\u0003');
    expect(await read(14, 100)).toBe('\u0003');
    expect(await read(15, 100)).toBe('');
    expect((await append(13, 'late')).status).toBe(409);
    const whole = await api.app.inject({ method: 'GET', url: new URL(attributes['log-read-url']).pathname });
    expect(whole.headers['content-length']).toBe(String(Buffer.byteLength('\u0002Hello, wörld\u0003')));
    const [path = ''] = new URL(attributes['log-read-url']).pathname.split('?');
    for (const url of [`${path}x`, path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), `${path}?limit=-1`]) {
      expect((await api.app.inject({ method: 'GET', url })).statusCode).toBeGreaterThanOrEqual(400);
    }
    api.advance(26 * 3_600_000);
    expect((await api.app.inject({ method: 'GET', url: path })).statusCode).toBe(404);
  });
});
