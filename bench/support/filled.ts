import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openPostgres, openSqlite, sql } from '../../src/storage/index.ts';
import { fill, type MemberTokens } from './many-workspaces.ts';
import { type Lockkeeper, startLockkeeper } from './servers.ts';

const url = process.env.LOCKKEEPER_TEST_POSTGRES;

/** Restarts this benchmark with its own PostgreSQL server if it needs one and none is set. */
export function needDatabase(database: string): void {
  if (database !== 'postgres' || url !== undefined) return;
  const withPostgres = join(import.meta.dirname, '../../test/support/with-postgres.ts');
  const { status } = spawnSync(process.execPath, [withPostgres, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    // Writes are durable, as in production.
    env: { ...process.env, LOCKKEEPER_TEST_POSTGRES_FSYNC: 'on' },
  });
  process.exit(status ?? 1);
}

export interface Filled {
  readonly lockkeeper: Lockkeeper;
  readonly count: number;
  readonly tokens: Readonly<Record<'owner' | 'member' | 'half', string>>;
}

export interface FilledOptions {
  /** Program to start. Default: the sources. */
  readonly main?: string;
  /** Services of the TLS listener. */
  readonly services?: string;
  /** Executor of runs. Default: none. */
  readonly execution?: 'agents';
}

/**
 * Starts a server on `sqlite` or `postgres` with a number of workspaces in the organization `bench`.
 */
export async function startFilled(
  database: string,
  count: number,
  { main, services, execution }: FilledOptions = {},
): Promise<Filled> {
  const schema = `bench_${count}`;
  const isPostgres = database === 'postgres';
  const postgres = `{ type: postgres, url: '${url}', schema: ${schema}, blob_directory: blobs }`;
  const sqlite = '{ type: sqlite, directory: data }';
  const settings = execution === undefined ? '' : `\nworkspaces: { execution: ${execution} }`;
  const empty = await startLockkeeper(`${isPostgres ? postgres : sqlite}${settings}`, main, services);
  const { folder } = empty;
  let tokens: MemberTokens | undefined;
  const began = performance.now();
  const lockkeeper = await empty.restart(async () => {
    const opened = isPostgres
      ? await openPostgres({ url: url ?? '', schema, report: console.error })
      : await openSqlite({ file: join(folder, 'data', 'workspaces.db'), report: console.error });
    tokens = await fill(opened, join(folder, 'keyring.json'), count);
    // Runs ANALYZE, as autovacuum would soon do: without statistics the query plans are guesses.
    if (isPostgres) await opened.run(sql('ANALYZE'), {});
    await opened.close();
  });
  console.log(`${count} workspaces: filled after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (tokens === undefined) throw new Error('not filled');
  return { lockkeeper, count, tokens: { owner: lockkeeper.show.token, ...tokens } };
}
