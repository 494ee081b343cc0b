import type { Client } from 'pg';
import { StorageError } from '../errors.ts';
import { connectAlone, tablesOfPostgres } from './postgres-snapshot.ts';
import { type Column, type Load, quoted, type Row, type Table } from './snapshot.ts';

const ARRAYS: Readonly<Record<Column['type'], string>> = { text: 'text[]', integer: 'bigint[]', blob: 'bytea[]' };

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** @param schema an unused schema with the tables of the backup */
export async function loadPostgres(url: string, schema: string): Promise<Load> {
  const client = await connectAlone(url, 'lockkeeper restore');
  try {
    await client.query(`BEGIN; SET LOCAL search_path TO "${schema}"`);
    const tables = await tablesOfPostgres(client, schema);
    const keys = await foreignKeys(client, schema);
    for (const { table, name } of keys)
      await client.query(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    return {
      tables,
      empty: async (emptied) => {
        for (const { name } of emptied) await client.query(`DELETE FROM ${quoted(name)}`);
      },
      insert: (table, rows) => insert(client, table, rows),
      finish: async () => {
        await finish(client, tables, keys);
        await client.end();
      },
      abandon: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function foreignKeys(client: Client, schema: string): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT relname::text AS table, conname::text AS name, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_class t ON t.oid = conrelid
     WHERE connamespace = $1::regnamespace AND contype = 'f' ORDER BY conname COLLATE "C"`,
    [schema],
  );
  return rows;
}

async function insert(client: Client, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${ARRAYS[type]}`).join(', ');
  const values = columns.map(({ type }, index) =>
    rows.map((row) => (type === 'blob' && row[index] ? Buffer.from(row[index] as Uint8Array) : row[index])),
  );
  await client.query(`INSERT INTO ${quoted(name)} (${names}) SELECT * FROM unnest(${arrays})`, values);
}

async function finish(client: Client, tables: readonly Table[], keys: readonly ForeignKey[]): Promise<void> {
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  for (const { table, name, definition } of keys) {
    await client.query(`ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`).catch((cause) => {
      throw new StorageError(`a row of ${table} refers to a missing row (${name})`, { cause });
    });
  }
  await client.query('COMMIT');
}
