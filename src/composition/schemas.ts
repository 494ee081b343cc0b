import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessMigrations } from '../access/index.ts';
import type { StorageConfig } from '../config/index.ts';
import {
  backgroundHolder,
  bindKeyring,
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

/** Where the schema of an installation stands, set by set. */
export interface SchemaStatus {
  readonly set: string;
  /** The last step that the database has of those that this version knows, and all that it lacks. */
  readonly last: string | undefined;
  readonly pending: readonly Migration[];
  /** What a newer version has applied, and this one can work with. */
  readonly ahead: readonly string[];
}

/** How a database gets the schema that is needed: it is brought there, or has it already. */
export type SchemaUse = 'migrate' | 'as it is';

interface MigrationSet {
  readonly set: string;
  readonly store: keyof Stores;
  readonly migrations: readonly Migration[];
}

const KEYRING = 'keyring';

/** In the order in which they are applied. */
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

/** @throws StorageError where this version cannot work with the database */
export async function schemaStatus(stores: Stores): Promise<SchemaStatus[]> {
  const standings: SchemaStatus[] = [];
  for (const { set, store, migrations } of setsOf(stores)) {
    const { pending, ahead } = await migrationStatus(stores[store], set, migrations);
    standings.push({ set, last: migrations[migrations.length - pending.length - 1]?.name, pending, ahead });
  }
  return standings;
}

/** How far the schema of one set has come, in numbers of steps: `52` of `0052-waiting`. */
export interface SchemaStep {
  readonly set: string;
  /** By this version. */
  readonly known: number;
  /** By the database. */
  readonly applied: number;
}

/** @throws StorageError where this version cannot work with the database */
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
 * Brings the schemas up to date, or sees to it that they are.
 * @returns what a newer version has applied, and this one can work with
 * @throws StorageError when they belong to another keyring, to a newer version, or are to be brought up to date first
 */
export async function prepareDatabases(
  stores: Stores,
  keyring: Keyring,
  use: SchemaUse = 'migrate',
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  if (use === 'as it is') await requireUpToDate(stores);
  else await requireNoOlderNode(stores);
  const ahead: string[] = [];
  for (const { set, store, migrations } of setsOf(stores)) {
    const names = await migrate(stores[store], set, migrations, options);
    ahead.push(...names.map((name) => `${set} ${name}`));
    // Before anything else is changed.
    if (set === KEYRING) await bindKeyring(stores[store], keyring);
  }
  return ahead;
}

/** The steps of each set of migrations, by name. */
type Steps = Readonly<Record<string, readonly string[]>>;

/**
 * Gives empty databases the schema of another time; sets that it did not have, whole.
 * @throws StorageError where it was that of a newer version
 */
export async function prepareAsOf(stores: Stores, schema: Steps): Promise<void> {
  for (const { set, store, migrations } of setsOf(stores)) {
    const names = schema[set] ?? migrations.map(({ name }) => name);
    const newer = names.find((name) => !migrations.some((migration) => migration.name === name));
    if (newer !== undefined)
      throw new StorageError(`the backup is of a newer version, which has the ${set} migration ${newer}: use that one`);
    await migrate(
      stores[store],
      set,
      migrations.filter(({ name }) => names.includes(name)),
    );
  }
}

/** Of what is pending, the steps with which versions that the database was made for cannot work. */
export function breakingSteps({ set, last = '', pending }: SchemaStatus): string[] {
  const breaking = pending.filter(({ name, compatibleFrom = name }) => last !== '' && compatibleFrom > last);
  return breaking.map(({ name }) => `${set} ${name}`);
}

/** Milliseconds for which nobody has to do background work to be sure that nobody is there: whoever is takes it over within a second. */
const SILENCE = 2_500;

/** Nodes of a version before, that still serve, are not to find tables with which they cannot work (PostgreSQL). */
async function requireNoOlderNode(stores: Stores): Promise<void> {
  if (stores.access.dialect === 'sqlite') return;
  const [breaking] = (await schemaStatus(stores)).flatMap(breakingSteps);
  if (breaking === undefined) return;
  const holder =
    (await backgroundHolder(stores.access)) ?? (await sleep(SILENCE).then(() => backgroundHolder(stores.access)));
  if (holder === undefined) return;
  throw new StorageError(
    `nodes of a version before serve on this database (${holder} is one), and cannot work with the migration ${breaking}: stop them all, ` +
      'then start this one. Nothing was changed',
  );
}

/** On what migrations were tried. */
export type TriedOn = 'a copy' | 'empty tables';

/**
 * Applies what is pending to a copy of each database (SQLite), or to tables like those of the database, without rows (PostgreSQL).
 * @throws StorageError when one of them cannot be applied
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

/** What a command does beside a server of an older version must not change the tables under it. */
async function requireUpToDate(stores: Stores): Promise<void> {
  const missing = (await schemaStatus(stores)).flatMap(({ set, pending }) =>
    pending.map(({ name }) => `${set} ${name}`),
  );
  const [first, ...others] = missing;
  if (first === undefined) return;
  throw new StorageError(
    `the database is older than this version: it lacks the migration ${first}${others.length > 0 ? ` and ${others.length} more` : ''}. ` +
      'Use the version that serves, or bring the database up to date with `lockkeeper migrate` or by starting the server',
  );
}
