import { type Database, FileBlobs, sql } from '../../../../src/storage/index.ts';

/** Blobs that survive a deletion, because `keepRows` restores the rows that refer to them. */
export class LastingBlobs extends FileBlobs {
  override async delete(): Promise<void> {}
}

/** Triggers write its rows while other tables are filled. */
const WRITTEN_BY_TRIGGERS = 'organization_turn';

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
  const clearOf = (name: string) => sql(`DELETE FROM ${name}`);
  const fillOf = (name: string) => sql(`INSERT INTO ${name} SELECT * FROM kept_${name}`);
  const clear = tables.map(({ name }) => clearOf(name));
  const fill = tables.filter(({ name }) => name !== WRITTEN_BY_TRIGGERS).map(({ name }) => fillOf(name));
  const again = [clearOf(WRITTEN_BY_TRIGGERS), fillOf(WRITTEN_BY_TRIGGERS)];
  return () =>
    database.transaction(async (tx) => {
      // As a dynamic query it is not a change of the schema, after which all statements are prepared again.
      await tx.dynamic({ sql: 'PRAGMA defer_foreign_keys = ON', parameters: [] });
      for (const statement of [...clear, ...fill, ...again]) await tx.run(statement, {});
    });
}
