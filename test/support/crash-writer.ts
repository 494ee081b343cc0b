/**
 * `node crash-writer.ts sqlite FILE` or `… postgres URL SCHEMA` stores pairs of rows in many concurrent transactions
 * until it is killed, and prints the number of each pair after its commit.
 */
import { randomUUID } from 'node:crypto';
import { type Database, openPostgres, openSqlite, sql } from '../../src/storage/index.ts';

const CONCURRENT_UNITS = 32;
const [kind, target = '', schema = ''] = process.argv.slice(2);

function report(error: unknown): void {
  throw error;
}

function openDatabase(): Promise<Database> {
  return kind === 'sqlite' ? openSqlite({ file: target, report }) : openPostgres({ url: target, schema, report });
}

const add = sql<{ pair: string; half: number; body: string }>(
  'INSERT INTO half (pair, number, body) VALUES (:pair, :half, :body)',
);

async function writeForEver(database: Database): Promise<never> {
  for (;;) {
    const pair = randomUUID();
    const body = 'x'.repeat(Math.random() * 5000);
    await database.transaction(async (tx) => {
      await tx.run(add, { pair, half: 1, body });
      await tx.run(add, { pair, half: 2, body });
    });
    process.stdout.write(`${pair}\n`);
  }
}

const database = await openDatabase();
await database.run(
  sql(
    'CREATE TABLE IF NOT EXISTS half (pair TEXT NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (pair, number))',
  ),
  {},
);
await Promise.all(Array.from({ length: CONCURRENT_UNITS }, () => writeForEver(database)));
