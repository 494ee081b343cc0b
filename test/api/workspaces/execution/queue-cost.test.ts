import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Queries } from '../../../../src/storage/index.ts';
import * as claimStore from '../../../../src/workspaces/execution/job/claim-store.ts';
import * as store from '../../../../src/workspaces/execution/run/store.ts';
import { fragment, select } from '../../../../src/workspaces/query/dynamic.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';

const RUNS = 5000;

describe.each(databaseKinds)('what the queue costs on %s', (kind) => {
  let api: TestApi;
  let queue: claimStore.Queue;
  let first: string;
  let database: Database;
  beforeAll(async () => {
    api = await startApi(kind);
    const acme = await newOrganization(api);
    const pool = await agentsOf(api, acme).pool('first');
    database = api.workspaces.database;
    const runs = runsOf(api, acme);
    const [over, busy] = [await runs.workspace('over', byAgents(pool)), await runs.workspace('busy', byAgents(pool))];
    const model = await runs.run(over);
    await runs.through(model, 'planning', 'errored');
    first = await runs.run(busy);
    const waiting = await runs.run(busy);
    queue = { agentPoolId: pool, silentSince: 0 };
    database = api.workspaces.database;
    await copies(model);
    await copies(waiting);
    if (kind === 'postgres') await database.transaction((tx) => select(tx, fragment`analyze run`));
  });
  afterAll(() => api.close());

  const claimed = () => database.transaction(async (tx) => (await claimStore.first(tx, queue))?.id);

  /** As many as make a difference. */
  async function copies(of: string): Promise<void> {
    const columns =
      (await select(database, fragment<Record<string, unknown>>`select * from run where id = ${of}`))[0] ?? {};
    const names = Object.keys(columns).filter((name) => name !== 'id');
    const list = fragment.raw(names.join(', '));
    await database.transaction((tx) =>
      select(
        tx,
        fragment`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${fragment.raw(String(RUNS))})
        insert into run (id, ${list}) select id || '-' || n.i, ${list} from run, n where run.id = ${of}`,
      ),
    );
  }

  /** How the database goes about the statements that `read` asks. */
  async function plansOf(read: (db: Queries) => Promise<unknown>): Promise<string[]> {
    const asked: Parameters<Queries['dynamic']>[0][] = [];
    const listening = new Proxy(database, {
      get: (target, name) =>
        name === 'dynamic'
          ? async (query: Parameters<Queries['dynamic']>[0]) => {
              asked.push(query);
              return [];
            }
          : Reflect.get(target, name),
    });
    await read(listening);
    const explain = kind === 'postgres' ? 'explain' : 'explain query plan';
    const explained = asked.map(async (query) => {
      const rows = await database.dynamic<object>({ ...query, sql: `${explain} ${query.sql}` });
      return rows.map((row) => Object.values(row).join(' ')).join('\n');
    });
    return Promise.all(explained);
  }

  test('a claim reads the queue in the order of its index, and not what waits for a workspace or is over', async () => {
    const [runs, assessments, ...more] = await plansOf((db) => claimStore.isAnyWaiting(db, queue));
    expect(more).toEqual([]);
    expect(runs).toContain('run_by_queue_pool');
    expect(assessments).toContain('run_assessment_takeable');
    for (const plan of [runs, assessments]) expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
    expect(await claimed()).toBe(first);
    expect(await store.positionOf(database, first)).toBe(1);
  });
});
