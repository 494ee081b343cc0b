import { Client } from 'pg';
import type { SchemaScript } from './schema-script.ts';

/** A schema of a closed database, which the next test can use. */
export interface UsedSchema {
  readonly name: string;
  /** Statements that insert the first rows. */
  readonly rows: string;
  readonly definition: string;
}

const ofSchema = 'SELECT oid FROM pg_class WHERE relnamespace = $1::regnamespace';

/** Each change of a definition writes a row of the catalog again, in another transaction. */
const selectDefinition = ['attribute attrelid', 'constraint conrelid', 'index indrelid', 'trigger tgrelid']
  .map((text) => text.split(' '))
  .map(([catalog, relation]) => `SELECT xmin::text::bigint FROM pg_${catalog} WHERE ${relation} IN (${ofSchema})`)
  .concat('SELECT xmin::text::bigint FROM pg_proc WHERE pronamespace = $1::regnamespace')
  .map((rows) => `(SELECT concat(count(*), ' ', sum(xmin)) FROM (${rows}) AS catalog(xmin))`)
  .join(` || ', ' || `);

/** Truncates the tables that have had rows. Tables that refer to them are among them, or empty. */
const truncate = (schema: string) => `DO $$
  DECLARE used text;
  BEGIN
    SELECT string_agg(oid::regclass::text, ', ') INTO used FROM pg_class
      WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0;
    IF used IS NOT NULL THEN EXECUTE 'TRUNCATE ' || used || ' CASCADE'; END IF;
  END $$;`;

/** Returns a text that differs after each change of the schema, apart from its rows. */
async function definitionOf(client: Client, schema: string): Promise<string> {
  const { rows } = await client.query({ text: `SELECT ${selectDefinition} AS text`, values: [schema] });
  return rows[0].text;
}

/** Creates the tables of a new schema. */
export function fill(url: string, name: string, { all, rows }: SchemaScript): Promise<UsedSchema> {
  return connected(url, async (client) => {
    await client.query(`CREATE SCHEMA "${name}"; ${all}`);
    return { name, rows, definition: await definitionOf(client, name) };
  });
}

/**
 * Replaces all rows of a used schema by its first rows.
 * @returns false if a test has changed more than rows
 */
export function renew(url: string, { name, rows, definition }: UsedSchema): Promise<boolean> {
  return connected(url, async (client) => {
    if ((await definitionOf(client, name)) !== definition) return false;
    // The first rows already contain what triggers write.
    await client.query(`SET session_replication_role = replica; ${truncate(name)} ${rows}`);
    return true;
  });
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
