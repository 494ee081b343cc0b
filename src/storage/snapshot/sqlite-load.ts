import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { type Load, quoted, type Row, type Table } from './snapshot.ts';
import { tablesOfSqlite } from './sqlite-snapshot.ts';

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

/** @param file an unused database with the tables of the backup */
export function loadSqlite(file: string): Load {
  return new SqliteLoad(new DatabaseSync(file, { enableForeignKeyConstraints: false }));
}

class SqliteLoad implements Load {
  readonly tables: readonly Table[];
  readonly #database: DatabaseSync;
  readonly #triggers: readonly Trigger[];
  readonly #inserts = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec('BEGIN');
    this.tables = tablesOfSqlite(database);
    const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
    this.#triggers = triggers.all() as unknown as Trigger[];
    for (const { name } of this.#triggers) database.exec(`DROP TRIGGER ${quoted(name)}`);
  }

  async empty(tables: readonly Table[]): Promise<void> {
    for (const { name } of tables) this.#database.exec(`DELETE FROM ${quoted(name)}`);
  }

  async insert(table: Table, rows: readonly Row[]): Promise<void> {
    const statement = this.#inserts.get(table.name) ?? this.#prepare(table);
    for (const row of rows) statement.run(...row);
  }

  async finish(): Promise<void> {
    for (const { sql } of this.#triggers) this.#database.exec(sql);
    const [broken] = this.#database.prepare('SELECT "table" AS name FROM pragma_foreign_key_check LIMIT 1').all();
    if (broken) throw new StorageError(`a row of ${broken.name} refers to a missing row`);
    this.#database.exec('COMMIT');
    this.#database.close();
  }

  async abandon(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare({ name, columns }: Table): StatementSync {
    const names = columns.map((column) => quoted(column.name)).join(', ');
    const values = columns.map(() => '?').join(', ');
    const statement = this.#database.prepare(`INSERT INTO ${quoted(name)} (${names}) VALUES (${values})`);
    this.#inserts.set(name, statement);
    return statement;
  }
}
