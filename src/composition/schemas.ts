import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessMigrations } from '../access/index.ts';
import type { StorageConfig } from '../config/index.ts';
import {
  adoptBaselines,
  backgroundHolder,
  bindKeyring,
  currentNames,
  type Keyring,
  keyringMigrations,
  type MigrateOptions,
  type Migration,
  migrate,
  migrationStatus,
  onCopy,
  onEmptySchema,
  postgresMigrations,
  StorageError,
} from '../storage/index.ts';
import { workspacesMigrations } from '../workspaces/index.ts';
import type { Stores } from './databases.ts';

/** Schema status of a server, by migration set. */
export interface SchemaStatus {
  readonly set: string;
  /** The last applied migration that this version knows, and the pending ones. */
  readonly last: string | undefined;
  readonly pending: readonly Migration[];
  /** Migrations of a newer version that are compatible with this one. */
  readonly ahead: readonly string[];
}

/** Treatment of the schema: migrate it, or require it to be current. */
export type SchemaUse = 'migrate' | 'as it is';

interface MigrationSet {
  readonly set: string;
  readonly store: keyof Stores;
  readonly migrations: readonly Migration[];
}

const KEYRING = 'keyring';

/** Migration sets, in the order of application. */
function setsOf({ access, workspaces }: Stores): MigrationSet[] {
  const stores: (keyof Stores)[] = access === workspaces ? ['access'] : ['access', 'workspaces'];
  return [
    ...stores.map((store) => ({ set: KEYRING, store, migrations: keyringMigrations })),
    ...(access.dialect === 'postgres'
      ? [{ set: 'storage', store: 'access', migrations: postgresMigrations } as const]
      : []),
    { set: 'access', store: 'access', migrations: accessMigrations },
    { set: 'workspaces', store: 'workspaces', migrations: workspacesMigrations },
  ];
}

/** @throws StorageError if this version is not compatible with the database */
export async function schemaStatus(stores: Stores): Promise<SchemaStatus[]> {
  const standings: SchemaStatus[] = [];
  for (const { set, store, migrations } of setsOf(stores)) {
    const { pending, ahead } = await migrationStatus(stores[store], set, migrations);
    standings.push({ set, last: migrations[migrations.length - pending.length - 1]?.name, pending, ahead });
  }
  return standings;
}

/** Progress of one migration set, as migration numbers: `52` of `0052-waiting`. */
export interface SchemaStep {
  readonly set: string;
  /** Number that this version knows. */
  readonly known: number;
  /** Number that the database has. */
  readonly applied: number;
}

/** @throws StorageError if this version is not compatible with the database */
export async function schemaSteps(stores: Stores): Promise<SchemaStep[]> {
  const known = setsOf(stores).filter(({ set, store }) => set !== KEYRING || store === 'access');
  return (await schemaStatus(stores)).flatMap(({ set, last, ahead }) => {
    const own = known.find((one) => one.set === set);
    if (own === undefined) return [];
    known.splice(known.indexOf(own), 1);
    return [{ set, known: numberOf(own.migrations.at(-1)?.name), applied: numberOf(ahead.at(-1) ?? last) }];
  });
}

const numberOf = (name = ''): number => Number.parseInt(name, 10) || 0;

/**
 * Migrates the schemas, or checks that they are current.
 * @returns compatible migrations of a newer version
 * @throws StorageError if they belong to another keyring or an incompatible newer version, or must be migrated first
 */
export async function prepareDatabases(
  stores: Stores,
  keyring: Keyring,
  use: SchemaUse = 'migrate',
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  // All sets are checked before the first one changes.
  if (use === 'as it is') await requireUpToDate(stores);
  else await requireMigratable(stores);
  const ahead: string[] = [];
  for (const { set, store, migrations } of setsOf(stores)) {
    const names = await migrate(stores[store], set, migrations, options);
    ahead.push(...names.map((name) => `${set} ${name}`));
    // Checked before any change.
    if (set === KEYRING) await bindKeyring(stores[store], keyring);
  }
  if (use === 'migrate')
    for (const { set, store, migrations } of setsOf(stores)) await adoptBaselines(stores[store], set, migrations);
  return ahead;
}

/** Names of the migrations of each set. */
type Steps = Readonly<Record<string, readonly string[]>>;

/**
 * Creates the schema of an earlier version in empty databases. Sets that it did not have are created completely.
 * @throws StorageError for a schema of a newer version, or of one that is too old for this version
 */
export async function prepareAsOf(stores: Stores, schema: Steps): Promise<void> {
  for (const { set, store, migrations } of setsOf(stores)) {
    const names = schema[set] ? currentNames(set, migrations, schema[set]) : migrations.map(({ name }) => name);
    const newer = names.find((name) => !migrations.some((migration) => migration.name === name));
    if (newer !== undefined)
      throw new StorageError(
        `the backup is from a newer version, which has the ${set} migration ${newer}: use that one`,
      );
    await migrate(
      stores[store],
      set,
      migrations.filter(({ name }) => names.includes(name)),
    );
  }
}

/** Returns pending migrations that are incompatible with versions already using the database. */
export function breakingSteps({ set, last = '', pending }: SchemaStatus): string[] {
  const breaking = pending.filter(({ name, compatibleFrom = name }) => last !== '' && compatibleFrom > last);
  return breaking.map(({ name }) => `${set} ${name}`);
}

/** Time without a leader after which no node is running, milliseconds. A running node takes the lease within a second. */
const SILENCE = 2_500;

/**
 * Refuses databases that this version cannot migrate, and incompatible migrations while nodes of an earlier version are
 * running (PostgreSQL).
 */
async function requireMigratable(stores: Stores): Promise<void> {
  const [breaking] = (await schemaStatus(stores)).flatMap(breakingSteps);
  if (breaking === undefined || stores.access.dialect === 'sqlite') return;
  const holder =
    (await backgroundHolder(stores.access)) ?? (await sleep(SILENCE).then(() => backgroundHolder(stores.access)));
  if (holder === undefined) return;
  throw new StorageError(
    `nodes of an earlier version are running on this database (${holder} is one) and are not compatible with the migration ${breaking}. Stop them all, ` +
      'then start this version. Nothing was changed',
  );
}

/** Kind of database that the migrations were tested on. */
export type TriedOn = 'a copy' | 'empty tables';

/**
 * Applies pending migrations to a copy of each database (SQLite), or to empty tables with the same schema (PostgreSQL).
 * @throws StorageError if a migration fails
 */
export async function tryMigrations(storage: StorageConfig, stores: Stores): Promise<TriedOn> {
  if (storage.type === 'sqlite') {
    for (const store of ['access', 'workspaces'] as const) {
      await onCopy(join(storage.directory, `${store}.db`), async (copy) => {
        for (const { set, migrations } of setsOf(stores).filter((one) => one.store === store))
          await migrate(copy, set, migrations);
      });
    }
    return 'a copy';
  }
  const pending = new Set((await schemaStatus(stores)).flatMap((standing) => standing.pending));
  const sets = setsOf(stores);
  await onEmptySchema(storage.url, async (empty) => {
    for (const { set, migrations } of sets)
      await migrate(
        empty,
        set,
        migrations.filter((one) => !pending.has(one)),
      );
    for (const { set, migrations } of sets) await migrate(empty, set, migrations);
  });
  return 'empty tables';
}

/** Commands must not migrate the schema under a running server of an older version. */
async function requireUpToDate(stores: Stores): Promise<void> {
  const missing = (await schemaStatus(stores)).flatMap(({ set, pending }) =>
    pending.map(({ name }) => `${set} ${name}`),
  );
  const [first, ...others] = missing;
  if (first === undefined) return;
  throw new StorageError(
    `the database schema is older than this version: it lacks the migration ${first}${others.length > 0 ? ` and ${others.length} more` : ''}. ` +
      "Use the version of the running server, or migrate the database with `lockkeeper migrate` or by starting this version's server",
  );
}
