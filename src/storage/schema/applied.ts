import { createHash } from 'node:crypto';
import { type Database, type Queries, type SchemaSession, sql } from '../database.ts';
import { StorageError } from '../errors.ts';
import { COLUMN_TYPES, createIndex, type Migration } from './migration.ts';

/** An applied migration. */
export interface Applied {
  readonly name: string;
  readonly checksum: string;
  /** Value of the field when the migration was applied. */
  readonly compatibleFrom: string | null;
}

const COLUMNS = {
  sqlite: sql<Record<string, never>, { name: string }>("SELECT name FROM pragma_table_info('schema_migration')"),
  postgres: sql<Record<string, never>, { name: string }>(
    `SELECT column_name::text AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'schema_migration'`,
  ),
};
const allOf = sql<{ set: string }, Applied>(
  `SELECT name, checksum, compatible_from AS "compatibleFrom" FROM schema_migration WHERE migration_set = :set ORDER BY name`,
);
/** For databases of older versions, which did not store `compatible_from`. */
const allBefore = sql<{ set: string }, Applied>(
  `SELECT name, checksum, NULL AS "compatibleFrom" FROM schema_migration WHERE migration_set = :set ORDER BY name`,
);
const insert = sql<{ set: string; name: string; checksum: string; compatibleFrom: string | null; now: number }>(
  `INSERT INTO schema_migration (migration_set, name, checksum, compatible_from, applied_at)
   VALUES (:set, :name, :checksum, :compatibleFrom, :now)`,
);

/** Returns the applied migrations of one set in their order. */
export async function readApplied(queries: Queries, set: string): Promise<readonly Applied[]> {
  const columns = await columnsOf(queries);
  if (columns.length === 0) return [];
  return queries.all(columns.includes('compatible_from') ? allOf : allBefore, { set });
}

async function columnsOf(queries: Queries): Promise<string[]> {
  return (await queries.all(COLUMNS[queries.dialect], {})).map(({ name }) => name);
}

export function record(queries: Queries, set: string, migration: Migration): Promise<number> {
  const { name, compatibleFrom = null } = migration;
  const checksum = checksumOf(migration, queries.dialect);
  return queries.run(insert, { set, name, checksum, compatibleFrom, now: Date.now() });
}

/** Creates or updates the table of applied migrations. */
export async function prepareRecord(session: SchemaSession): Promise<void> {
  const { text, integer, tableOptions } = COLUMN_TYPES[session.dialect];
  const columns = await columnsOf(session);
  if (columns.includes('compatible_from')) return;
  const change =
    columns.length > 0
      ? `ALTER TABLE schema_migration ADD COLUMN compatible_from ${text}`
      : `CREATE TABLE schema_migration (
          migration_set ${text} NOT NULL,
          name ${text} NOT NULL,
          checksum ${text} NOT NULL,
          applied_at ${integer} NOT NULL,
          compatible_from ${text},
          PRIMARY KEY (migration_set, name)
        ) ${tableOptions}`;
  await session.run(sql(change), {});
}

const remove = sql<{ set: string; name: string }>(
  'DELETE FROM schema_migration WHERE migration_set = :set AND name = :name',
);

/**
 * Replaces the applied migrations of earlier versions by the baselines that sum them up. The tables are the same, so
 * nothing else changes.
 */
export async function recordBaselines(queries: Queries, set: string, migrations: readonly Migration[]): Promise<void> {
  for (const baseline of migrations.filter(({ replaces = [] }) => replaces.length > 0)) {
    for (const name of baseline.replaces ?? []) await queries.run(remove, { set, name });
    await record(queries, set, baseline);
  }
}

function requireReplaced(set: string, replaced: ReadonlySet<string>, applied: readonly string[]): void {
  const missing = [...replaced].filter((name) => !applied.includes(name)).toSorted();
  if (missing.length === 0) return;
  throw new StorageError(
    `the ${set} schema is too old for this version: it lacks the migration ${missing[0]}. ` +
      `First start a build whose last ${set} migration is ${[...replaced].toSorted().at(-1)} (it also restores backups of ` +
      'older builds), then this version',
  );
}

/**
 * Returns the names that applied migrations have in this version: baselines replace the migrations of earlier versions.
 * @throws StorageError if some of the replaced migrations are missing
 */
export function currentNames(
  set: string,
  migrations: readonly Migration[],
  names: readonly string[],
): readonly string[] {
  const baselines = migrations.filter(({ replaces = [] }) => replaces.length > 0);
  const replaced = new Set(baselines.flatMap(({ replaces = [] }) => replaces));
  if (!names.some((name) => replaced.has(name))) return names;
  requireReplaced(set, replaced, names);
  return [...baselines.map(({ name }) => name), ...names.filter((name) => !replaced.has(name))];
}

/** Difference between a program and a database. */
export interface MigrationStatus {
  /** Migrations that the database lacks, in their order. */
  readonly pending: readonly Migration[];
  /** Migrations of a newer version that this version can work with. */
  readonly ahead: readonly string[];
  /** Whether the database has migrations of earlier versions that baselines replace. */
  readonly hasReplaced: boolean;
}

/**
 * @throws StorageError if this version cannot work with the database: a newer one has changed it, or an applied
 * migration differs
 */
export function compare(
  database: Pick<Database, 'dialect'>,
  set: string,
  migrations: readonly Migration[],
  stored: readonly Applied[],
): MigrationStatus {
  const replaced = new Set(migrations.flatMap(({ replaces = [] }) => replaces));
  const hasReplaced = stored.some(({ name }) => replaced.has(name));
  const names = currentNames(
    set,
    migrations,
    stored.map(({ name }) => name),
  );
  if (hasReplaced) requireSameReplaced(set, migrations, stored, database);
  const applied = names.map((name) => {
    const own = migrations.find((migration) => migration.name === name && migration.replaces);
    const found = stored.find((one) => one.name === name);
    return found ?? { name, checksum: own ? checksumOf(own, database.dialect) : '', compatibleFrom: null };
  });
  const newest = migrations.at(-1)?.name ?? '';
  for (const [index, { name, checksum, compatibleFrom }] of applied.entries()) {
    const own = migrations[index];
    if (own?.name === name) requireSame(set, own, checksum, database);
    else if (own !== undefined || compatibleFrom === null || compatibleFrom > newest) throw tooNew(set, name);
  }
  const ahead = applied.slice(migrations.length).map(({ name }) => name);
  return { pending: migrations.slice(applied.length), ahead, hasReplaced };
}

function requireSame(set: string, own: Migration, checksum: string, { dialect }: Pick<Database, 'dialect'>): void {
  if (checksumOf(own, dialect) === checksum) return;
  throw new StorageError(
    `the ${set} migration ${own.name} is not the one that was applied to this database: run a released version`,
  );
}

/** The tables of a baseline are those of the replaced migrations only if each of them is the released one. */
function requireSameReplaced(
  set: string,
  migrations: readonly Migration[],
  stored: readonly Applied[],
  { dialect }: Pick<Database, 'dialect'>,
): void {
  for (const { name: baseline, replaces = [], replacedChecksum } of migrations) {
    if (replacedChecksum === undefined) continue;
    const replaced = stored
      .filter(({ name }) => replaces.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const lines = replaced.map(({ name, checksum }) => `${name} ${checksum}\n`);
    if (sha256(lines.join('')) === replacedChecksum[dialect]) continue;
    throw new StorageError(
      `the ${set} baseline ${baseline} cannot replace the migrations of this database: at least one of ${replaces[0]} to ` +
        `${replaces.at(-1)} is not the released one, so the tables may differ. Nothing was changed. Run the version that ` +
        'created the database, or restore a backup of a released version',
    );
  }
}

function tooNew(set: string, name: string): StorageError {
  return new StorageError(
    `the database has the ${set} migration ${name}, with which this version cannot work: it was used by a newer version. ` +
      'Run that version, or restore a backup made before the upgrade',
  );
}

function checksumOf(migration: Migration, dialect: Database['dialect']): string {
  const texts =
    'indexes' in migration
      ? migration.indexes.map((index) => createIndex(index))
      : migration.statements(COLUMN_TYPES[dialect]);
  return sha256(JSON.stringify(texts));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
