import { Client, type types } from 'pg';
import { StorageError } from '../errors.ts';
import { parserOf } from '../postgres/values.ts';
import { type Column, columnType, quoted, type Row, type Snapshot, sizeOf, type Table } from './snapshot.ts';

/** Number of rows in one fetch: the first, the maximum, and the target in bytes. */
const FIRST_ROWS = 10;
const PART_ROWS = 1_000;
const PART_BYTES = 524_288;
const CONNECT_TIMEOUT = 5_000;
const TYPES: Readonly<Record<string, Column['type']>> = { text: 'text', bigint: 'integer', bytea: 'blob' };

/** Opens a dedicated connection with the same value parsers as the pool and without a timeout. */
export async function connectAlone(url: string, application: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    application_name: application,
    types: {
      getTypeParser: ((type: number) => parserOf(type) ?? ((text: string) => text)) as typeof types.getTypeParser,
    },
  });
  // The next query receives the error.
  client.on('error', () => {});
  await client.connect().catch((cause: Error) => {
    throw new StorageError(`PostgreSQL cannot be reached: ${cause.message}`, { cause });
  });
  await client.query(
    "SELECT set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)",
  );
  return client;
}

/** Reads a snapshot while others write. */
export async function snapshotOfPostgres(url: string, schema: string): Promise<Snapshot> {
  const client = await connectAlone(url, 'lockkeeper backup');
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await tablesOfPostgres(client, schema);
    return { tables, rows: (table) => rowsOf(client, schema, table), close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function* rowsOf(client: Client, schema: string, { name, columns }: Table): AsyncGenerator<Row[]> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  await client.query(`DECLARE part NO SCROLL CURSOR FOR SELECT ${names} FROM "${schema}".${quoted(name)}`);
  for (let wanted = FIRST_ROWS; ; ) {
    const fetched = await client.query({ text: `FETCH ${wanted} FROM part`, rowMode: 'array' });
    const rows: Row[] = fetched.rows;
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) break;
    const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 1);
    wanted = Math.max(1, Math.min(PART_ROWS, Math.floor((PART_BYTES * rows.length) / bytes)));
  }
  await client.query('CLOSE part');
}

export async function tablesOfPostgres(client: Client, schema: string): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `SELECT c.table_name::text AS table, c.column_name::text AS name, c.data_type::text AS type
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = $1 AND t.table_type = 'BASE TABLE' ORDER BY c.table_name COLLATE "C", c.ordinal_position`,
    [schema],
  );
  return [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => ({
    name: table,
    columns: columns.map(({ name, type }) => ({ name, type: columnType(TYPES, table, type) })),
  }));
}
