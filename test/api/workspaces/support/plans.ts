import type { Database, Queries } from '../../../../src/storage/index.ts';
import { fragment, select } from '../../../../src/workspaces/query/dynamic.ts';

/** Copies a run this many times: enough to affect query plans. */
export async function copyRun(database: Database, of: string, count: number): Promise<void> {
  const columns =
    (await select(database, fragment<Record<string, unknown>>`select * from run where id = ${of}`))[0] ?? {};
  const names = Object.keys(columns).filter((name) => name !== 'id');
  const list = fragment.raw(names.join(', '));
  await database.transaction((tx) =>
    select(
      tx,
      fragment`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${fragment.raw(String(count))})
        insert into run (id, ${list}) select id || '-' || n.i, ${list} from run, n where run.id = ${of}`,
    ),
  );
}

/** PostgreSQL plans with the statistics of its tables. */
export async function analyze(database: Database): Promise<void> {
  if (database.dialect === 'postgres') await database.transaction((tx) => select(tx, fragment`analyze run`));
}

/** Returns the query plans of the statements in `read`. */
export async function plansOf(database: Database, read: (db: Queries) => Promise<unknown>): Promise<string[]> {
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
  const explain = database.dialect === 'postgres' ? 'explain' : 'explain query plan';
  const explained = asked.map(async (query) => {
    const rows = await database.dynamic<object>({ ...query, sql: `${explain} ${query.sql}` });
    return rows.map((row) => Object.values(row).join(' ')).join('\n');
  });
  return Promise.all(explained);
}
