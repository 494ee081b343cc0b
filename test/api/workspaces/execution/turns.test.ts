import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { dueSchedules } from '../../../../src/workspaces/execution/schedule/store.ts';
import { dueTasks } from '../../../../src/workspaces/execution/schedule/task-store.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { autoDestroyOf, HOUR, MINUTE } from '../support/auto-destroy.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { schedulesOf } from '../support/schedules.ts';

const removeCopies = sql<{ id: string }>(`DELETE FROM organization WHERE id LIKE :id || '-%'`);

/** Bounds of one sweep. */
const [STARTS, DISTRIBUTED, LOOKS, CHANGED_PROJECTS] = [100, 1000, 200, 20];

const COLUMNS = {
  sqlite: sql<{ table: string }, { name: string }>(`SELECT name FROM pragma_table_info(:table) WHERE name <> ''`),
  postgres: sql<{ table: string }, { name: string }>(
    `SELECT column_name::text AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = :table`,
  ),
};

type Table = 'organization' | 'schedule' | 'workspace';

/** Copies a row in the database, because thousands of requests take long. @param changed columns that differ */
async function copyRow(
  { workspaces: { database } }: TestApi,
  table: Table,
  { id, count }: { readonly id: string; readonly count: number },
  changed: readonly string[] = ['id', 'name'],
): Promise<void> {
  const names = (await database.all(COLUMNS[database.dialect], { table })).map(({ name }) => name);
  const copied = names.map((name) => (changed.includes(name) ? `${name} || '-' || n.i` : name));
  await database.run(
    sql<{ id: string; count: number }>(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
       INSERT INTO ${table} (${names.join(', ')}) SELECT ${copied.join(', ')} FROM ${table}, n WHERE id = :id`,
    ),
    { id, count },
  );
}

describe.each(databaseKinds)('due work of several organizations on %s', (kind) => {
  let api: TestApi;
  let [large, small]: TestOrganization[] = [];
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    [large, small] = [await newOrganization(api), await newOrganization(api)];
  });

  const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } });
  const local = { 'execution-mode': 'local' };
  const projectOf = async (acme: TestOrganization, name: string, count: number) => {
    const project = await acme.project(name);
    const id = await acme.workspace(name.toLowerCase(), local, inProject(project));
    await copyRow(api, 'workspace', { id, count: count - 1 });
    return project;
  };

  test('scheduled tasks that are refused do not delay those of another organization, and a node that dies loses none', async () => {
    const [many, one] = [schedulesOf(api, large as TestOrganization), schedulesOf(api, small as TestOrganization)];
    const project = await projectOf(large as TestOrganization, 'Many', 3 * STARTS);
    many.until('12:00');
    const first = await many.made(`/projects/${project}`);
    const second = await one.made(`/workspaces/${await small?.workspace('one', local)}`, { cron: '10 2 * * *' });
    await many.at('02:00');
    await many.at('02:10');
    expect(await one.outcomes(second)).toHaveLength(1);
    const waiting = async () => (await many.show(first)).attributes['waiting-count'];
    expect(await waiting()).toBeLessThanOrEqual(3 * STARTS - 2 * STARTS + 1);
    // A node takes its turn, and dies before it starts anything.
    expect((await dueTasks(api.workspaces.database, api.now())).length).toBeGreaterThan(0);
    for (let n = 0; n < 3; n++) {
      api.advance(MINUTE);
      await many.sweep();
    }
    expect(await waiting()).toBe(0);
    await many.clear();
    await one.clear();
  }, 120_000);

  test('all schedules of a sweep together are distributed to a bounded number of workspaces, and none is left out', async () => {
    const [many, one] = [schedulesOf(api, large as TestOrganization), schedulesOf(api, small as TestOrganization)];
    const ids: string[] = [];
    many.until('12:00');
    for (let n = 0; n < 5; n++) {
      const project = await projectOf(large as TestOrganization, `Pro-${n}`, 300);
      ids.push(await many.made(`/projects/${project}`));
    }
    const other = await one.made(`/workspaces/${await small?.workspace('one', local)}`, { cron: '30 2 * * *' });
    await many.until('02:30');
    const waiting = async () => {
      const shown = await Promise.all(ids.map(async (id) => (await many.show(id)).attributes['waiting-count']));
      return shown.reduce((sum, count) => sum + count, 0);
    };
    await many.sweep();
    expect(await one.outcomes(other)).toHaveLength(1);
    // One workspace of the small organization counts as well.
    const distributed = Math.floor((DISTRIBUTED - 1) / 5) * 5;
    expect(await waiting()).toBe(distributed - STARTS + 1);
    api.advance(MINUTE);
    await many.sweep();
    expect(await waiting()).toBe(1500 - 2 * STARTS + 1);
    for (let left = await waiting(); left > 0; left = await waiting()) {
      api.advance(MINUTE);
      await many.sweep();
      expect(await waiting()).toBeLessThan(left);
    }
    await many.clear();
    await one.clear();
  }, 120_000);

  test('more organizations than a sweep looks at take turns', async () => {
    const many = schedulesOf(api, large as TestOrganization);
    many.until('12:00');
    const schedule = await many.made(`/projects/${large?.defaultProjectId}`);
    const { body } = await (large as TestOrganization).owner.call('GET', `/organizations/${large?.name}`);
    const organization: string = body.data.attributes['external-id'];
    expect([organization, schedule]).toEqual([expect.stringMatching(/^org-/), expect.stringMatching(/^sched-/)]);
    await copyRow(api, 'organization', { id: organization, count: 150 });
    await copyRow(api, 'schedule', { id: schedule, count: 150 }, ['id', 'name', 'organization_id']);
    many.until('02:00');
    const seen = new Set<string>();
    const sizes: number[] = [];
    // Nothing is done, so all stay due.
    for (let n = 0; n < 2; n++) {
      const due = await dueSchedules(api.workspaces.database, api.now());
      sizes.push(due.length);
      for (const { id } of due) seen.add(id);
      api.advance(1);
    }
    expect(Math.max(...sizes)).toBe(100);
    expect(seen.size).toBe(151);
    await api.workspaces.database.run(removeCopies, { id: organization });
    await many.clear();
  });

  test('automatic destroy runs of an organization with many do not delay those of another one', async () => {
    const [many, one] = [autoDestroyOf(api, large as TestOrganization), autoDestroyOf(api, small as TestOrganization)];
    const time = { 'auto-destroy-at': one.inTime(HOUR) };
    for (let n = 0; n < LOOKS + 10; n++) await large?.workspace(`w-${n}`, time);
    const id = await one.workspace({ 'auto-destroy-at': one.inTime(HOUR + MINUTE) });
    await many.later(HOUR + MINUTE);
    expect(await one.runsIn(id)).toHaveLength(1);
    // The large organization gets what the small one does not need.
    const { body } = await (large as TestOrganization).owner.call(
      ...(['GET', `/organizations/${large?.name}/workspaces?page[size]=100&page[number]=1`] as const),
    );
    const done = body.data.filter(
      ({ attributes }: { attributes: Record<string, string | null> }) => attributes['auto-destroy-status'] === null,
    );
    expect(done.length).toBeGreaterThan(80);
    await many.later(MINUTE);
    await many.later(MINUTE);
  }, 120_000);

  test('the oldest changes of projects reach their workspaces first', async () => {
    const at = autoDestroyOf(api, large as TestOrganization);
    const made: { id: string; workspace: string; set(period: string | null): Promise<void> }[] = [];
    for (let n = 0; n < CHANGED_PROJECTS + 4; n++) {
      const project = await at.project(null);
      made.push({ ...project, workspace: (await large?.workspace(`in-${n}`, {}, project.within)) ?? '' });
    }
    // The order of the ids is that of the creation, so the changes come in the other one.
    for (const { set } of made.toReversed()) {
      api.advance(MINUTE);
      await set('1h');
    }
    api.advance(HOUR);
    await at.sweep();
    const isOver = async (workspace: string) =>
      (await at.shown(workspace)).explanation?.includes('managed no resources');
    const over = await Promise.all(made.map(({ workspace }) => isOver(workspace)));
    expect(over).toEqual(made.map((_, index) => index >= 4));
    await at.later(MINUTE);
    expect(await Promise.all(made.map(({ workspace }) => isOver(workspace)))).toEqual(made.map(() => true));
  }, 60_000);
});
