import { type Database, FileBlobs, sql } from '../../../../src/storage/index.ts';

/** Blobs that survive a deletion, because `keepRows` restores the rows that refer to them. */
export class LastingBlobs extends FileBlobs {
  override async delete(): Promise<void> {}
}

/**
 * Remembers the rows of all tables on SQLite, except a clock and a journal, which continue. The returned function
 * restores them, which is faster than creating them again.
 */
export async function keepRows(database: Database): Promise<() => Promise<void>> {
  const tables = await database.all(
    sql<Record<string, never>, { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('workspace_clock', 'change')`,
    ),
    {},
  );
  for (const { name } of tables) await database.run(sql(`CREATE TABLE kept_${name} AS SELECT * FROM ${name}`), {});
  const clear = tables.map(({ name }) => sql(`DELETE FROM ${name}`));
  const fill = tables.map(({ name }) => sql(`INSERT INTO ${name} SELECT * FROM kept_${name}`));
  return () =>
    database.transaction(async (tx) => {
      // As a dynamic query it is not a change of the schema, after which all statements are prepared again.
      await tx.dynamic({ sql: 'PRAGMA defer_foreign_keys = ON', parameters: [] });
      for (const statement of [...clear, ...fill]) await tx.run(statement, {});
    });
}
