import { type Database, type SchemaSession, sql } from '../database.ts';
import { StorageError } from '../errors.ts';
import { compare, type MigrationStatus, prepareRecord, readApplied, record } from './applied.ts';
import { COLUMN_TYPES, createIndex, type Index, type IndexMigration, type Migration } from './migration.ts';

export interface MigrateOptions {
  /** Told of each step that is stored in tables that were there before; new ones are nothing to tell. */
  readonly applied?: (set: string, name: string) => void;
}

/**
 * Brings one set of tables up to date: each step in a transaction of its own (indexes each by itself), recorded with a checksum
 * of its text. Of several nodes one does so, and the others wait for it.
 * @returns what a newer version has applied beyond that, and this one can work with
 * @throws StorageError when this version cannot work with what a newer one has made of the database, a step was changed after it
 *   was applied, or one cannot be applied.
 */
export async function migrate(
  database: Database,
  set: string,
  migrations: readonly Migration[],
  { applied }: MigrateOptions = {},
): Promise<readonly string[]> {
  const { pending, ahead } = await migrationStatus(database, set, migrations);
  if (pending.length === 0) return ahead;
  return database.changeSchema(async (session) => {
    await prepareRecord(session);
    // Another node may have been quicker.
    const now = compare(database, set, migrations, (await readApplied(session, set)) ?? []);
    const isNew = now.pending.length === migrations.length;
    for (const migration of now.pending) {
      await apply(session, set, migration);
      if (!isNew) applied?.(set, migration.name);
    }
    return now.ahead;
  });
}

/** What the database has of one set, and lacks; nothing is changed. @throws StorageError as `migrate` does */
export async function migrationStatus(
  database: Database,
  set: string,
  migrations: readonly Migration[],
): Promise<MigrationStatus> {
  requireOrder(set, migrations);
  return compare(database, set, migrations, await readApplied(database, set));
}

function requireOrder(set: string, migrations: readonly Migration[]): void {
  migrations.reduce<string>((previous, { name }) => {
    if (name <= previous) throw new Error(`migrations of ${set}: ${name} must not come after ${previous}`);
    return name;
  }, '');
}

async function apply(session: SchemaSession, set: string, migration: Migration): Promise<void> {
  try {
    if ('indexes' in migration) await applyIndexes(session, set, migration);
    else
      await session.unit(async (queries) => {
        for (const statement of migration.statements(COLUMN_TYPES[session.dialect]))
          await queries.run(sql(statement), {});
        await record(queries, set, migration);
      });
  } catch (cause) {
    throw new StorageError(
      `the ${set} migration ${migration.name} could not be applied: ${(cause as Error).message}. Nothing of it is stored; ` +
        'those before it are. The version before goes on working with the database',
      { cause },
    );
  }
}

async function applyIndexes(session: SchemaSession, set: string, migration: IndexMigration): Promise<void> {
  if (session.dialect === 'postgres') {
    for (const index of migration.indexes) await buildBeside(session, index);
    await record(session, set, migration);
  } else {
    await session.unit(async (queries) => {
      for (const index of migration.indexes) await queries.run(sql(createIndex(index)), {});
      await record(queries, set, migration);
    });
  }
}

const isInvalid = sql<{ name: string }, { name: string }>(
  `SELECT relname::text AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
   WHERE relname = :name AND relnamespace = current_schema()::regnamespace AND NOT indisvalid`,
);

/** Others read and write meanwhile (PostgreSQL). What is left of one that was interrupted is never used, and goes first. */
async function buildBeside(session: SchemaSession, index: Index): Promise<void> {
  if (await session.one(isInvalid, { name: index.name })) {
    await session.run(sql(`DROP INDEX CONCURRENTLY ${index.name}`), {});
  }
  await session.run(sql(createIndex(index, 'CONCURRENTLY IF NOT EXISTS')), {});
}
