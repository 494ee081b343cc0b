import { createHash } from 'node:crypto';
import { type ColumnTypes, type Database, type Dialect, type Migration, sql } from './database.ts';
import { StorageError } from './errors.ts';

const COLUMN_TYPES: Readonly<Record<Dialect, ColumnTypes>> = {
  sqlite: { dialect: 'sqlite', integer: 'INTEGER', text: 'TEXT', blob: 'BLOB', tableOptions: 'STRICT' },
  postgres: { dialect: 'postgres', integer: 'BIGINT', text: 'TEXT COLLATE "C"', blob: 'BYTEA', tableOptions: '' },
};

interface Step {
  readonly name: string;
  readonly statements: readonly string[];
  readonly checksum: string;
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
}

const applied = sql<{ set: string }, Applied>(
  'SELECT name, checksum FROM schema_migration WHERE migration_set = :set ORDER BY name',
);

const record = sql<{ set: string; name: string; checksum: string; now: number }>(
  `INSERT INTO schema_migration (migration_set, name, checksum, applied_at) VALUES (:set, :name, :checksum, :now)`,
);

/**
 * Brings one set of tables up to date: each step in a transaction of its own, recorded with a checksum of its text.
 * Several nodes may do so at once.
 * @throws StorageError when the database was migrated by a newer version of us, or a step was changed after it was applied.
 */
export async function migrate(database: Database, set: string, migrations: readonly Migration[]): Promise<void> {
  const types = COLUMN_TYPES[database.dialect];
  const steps = migrations.map((migration) => stepOf(migration, types));
  await createRecord(database, types);
  assertInOrder(set, steps);
  for (const step of await pending(database, set, steps)) await apply(database, set, step);
}

function stepOf(migration: Migration, types: ColumnTypes): Step {
  const statements = migration.statements(types);
  const checksum = createHash('sha256').update(JSON.stringify(statements)).digest('hex');
  return { name: migration.name, statements, checksum };
}

function assertInOrder(set: string, steps: readonly Step[]): void {
  steps.reduce<string>((previous, { name }) => {
    if (name <= previous) throw new Error(`migrations of ${set}: ${name} must not come after ${previous}`);
    return name;
  }, '');
}

async function createRecord(database: Database, { text, integer, tableOptions }: ColumnTypes): Promise<void> {
  const create = sql(`CREATE TABLE IF NOT EXISTS schema_migration (
    migration_set ${text} NOT NULL,
    name ${text} NOT NULL,
    checksum ${text} NOT NULL,
    applied_at ${integer} NOT NULL,
    PRIMARY KEY (migration_set, name)
  ) ${tableOptions}`);
  try {
    await database.run(create, {});
  } catch (error) {
    // PostgreSQL looks whether the table exists before it waits for another node that is creating it, and then fails on what
    // that node has stored: the table's name, its type or its key. What it waited for may be there now.
    await database.all(applied, { set: '' }).catch(() => {
      throw error;
    });
  }
}

async function pending(database: Database, set: string, steps: readonly Step[]): Promise<readonly Step[]> {
  const done = await database.all(applied, { set });
  for (const [index, { name, checksum }] of done.entries()) {
    const step = steps[index];
    if (step?.name !== name) {
      throw new StorageError(
        `the database has the ${set} migration ${name}, which this version does not know: it was used by a newer version. ` +
          'Run that version, or restore a backup made before the upgrade',
      );
    }
    if (step.checksum !== checksum) {
      throw new StorageError(
        `the ${set} migration ${name} is not the one that was applied to this database: run a released version`,
      );
    }
  }
  return steps.slice(done.length);
}

async function apply(database: Database, set: string, step: Step): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      // First the record: another node that is at the same step waits here, and then fails on its key.
      await tx.run(record, { set, name: step.name, checksum: step.checksum, now: Date.now() });
      for (const statement of step.statements) await tx.run(sql(statement), {});
    });
  } catch (error) {
    const done = await database.all(applied, { set });
    if (!done.some(({ name, checksum }) => name === step.name && checksum === step.checksum)) throw error;
  }
}
