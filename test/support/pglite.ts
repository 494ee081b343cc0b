import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Mutex } from '../../src/storage/mutex.ts';
import type { PostgresClient, PostgresPool, PostgresQuery } from '../../src/storage/postgres/pool.ts';
import { PARSERS } from '../../src/storage/postgres/values.ts';

let started: Promise<PGlite> | undefined;
/** PGlite has one connection, so each client holds it exclusively. */
const turns = new Mutex();

/** Returns a pool on the PGlite of this process, which starts on first use and ends with the process. */
export async function pglitePool(): Promise<PostgresPool> {
  started ??= start();
  const server = await started;
  const connect = async () => {
    await turns.acquire();
    return client(server);
  };
  return {
    connect,
    share: async (use) => {
      const shared = await connect();
      return use(shared).finally(() => shared.release());
    },
    end: async () => {},
  };
}

/** Creates a new client each time, because its settings depend on the schema. */
function client(server: PGlite): PostgresClient {
  const query = async ({ text, values }: PostgresQuery) => {
    const { rows, affectedRows, rowCount } = await server.query(text, values, { parsers: { ...PARSERS } });
    return { rows, rowCount: rowCount ?? affectedRows ?? null };
  };
  const command = (text: string) => query({ text, values: [] });
  return {
    query,
    batch: async (queries) => {
      await command('BEGIN');
      try {
        const answers = await Promise.all(queries.map(query));
        await command('COMMIT');
        return answers;
      } catch (error) {
        await command('ROLLBACK');
        throw error;
      }
    },
    // PGlite has no network connection to lose.
    discard: () => {},
    waitForever: () => {},
    release: (destroy = false) => {
      // All sessions share one connection here, and its timeout would stop the server. Tests may leave it idle for
      // any time.
      const clean = `${destroy ? 'ROLLBACK; ' : ''}SET idle_session_timeout = 0`;
      void server.exec(clean).finally(() => turns.release());
    },
  };
}

/** Creating a cluster takes seconds: it is created once for each version of PGlite, and cached beside the packages. */
async function start(): Promise<PGlite> {
  const file = await clusterFile();
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return PGlite.create({ loadDataDir: new Blob([kept]) });

  const server = await PGlite.create();
  const cluster = await server.dumpDataDir('none');
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, cluster.stream());
  await rename(draft, file);
  return server;
}

async function clusterFile(): Promise<string> {
  const packages = join(import.meta.dirname, '../../node_modules');
  const description = await readFile(join(packages, '@electric-sql/pglite/package.json'), 'utf8');
  const { version } = JSON.parse(description) as { version: string };
  return join(packages, `.cache/lockkeeper/pglite-${version}.tar`);
}
