import { type Database, type SchemaSession, sql } from '../database.ts';
import { StorageError } from '../errors.ts';
import { compare, type MigrationStatus, prepareRecord, readApplied, record, recordBaselines } from './applied.ts';
import { COLUMN_TYPES, createIndex, type Index, type IndexMigration, type Migration } from './migration.ts';

export interface MigrateOptions {
  /** Called for each applied migration of existing tables; migrations that create new tables are not reported. */
  readonly applied?: (set: string, name: string) => void;
}

/**
 * Applies the pending migrations of one set: each in a transaction of its own (concurrent indexes each by itself),
 * recorded with a checksum of its text. One node does so while the others wait for it.
 * @returns migrations of a newer version that this one can work with
 * @throws StorageError if this version cannot work with changes of a newer one, an applied migration was changed, or a
 * migration fails
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
    // Another node may have applied them meanwhile.
    const now = compare(database, set, migrations, (await readApplied(session, set)) ?? []);
    const isNew = now.pending.length === migrations.length;
    for (const migration of now.pending) {
      await apply(session, set, migration);
      if (!isNew) applied?.(set, migration.name);
    }
    return now.ahead;
  });
}

/**
 * Records baselines in place of the migrations that they replace. It follows the migrations of all sets: if one of them
 * fails, the earlier version still works with the databases.
 */
export async function adoptBaselines(database: Database, set: string, migrations: readonly Migration[]): Promise<void> {
  if (!(await migrationStatus(database, set, migrations)).hasReplaced) return;
  await database.changeSchema((session) =>
    session.unit(async (queries) => {
      // Another node may have recorded them meanwhile.
      const { hasReplaced } = compare(database, set, migrations, (await readApplied(queries, set)) ?? []);
      if (hasReplaced) await recordBaselines(queries, set, migrations);
    }),
  );
}

/**
 * Compares a set with the database without a change.
 * @throws StorageError like `migrate`
 */
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
        'earlier migrations are applied. The previous version still works with the database',
      { cause },
    );
  }
}

async function applyIndexes(session: SchemaSession, set: string, migration: IndexMigration): Promise<void> {
  if (session.dialect === 'postgres') {
    for (const index of migration.indexes) await session.concurrently(() => buildBeside(session, index));
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

/**
 * Builds an index while others read and write (PostgreSQL). An invalid index of an interrupted build is dropped first.
 */
async function buildBeside(session: SchemaSession, index: Index): Promise<void> {
  if (await session.one(isInvalid, { name: index.name })) {
    await session.run(sql(`DROP INDEX CONCURRENTLY ${index.name}`), {});
  }
  await session.run(sql(createIndex(index, 'CONCURRENTLY IF NOT EXISTS')), {});
}
