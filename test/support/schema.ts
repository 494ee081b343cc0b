import type { Database } from '../../src/storage/index.ts';

/** Tables and indexes of SQLite in its own SQL, which it updates at each ALTER TABLE. */
const SQLITE = `
  SELECT sql AS line FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'schema_migration'
  ORDER BY tbl_name, type DESC, name`;

/**
 * The text of an object without what depends on how it came about: a column that was added later has other spaces, and a
 * renamed table has quotes.
 */
const normalized = (line: string) =>
  line
    .replaceAll(/"([a-z_]+)"/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),;]) ?/g, '$1')
    .replaceAll(/([,;)])/g, '$1 ')
    .replaceAll(/\) (?=[),;])/g, ')')
    .trim();

/** Schema of PostgreSQL in the form of the SQLite one, from the catalog: one line per column, constraint and index. */
const POSTGRES = `
  WITH tables AS (
    SELECT oid, relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'schema_migration'
  ), lines AS (
    SELECT name, 1 AS part, a.attnum AS place, concat_ws(' ',
      name || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
      (SELECT 'COLLATE ' || quote_ident(collname) FROM pg_collation c WHERE c.oid = a.attcollation AND collname <> 'default'),
      CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM tables JOIN pg_attribute a ON a.attrelid = tables.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    UNION ALL
    SELECT name, 2, 0, name || ' CONSTRAINT ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
    FROM tables JOIN pg_constraint c ON c.conrelid = tables.oid AND c.contype <> 'n'
    UNION ALL
    SELECT name, 3, 0, replace(pg_get_indexdef(i.indexrelid), current_schema() || '.', '')
    FROM tables JOIN pg_index i ON i.indrelid = tables.oid
    WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
    UNION ALL
    SELECT name, 4, 0, replace(pg_get_triggerdef(t.oid), current_schema() || '.', '')
    FROM tables JOIN pg_trigger t ON t.tgrelid = tables.oid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'function ' || proname, 5, 0, replace(pg_get_functiondef(p.oid), current_schema() || '.', '')
    FROM pg_proc p WHERE pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 'view ' || relname, 6, 0, 'VIEW ' || relname || ' AS ' || pg_get_viewdef(oid)
    FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v'
    UNION ALL
    SELECT 'sequence ' || relname, 7, 0, 'SEQUENCE ' || relname
    FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'
  )
  SELECT line FROM lines ORDER BY name, part, place, line COLLATE "C"`;

/**
 * Returns the schema of a database as text, to compare it with the expected one. Columns keep their order, because it
 * shows whether a table was created in one step or altered later.
 */
export async function describeSchema(database: Database): Promise<string> {
  const sql = database.dialect === 'sqlite' ? SQLITE : POSTGRES;
  const lines = await database.dynamic<{ line: string }>({ sql, parameters: [] });
  const text = database.dialect === 'sqlite' ? normalized : (line: string) => line.replaceAll(/\s+/g, ' ').trim();
  return lines.map(({ line }) => text(line)).join('\n');
}
