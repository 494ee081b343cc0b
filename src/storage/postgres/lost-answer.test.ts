import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropSchema, postgresUrl } from '../../../test/support/databases.ts';
import type { Database } from '../database.ts';
import { sql } from '../database.ts';
import { openPostgres } from '../postgres.ts';

const SCHEMA = `test_lost_answer_${process.pid}`;
/** PostgreSQL's response to a successful COMMIT. */
const COMMITTED = Buffer.from('COMMIT\0');

const insert = sql<{ id: string }>('INSERT INTO entry VALUES (:id)');
const ids = sql<Record<string, never>, { id: string }>('SELECT id FROM entry ORDER BY id');

describe.skipIf(postgresUrl === undefined)('a connection that is lost after COMMIT and before its response', () => {
  let network: Server;
  let database: Database;
  let loses = false;

  beforeAll(async () => {
    const { hostname, port } = new URL(String(postgresUrl));
    network = createServer((client) => {
      const server = connect(Number(port), hostname);
      const end = () => {
        client.destroy();
        server.destroy();
      };
      client
        .on('data', (bytes) => server.write(bytes))
        .on('close', end)
        .on('error', end);
      server.on('close', end).on('error', end);
      server.on('data', (bytes) => {
        if (loses && bytes.includes(COMMITTED)) end();
        else client.write(bytes);
      });
    }).listen(0, '127.0.0.1');
    await once(network, 'listening');
    const url = new URL(String(postgresUrl));
    url.port = String((network.address() as AddressInfo).port);
    database = await openPostgres({ url: url.href, schema: SCHEMA, poolSize: 2, report: () => {} });
    await database.run(sql('CREATE TABLE entry (id TEXT PRIMARY KEY)'), {});
  });
  afterAll(async () => {
    await database.close();
    network.close();
    await dropSchema(String(postgresUrl), SCHEMA);
  });

  it('reports unavailable, and does not retry the work', async () => {
    let times = 0;
    let hooks = 0;
    loses = true;
    const lost = database.transaction(async (tx) => {
      times += 1;
      tx.afterCommit(() => hooks++);
      await tx.run(insert, { id: 'stored' });
    });
    await expect(lost).rejects.toMatchObject({ kind: 'unavailable' });
    loses = false;
    expect([times, hooks]).toEqual([1, 0]);
    expect(await database.all(ids, {})).toEqual([{ id: 'stored' }]);
  });
});
