import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { NoAgentNotice } from '../../../../src/workspaces/execution/job/no-agent-notice.ts';
import { type Reconciler, RunReconciler } from '../../../../src/workspaces/execution/job/run-reconciler.ts';
import { Occurrences } from '../../../../src/workspaces/execution/schedule/occurrences.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';
import { schedulesOf } from '../support/schedules.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const setParameters = sql<{ id: string; parameters: string }>('UPDATE run SET parameters = :parameters WHERE id = :id');
const readParameters = sql<{ id: string }, { parameters: string }>('SELECT parameters FROM run WHERE id = :id');
/** As many as one sweep takes, with a time before that of the schedule. No number of this server can hold their jitter. */
const addUnreadable = sql<{ like: string }>(
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
   INSERT INTO schedule (id, organization_id, workspace_id, name, operation, cron, time_zone, jitter, when_busy, paused,
     next_at, distributed_to, created_at)
   SELECT id || '-' || i, organization_id, workspace_id, name || i, operation, cron, time_zone, 9000000000000000000, when_busy,
     paused, next_at - 1, '', created_at FROM schedule CROSS JOIN n WHERE id = :like`,
);
const makeReadable = sql('UPDATE schedule SET jitter = 0');

describe.each(databaseKinds)('work on a run that cannot be read, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });

  /** Runs a sweep of this reconciler, and returns the number of failures. */
  async function sweep(reconciler: Reconciler): Promise<number> {
    const failures: unknown[] = [];
    await new RunReconciler(api.workspaces.database, [reconciler], (error) => failures.push(error)).sweep();
    return failures.length;
  }

  /** Breaks the row of a run. Returns the function that repairs it. */
  async function broken(id: string): Promise<() => Promise<unknown>> {
    const { database } = api.workspaces;
    const before = await database.one(readParameters, { id });
    await database.run(setParameters, { id, parameters: 'not JSON' });
    return () => database.run(setParameters, { id, parameters: before?.parameters ?? '{}' });
  }

  test('waits ten minutes, so that others get their turn: saved plans that nobody confirmed', async () => {
    const { savedPlans } = api.workspaces.execution;
    const saved = async (name: string): Promise<string> => {
      const run = await runs.run(await runs.workspace(name), { 'save-plan': true });
      await runs.through(run, 'planning', 'planned');
      return run;
    };
    const [bad, good] = [await saved('bad'), await saved('good')];
    const repair = await broken(bad);
    api.advance(31 * DAY);
    expect(await sweep(savedPlans)).toBe(1);
    expect(await runs.statusOf(good)).toBe('discarded');
    expect(await savedPlans.due(api.workspaces.database)).toEqual([]);
    expect(await sweep(savedPlans)).toBe(0);
    api.advance(10 * MINUTE);
    expect(await sweep(savedPlans)).toBe(1);
    await repair();
    api.advance(10 * MINUTE);
    expect(await sweep(savedPlans)).toBe(0);
    expect(await runs.statusOf(bad)).toBe('discarded');
  });

  test('waits for one reconciler only: runs without an agent, and runs in a wrong queue', async () => {
    const pool = await agentsOf(api, acme).pool('first');
    const workspace = await runs.workspace('one', byAgents(pool));
    const run = await runs.run(workspace);
    const repair = await broken(run);
    api.advance(MINUTE);
    const notice = new NoAgentNotice(api.now, false);
    expect(await sweep(notice)).toBe(1);
    expect(await notice.due(api.workspaces.database)).toEqual([]);
    await repair();
    await acme.owner.call('PATCH', `/workspaces/${workspace}`, {
      data: {
        type: 'workspaces',
        attributes: { 'execution-mode': 'local', 'setting-overwrites': { 'execution-mode': true } },
      },
    });
    await api.workspaces.execution.runReconciler.sweep();
    expect(await runs.statusOf(run)).toBe('errored');
  });

  test('waits in schedules too, so that the others of the organization act at their time', async () => {
    const schedules = schedulesOf(api, acme);
    schedules.until('12:00');
    const good = await schedules.made(`/workspaces/${await acme.workspace('scheduled')}`);
    await api.workspaces.database.run(addUnreadable, { like: good });
    schedules.until('02:00');
    const occurrences = new Occurrences(api.now);
    expect(await sweep(occurrences)).toBe(100);
    expect((await schedules.show(good)).attributes['last-time']).toBeNull();
    expect(await sweep(occurrences)).toBe(0);
    expect((await schedules.show(good)).attributes['last-time']).toMatch(/T02:00:00.000Z$/);
    expect(await sweep(occurrences)).toBe(0);
    await api.workspaces.database.run(makeReadable, {});
    api.advance(10 * MINUTE);
    expect(await sweep(occurrences)).toBe(0);
    expect((await schedules.show(`${good}-1`)).attributes['last-time']).toMatch(/T01:59:59.999Z$/);
  });
});
