import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import type { Older, RetainedStore } from '../../../../src/workspaces/workspace/hooks/retained.ts';
import { RetentionSweep } from '../../../../src/workspaces/workspace/retention/sweep.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

const DELETES = 'data-retention-policy-delete-olders';
const KEEPS = 'data-retention-policy-dont-deletes';
const LEGACY = 'data-retention-policies';
const DAY = 86_400_000;

const policyOf = (type: string, attributes: object = {}) => ({ data: { type, attributes } });
const days = (count: number) => policyOf(DELETES, { 'delete-older-than-n-days': count });
const pathOf = (target: string) => `/${target}/relationships/data-retention-policy`;

describe.each(databaseKinds)('spec §4.11, facts §1.13: data retention policies on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const fresh = async () => {
    acme = await newOrganization(api);
    return `workspaces/${await acme.workspace(`r-${++names}`)}`;
  };
  const get = (target: string, caller: Caller = acme.owner) => caller.call('GET', pathOf(target));
  const set = (target: string, body: object, method = 'POST', caller: Caller = acme.owner) =>
    caller.call(method, pathOf(target), body);
  const pointerOf = async (target: string) =>
    (await acme.owner.call('GET', `/${target}`)).body.data.relationships['data-retention-policy'];

  test('a policy that deletes: made, shown, changed under the same id, removed', async () => {
    const workspace = await fresh();
    expect((await get(workspace)).status).toBe(404);
    expect(await pointerOf(workspace), 'trap 13: no such relationship at all').toBeUndefined();
    const made = await set(workspace, days(33));
    expect(made.status).toBe(201);
    const { data } = made.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^drp-/),
      type: DELETES,
      attributes: { 'delete-older-than-n-days': 33, deleteOlderThanNDays: 33 },
      relationships: {
        target: {
          data: { type: 'workspaces', id: workspace.split('/')[1] },
          links: { related: `/api/v2/${workspace}` },
        },
      },
    });
    expect((await get(workspace)).body.data).toEqual(data);
    expect(await pointerOf(workspace)).toEqual({
      data: { type: DELETES, id: data.id },
      links: { related: `/api/v2${pathOf(workspace)}` },
    });
    const listed = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces`);
    expect(listed.body.data[0].relationships['data-retention-policy'].data).toEqual({ type: DELETES, id: data.id });

    const changed = await set(workspace, days(1));
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ id: data.id, attributes: { 'delete-older-than-n-days': 1 } });
    expect((await acme.owner.call('DELETE', pathOf(workspace))).status).toBe(204);
    expect((await acme.owner.call('DELETE', pathOf(workspace))).status, 'again').toBe(204);
    expect((await get(workspace)).status).toBe(404);
    expect(await pointerOf(workspace)).toBeUndefined();
  });

  test('all three kinds; another kind replaces the policy', async () => {
    const workspace = await fresh();
    const first = (await set(workspace, days(45))).body.data;
    const keeps = await set(workspace, policyOf(KEEPS));
    expect(keeps.body.data).toMatchObject({ type: KEEPS, attributes: {} });
    expect(keeps.body.data.id).not.toBe(first.id);
    expect((await pointerOf(workspace)).data.type).toBe(KEEPS);
    // The request of an older client.
    const legacy = await set(workspace, policyOf(LEGACY, { 'delete-older-than-n-days': 5 }), 'PATCH');
    expect(legacy.status).toBe(200);
    expect(legacy.body.data).toMatchObject({ type: LEGACY, attributes: { 'delete-older-than-n-days': 5 } });
    expect((await get(workspace)).body.data).toEqual(legacy.body.data);
  });

  test('both spellings are accepted; absent attributes stay, null removes', async () => {
    const workspace = await fresh();
    await set(workspace, policyOf(DELETES, { deleteOlderThanNDays: 30, stateVersionsKeepLatestCount: 5 }));
    const more = { deleteRunDataAndLogs: true, 'run-data-and-logs-delete-after-n-days': 7 };
    const changed = await set(workspace, policyOf(DELETES, more), 'PATCH');
    expect(changed.body.data.attributes).toMatchObject({
      'delete-older-than-n-days': 30,
      'state-versions-keep-latest-count': 5,
      'delete-run-data-and-logs': true,
      runDataAndLogsDeleteAfterNDays: 7,
    });
    const less = await set(workspace, policyOf(DELETES, { stateVersionsKeepLatestCount: null }), 'PATCH');
    expect(less.body.data.attributes).not.toHaveProperty('state-versions-keep-latest-count');
  });

  test('§4.11: without one of its own, a workspace has the default of its organization', async () => {
    const workspace = await fresh();
    const organization = `organizations/${acme.name}`;
    expect((await get(organization)).status).toBe(404);
    const made = await set(organization, days(90));
    expect(made.status).toBe(201);
    expect(made.body.data.relationships.target.data).toEqual({ type: 'organizations', id: acme.name });
    expect((await get(workspace)).body.data).toEqual(made.body.data);
    expect(await pointerOf(workspace), 'only one that is set on it').toBeUndefined();
    const own = (await set(workspace, policyOf(KEEPS))).body.data;
    expect((await get(workspace)).body.data).toEqual(own);
    expect((await get(organization)).body.data).toEqual(made.body.data);
    const changed = await set(organization, days(60), 'PATCH');
    expect(changed.body.data.id).toBe(made.body.data.id);
    await acme.owner.call('DELETE', pathOf(workspace));
    expect((await get(workspace)).body.data).toEqual(changed.body.data);
    expect((await acme.owner.call('DELETE', pathOf(organization))).status).toBe(204);
    expect((await get(workspace)).status).toBe(404);
  });

  test('the document of an organization points at its policy, only when it has one', async () => {
    await fresh();
    const organization = `organizations/${acme.name}`;
    expect(await pointerOf(organization)).toBeUndefined();
    const { id } = (await set(organization, days(90))).body.data;
    expect((await pointerOf(organization)).data).toEqual({ type: DELETES, id });
    const listed = await acme.owner.call('GET', '/organizations');
    expect(listed.body.data[0].relationships['data-retention-policy'].data).toEqual({ type: DELETES, id });
  });

  test.each([
    [{}, '/data'],
    [policyOf('nonsense'), '/data/type'],
    [policyOf(DELETES), '/data/attributes/delete-older-than-n-days'],
    [policyOf(LEGACY), '/data/attributes/delete-older-than-n-days'],
    [policyOf(DELETES, { 'delete-older-than-n-days': 0 }), '/data/attributes/delete-older-than-n-days'],
    [policyOf(DELETES, { deleteOlderThanNDays: 1.5 }), '/data/attributes/deleteOlderThanNDays'],
    [policyOf(DELETES, { deleteOlderThanNDays: '30' }), '/data/attributes/deleteOlderThanNDays'],
    [policyOf(DELETES, { deleteOlderThanNDays: 40_000 }), '/data/attributes/deleteOlderThanNDays'],
    [policyOf(DELETES, { deleteOlderThanNDays: 1, deleteStateVersions: 1 }), '/data/attributes/deleteStateVersions'],
  ])('%j is refused', async (body, pointer) => {
    const workspace = await fresh();
    const answer = await set(workspace, body);
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)[0]?.split(':')[0]).toBe(pointer);
    expect((await get(workspace)).status).toBe(404);
  });

  test('§5.4: a policy of a workspace takes its administrator, that of an organization its owner', async () => {
    const workspace = await fresh();
    const organization = `organizations/${acme.name}`;
    await set(workspace, days(3));
    const admin = await acme.machine('drp-admin', { 'manage-workspaces': true });
    const reader = await acme.machine('drp-reader', { 'read-workspaces': true });
    const nobody = await acme.machine('drp-nobody');
    const statuses = async (caller: Caller, target: string) => [
      (await get(target, caller)).status,
      (await set(target, days(4), 'POST', caller)).status,
      (await set(target, days(4), 'PATCH', caller)).status,
      (await caller.call('DELETE', pathOf(target))).status,
    ];
    expect(await statuses(reader, workspace)).toEqual([200, 404, 404, 404]);
    expect(await statuses(nobody, workspace)).toEqual([404, 404, 404, 404]);
    expect(await statuses(admin, workspace)).toEqual([200, 200, 200, 204]);
    await set(organization, days(3));
    expect(await statuses(admin, organization)).toEqual([200, 404, 404, 404]);
    const stranger = await newOrganization(api);
    expect(await statuses(stranger.owner, organization)).toEqual([404, 404, 404, 404]);
    expect(await statuses(acme.owner, organization)).toEqual([200, 200, 200, 204]);
  });
});

interface Thing extends Record<string, string | number> {
  id: string;
  workspaceId: string;
  madeAt: number;
  current: number;
}
const insertThing = sql<Thing>(
  'INSERT INTO thing (id, workspace_id, made_at, current) VALUES (:id, :workspaceId, :madeAt, :current)',
);
const selectThings = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM thing WHERE workspace_id = :workspaceId ORDER BY id',
);
const removeOlder = sql<{ workspaceId: string; before: number; keepLatest: number; limit: number }>(
  `DELETE FROM thing WHERE id IN (SELECT id FROM thing WHERE workspace_id = :workspaceId AND current = 0
     AND made_at < :before AND id NOT IN
       (SELECT id FROM thing WHERE workspace_id = :workspaceId ORDER BY made_at DESC LIMIT :keepLatest)
     ORDER BY made_at LIMIT :limit)`,
);

describe.each(databaseKinds)('facts §1.13: the sweep on %s', (kind) => {
  let api: TestApi;
  let calls: Older[] = [];
  beforeAll(async () => {
    api = await startApi(kind);
    await api.workspaces.database.run(
      sql('CREATE TABLE thing (id text PRIMARY KEY, workspace_id text, made_at bigint, current bigint)'),
      {},
    );
  });
  afterAll(() => api.close());

  const things: RetainedStore = {
    kind: 'configuration-versions',
    async deleteOlder(workspaceId, older) {
      calls.push(older);
      return api.workspaces.database.run(removeOlder, { workspaceId, ...older });
    },
  };
  const newSweep = (store: RetainedStore = things) => {
    const reported: unknown[] = [];
    const { database } = api.workspaces;
    const hooks = { retained: [store] };
    const sweep = new RetentionSweep({ database, clock: api.now, hooks, report: (error) => reported.push(error) });
    return { sweep, reported };
  };
  /** Runs a pass to its end. */
  const pass = async ({ sweep }: ReturnType<typeof newSweep>) => {
    let steps = 0;
    while (await sweep.step()) steps++;
    api.advance(3_600_000);
    return steps;
  };
  /** One item for each age in days. The newest is the current one. */
  const keep = async (id: string, ...ages: number[]) => {
    const current = Math.min(...ages);
    for (const [index, age] of ages.entries()) {
      await api.workspaces.database.run(insertThing, {
        id: `${id}-${String(index).padStart(4, '0')}`,
        workspaceId: id,
        madeAt: api.now() - age * DAY - 1,
        current: Number(age === current),
      });
    }
  };
  const left = async (id: string) =>
    (await api.workspaces.database.all(selectThings, { workspaceId: id })).map((thing) => Number(thing.id.slice(-4)));
  const policy = (org: TestOrganization, target: string, body: object) => org.owner.call('POST', pathOf(target), body);

  test('items older than the policy are deleted, and current ones stay at any age', async () => {
    const org = await newOrganization(api);
    const [own, byDefault, kept] = [
      await org.workspace('own'),
      await org.workspace('default'),
      await org.workspace('kept'),
    ];
    for (const id of [own, byDefault, kept]) await keep(id, 400, 40, 20, 5);
    await policy(org, `organizations/${org.name}`, days(30));
    await policy(org, `workspaces/${own}`, days(10));
    await policy(org, `workspaces/${kept}`, policyOf(KEEPS));
    const old = await org.workspace('old');
    await keep(old, 500, 600);
    await pass(newSweep());
    expect(await left(own)).toEqual([3]);
    expect(await left(byDefault)).toEqual([2, 3]);
    expect(await left(kept)).toEqual([0, 1, 2, 3]);
    expect(await left(old), 'the current one').toEqual([0]);
  });

  test('the newest stay if the policy keeps a number, and kinds outside the policy are not deleted', async () => {
    const org = await newOrganization(api);
    const [newest, other] = [await org.workspace('newest'), await org.workspace('other')];
    for (const id of [newest, other]) await keep(id, 50, 40, 30, 20);
    await policy(
      org,
      `workspaces/${newest}`,
      policyOf(DELETES, { deleteOlderThanNDays: 1, configurationVersionsKeepLatestCount: 3 }),
    );
    await policy(org, `workspaces/${other}`, policyOf(DELETES, { stateVersionsDeleteAfterNDays: 1 }));
    await pass(newSweep());
    expect(await left(newest)).toEqual([1, 2, 3]);
    expect(await left(other)).toEqual([0, 1, 2, 3]);
  });

  test('steps are bounded: many workspaces and much data take several, and a restart goes on where they stopped', async () => {
    const org = await newOrganization(api);
    const ids: string[] = [];
    for (let index = 0; index < 25; index++) {
      ids.push(await org.workspace(`many-${String(index).padStart(2, '0')}`));
    }
    for (const id of ids) await keep(id, 9, 1);
    const heavy = await org.workspace('heavy');
    await keep(heavy, ...Array.from({ length: 620 }, (_, index) => 10 + index), 1);
    await policy(org, `organizations/${org.name}`, days(5));
    calls = [];
    const first = newSweep();
    let steps = 0;
    // Another node takes over in the middle. One step frees at most five hundred.
    while ((await left(heavy)).length > 300 && (await first.sweep.step())) steps++;
    expect(await left(heavy)).toHaveLength(121);
    const second = newSweep();
    expect(await second.sweep.step(), 'the first one has it still').toBe(false);
    api.advance(11 * 60_000);
    while (await second.sweep.step()) steps++;
    expect(await left(heavy)).toEqual([620]);
    for (const id of ids) expect(await left(id)).toEqual([1]);
    expect(steps).toBeGreaterThanOrEqual(4);
    expect(calls.every(({ limit }) => limit === 100)).toBe(true);
    const swept = calls.length;
    expect(await second.sweep.step(), 'nothing to do before the next pass is due').toBe(false);
    expect(calls).toHaveLength(swept);
    api.advance(3_600_000);
  });

  test('one workspace that fails does not stop the others, and is tried again in the next pass', async () => {
    const org = await newOrganization(api);
    const [bad, good] = [await org.workspace('a-bad'), await org.workspace('b-good')];
    for (const id of [bad, good]) await keep(id, 9, 1);
    await policy(org, `organizations/${org.name}`, days(5));
    let broken = true;
    const sweep = newSweep({
      kind: things.kind,
      deleteOlder: async (id, older) => {
        if (broken && id === bad) throw new Error('disk on fire');
        return things.deleteOlder(id, older);
      },
    });
    await pass(sweep);
    expect(sweep.reported.map(String)).toEqual(['Error: disk on fire']);
    expect([await left(bad), await left(good)]).toEqual([[0, 1], [1]]);
    broken = false;
    await pass(sweep);
    expect(await left(bad)).toEqual([1]);
  });

  test('only one of several nodes sweeps at a time', async () => {
    const sweeps = [newSweep(), newSweep(), newSweep()];
    const org = await newOrganization(api);
    await policy(org, `workspaces/${await org.workspace('w')}`, days(5));
    const results = await Promise.all(sweeps.map(({ sweep }) => sweep.step()));
    expect(results.filter(Boolean)).toHaveLength(1);
    for (const sweep of sweeps) await pass(sweep);
  });

  test('it runs by itself once it is started, and stops', async () => {
    const org = await newOrganization(api);
    const id = await org.workspace('background');
    await keep(id, 9, 1);
    await policy(org, `workspaces/${id}`, days(5));
    const { sweep, reported } = newSweep();
    sweep.background.start();
    await expect.poll(() => left(id), { timeout: 20_000 }).toEqual([1]);
    await sweep.background.stop();
    expect(reported).toEqual([]);
  });
});
