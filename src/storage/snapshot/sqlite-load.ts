import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { type Load, quoted, type Table } from './snapshot.ts';
import { tablesOfSqlite } from './sqlite-snapshot.ts';

/** @param file a database that has its schema, and that nobody uses */
export function loadSqlite(file: string): Load {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec('BEGIN');
  const tables = tablesOfSqlite(database);
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all() as unknown as Trigger[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${quoted(name)}`);
  const statements = new Map<string, StatementSync>();
  return {
    tables,
    insert: async (table, rows) => {
      const statement = statements.get(table.name) ?? prepare(database, table);
      statements.set(table.name, statement);
      for (const row of rows) statement.run(...row);
    },
    finish: async () => {
      for (const { sql } of triggers) database.exec(sql);
      const [broken] = database.prepare('SELECT "table" AS name FROM pragma_foreign_key_check LIMIT 1').all();
      if (broken) {
        database.close();
        throw new StorageError(`a row of ${(broken as { name: string }).name} refers to one that is not there`);
      }
      database.exec('COMMIT');
      database.close();
    },
    abandon: async () => database.close(),
  };
}

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

/** What migrations have put there goes: it is among the rows. */
function prepare(database: DatabaseSync, { name, columns }: Table): StatementSync {
  database.exec(`DELETE FROM ${quoted(name)}`);
  const names = columns.map((column) => quoted(column.name)).join(', ');
  return database.prepare(`INSERT INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
}
