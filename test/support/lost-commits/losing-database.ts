import { type Database, openPostgres, openSqlite } from '../../../src/storage/index.ts';
import { postgresUrl, type TestDatabase } from '../databases.ts';
import { type Loss, LossyNetwork } from './lossy-network.ts';

/** A second connection to a database, which can lose a COMMIT. */
export interface LosingDatabase {
  readonly database: Database;
  /** Loses every COMMIT during the work. On SQLite the database refuses all writes afterwards. */
  losing<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Ways to lose a COMMIT. On PostgreSQL the connection breaks before the request or before the response. On SQLite the
 * disk fails after the commit was written to the log.
 */
export const losses: readonly Loss[] = postgresUrl === undefined ? ['response'] : ['request', 'response'];

export async function openLosing(opened: TestDatabase, loss: Loss): Promise<LosingDatabase> {
  const { place } = opened;
  return opened.database.dialect === 'sqlite' ? onFailingDisk(place) : throughNetwork(place, loss);
}

async function throughNetwork(schema: string, loss: Loss): Promise<LosingDatabase> {
  const network = await LossyNetwork.start(String(postgresUrl));
  const database = await openPostgres({ url: network.url, schema, poolSize: 2, report: () => {} });
  return {
    database,
    losing: (work) => network.losing(loss, work),
    close: async () => {
      await database.close();
      network.close();
    },
  };
}

async function onFailingDisk(file: string): Promise<LosingDatabase> {
  let fails = false;
  const database = await openSqlite({
    file,
    report: () => {},
    sync: async (log) => {
      if (fails) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      await log.datasync();
    },
  });
  return {
    database,
    losing: (work) => {
      fails = true;
      return work();
    },
    close: () => database.close(),
  };
}
