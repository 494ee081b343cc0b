import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openPostgres, openSqlite, sql } from '../../src/storage/index.ts';
import { fill, type MemberTokens } from './many-workspaces.ts';
import { type Lockkeeper, startLockkeeper } from './servers.ts';

const url = process.env.LOCKKEEPER_TEST_POSTGRES;

/** Runs this benchmark again with a PostgreSQL server of its own, if it is to be measured on one and there is none. */
export function needDatabase(database: string): void {
  if (database !== 'postgres' || url !== undefined) return;
  const withPostgres = join(import.meta.dirname, '../../test/support/with-postgres.ts');
  const { status } = spawnSync(process.execPath, [withPostgres, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    // What is measured is durable.
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
  /** The program: its sources by default. */
  readonly main?: string;
  /** Of the listener with TLS. */
  readonly services?: string;
  /** Who carries out runs; nobody by default. */
  readonly execution?: 'agents';
}

/**
 * A server on `sqlite` or `postgres` with that many workspaces in the organization `bench`.
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
    // As the database itself does before long, where as much is written: until then its plans are guesses.
    if (isPostgres) await opened.run(sql('ANALYZE'), {});
    await opened.close();
  });
  console.log(`${count} workspaces: filled after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (tokens === undefined) throw new Error('not filled');
  return { lockkeeper, count, tokens: { owner: lockkeeper.show.token, ...tokens } };
}
