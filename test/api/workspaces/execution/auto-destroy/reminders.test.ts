import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql, type Transaction } from '../../../../../src/storage/index.ts';
import { createAutoDestroy } from '../../../../../src/workspaces/execution/auto-destroy/create-auto-destroy.ts';
import type { AutoDestroySchedule } from '../../../../../src/workspaces/execution/auto-destroy/schedule.ts';
import { RunReconciler } from '../../../../../src/workspaces/execution/job/run-reconciler.ts';
import type { WorkspaceNews } from '../../../../../src/workspaces/execution/lifecycle/workspace-news.ts';
import { RunStart } from '../../../../../src/workspaces/execution/run/start.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { autoDestroyOf, DAY, HOUR } from '../../support/auto-destroy.ts';
import { newOrganization } from '../../support/organization.ts';

const setState = sql<{ id: string }>(`UPDATE auto_destroy SET state = 'found', next_at = 0 WHERE workspace_id = :id`);

describe.each(databaseKinds)('the schedule of automatic destroy runs on %s', (kind) => {
  let api: TestApi;
  let at: ReturnType<typeof autoDestroyOf>;
  let schedule: AutoDestroySchedule;
  let news: {
    readonly id: string;
    readonly trigger: string;
    readonly destroyAt: number | null;
    readonly text: string;
  }[];
  beforeAll(async () => {
    api = await startApi(kind);
    const { workspace, execution, database } = api.workspaces;
    const { runStateMachine: stateMachine, configurations } = execution;
    const start = new RunStart({ ...workspace, keyring: api.keyring, stateMachine, isRemoteServed: true });
    const notify = async (_tx: unknown, id: string, { trigger, destroyAt, text }: WorkspaceNews) => {
      news.push({ id, trigger, destroyAt, text });
    };
    const platform = { database, clock: () => api.now() } as Parameters<typeof createAutoDestroy>[0];
    ({ schedule } = createAutoDestroy(platform, workspace, { stateMachine, start, configurations, notify }));
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    at = autoDestroyOf(api, await newOrganization(api));
    news = [];
  });

  /** Runs one round, after some time, and returns the news of it. */
  async function round(after: number) {
    news = [];
    api.advance(after);
    const { database } = api.workspaces;
    for (const id of await schedule.due(database)) await database.transaction((tx) => schedule.reconcile(tx, id));
    return news.map(({ trigger, destroyAt }) => [trigger, destroyAt]);
  }
  const REMINDER = 'workspace:auto_destroy_reminder';

  test('reminds 24 h and 12 h before, once each', async () => {
    const due = api.now() + 3 * DAY;
    const id = await at.workspace({ 'auto-destroy-at': new Date(due).toISOString() });
    expect(await round(2 * DAY - HOUR)).toEqual([]);
    expect(await round(HOUR)).toEqual([[REMINDER, due]]);
    expect(news[0]?.id).toBe(id);
    expect(news[0]?.text).toContain(new Date(due).toISOString());
    expect(await round(11 * HOUR)).toEqual([]);
    expect(await round(HOUR)).toEqual([[REMINDER, due]]);
    expect(await round(11 * HOUR)).toEqual([]);
    expect(await round(HOUR)).toEqual([]);
    expect((await at.shown(id)).status).toBe('running');
  });

  test('sends one reminder after the server was down for two, and none that a new time has passed already', async () => {
    const due = api.now() + 3 * DAY;
    const id = await at.workspace({ 'auto-destroy-at': new Date(due).toISOString() });
    expect(await round(2 * DAY + 13 * HOUR)).toEqual([[REMINDER, due]]);
    expect(await round(0)).toEqual([]);
    await at.patch(id, { 'auto-destroy-at': at.inTime(10 * HOUR) });
    expect(await round(HOUR)).toEqual([]);
    expect(await round(8 * HOUR)).toEqual([]);
  });

  test('follows activity after a reminder: the time moves, and users are reminded of the new one', async () => {
    const id = await at.workspace({ 'auto-destroy-activity-duration': '2d' });
    const first = Date.parse((await at.shown(id)).at ?? '');
    expect(await round(DAY + HOUR)).toEqual([[REMINDER, first]]);
    await at.write(id, 2);
    const second = api.now() + 2 * DAY;
    expect(await round(23 * HOUR)).toEqual([]);
    expect(await round(2 * HOUR)).toEqual([[REMINDER, second]]);
    expect(await round(12 * HOUR)).toEqual([[REMINDER, second]]);
    expect(await at.runsIn(id)).toEqual([]);
  });

  test('reports a run that cannot start, once', async () => {
    const id = await at.workspace({ 'auto-destroy-at': '2025-01-01T00:00:00Z', 'allow-destroy-plan': false });
    expect(await round(0)).toEqual([['workspace:auto_destroy_run_results', Date.parse('2025-01-01T00:00:00Z')]]);
    expect(news[0]?.text).toContain('allow-destroy-plan');
    expect(await round(HOUR)).toEqual([]);
    expect((await at.shown(id)).status).toBe('errored');
  });

  test('destroys nothing whose time passed before the server acted on times', async () => {
    const fixed = await at.workspace({ 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    const idle = await at.workspace({ 'auto-destroy-activity-duration': '2h' });
    const later = await at.workspace({ 'auto-destroy-at': at.inTime(5 * DAY) });
    for (const id of [fixed, idle, later]) await api.workspaces.database.run(setState, { id });
    await round(3 * HOUR);
    for (const id of [fixed, idle, later]) expect(await at.runsIn(id)).toEqual([]);
    expect(await at.shown(fixed)).toMatchObject({ status: 'errored', at: '2025-01-01T00:00:00.000Z', next: null });
    expect(await at.shown(idle)).toMatchObject({ status: 'scheduled', at: at.inTime(2 * HOUR) });
    await round(5 * DAY);
    expect([await at.runsIn(fixed), await at.runsIn(idle), await at.runsIn(later)].map(({ length }) => length)).toEqual(
      [0, 1, 1],
    );
  });

  test('looks again later at a workspace for which it fails unexpectedly, so that others get their turn', async () => {
    const id = await at.workspace({ 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    const { database } = api.workspaces;
    const errors: unknown[] = [];
    const failing = {
      due: (db: typeof database) => schedule.due(db),
      reconcile: () => Promise.reject(new Error('unexpected')),
      postpone: (tx: Transaction, due: string) => schedule.postpone(tx, due),
    };
    const unreadable = { ...failing, due: () => Promise.reject(new Error('the list cannot be read')) };
    await new RunReconciler(database, [unreadable, failing], (error) => errors.push(error)).sweep();
    expect(errors).toEqual([new Error('the list cannot be read'), new Error('unexpected')]);
    expect(await schedule.due(database)).toEqual([]);
    await round(HOUR);
    expect(await at.runsIn(id)).toHaveLength(1);
  });

  test('starts a run once although a node fails after the start, before its transaction is stored', async () => {
    const id = await at.workspace({ 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    const { database } = api.workspaces;
    const failing = database.transaction(async (tx) => {
      await schedule.reconcile(tx, id);
      throw new Error('the node dies');
    });
    await expect(failing).rejects.toThrow('the node dies');
    expect(await at.runsIn(id)).toEqual([]);
    await round(0);
    await round(0);
    expect(await at.runsIn(id)).toHaveLength(1);
  });
});
