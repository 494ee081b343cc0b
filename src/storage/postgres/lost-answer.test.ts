import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropSchema, postgresUrl } from '../../../test/support/databases.ts';
import { LossyNetwork } from '../../../test/support/lost-commits/lossy-network.ts';
import type { Database } from '../database.ts';
import { sql } from '../database.ts';
import { openPostgres } from '../postgres.ts';

const SCHEMA = `test_lost_answer_${process.pid}`;

const insert = sql<{ id: string }>('INSERT INTO entry VALUES (:id)');
const ids = sql<Record<string, never>, { id: string }>('SELECT id FROM entry ORDER BY id');

describe.skipIf(postgresUrl === undefined)('a connection that is lost after COMMIT and before its response', () => {
  let network: LossyNetwork;
  let database: Database;

  beforeAll(async () => {
    network = await LossyNetwork.start(String(postgresUrl));
    database = await openPostgres({ url: network.url, schema: SCHEMA, poolSize: 2, report: () => {} });
    await database.run(sql('CREATE TABLE entry (id TEXT PRIMARY KEY)'), {});
  });
  afterAll(async () => {
    await database.close();
    network.close();
    await dropSchema(String(postgresUrl), SCHEMA);
  });

  it.each([
    ['awaits its statements', true],
    ['sends its statement with the COMMIT', false],
  ])('reports unavailable, runs no hook, and does not retry work that %s', async (id, awaits) => {
    const log: string[] = [];
    const lost = network.losing('response', () =>
      database.transaction(async (tx) => {
        log.push('work');
        tx.afterCommit(() => log.push('committed'));
        tx.afterRollback(() => log.push('rolled back'));
        const inserted = tx.run(insert, { id });
        if (awaits) await inserted;
        else inserted.catch(() => {});
      }),
    );
    await expect(lost).rejects.toMatchObject({ kind: 'unavailable' });
    expect(log).toEqual(['work']);
    expect(await database.all(ids, {})).toContainEqual({ id });
  });
});
