import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { NoAgentNotice } from '../../../../src/workspaces/execution/job/no-agent-notice.ts';
import { type Reconciler, RunReconciler } from '../../../../src/workspaces/execution/job/run-reconciler.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const setParameters = sql<{ id: string; parameters: string }>('UPDATE run SET parameters = :parameters WHERE id = :id');
const readParameters = sql<{ id: string }, { parameters: string }>('SELECT parameters FROM run WHERE id = :id');

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
});
