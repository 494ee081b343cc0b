import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessMigrations } from '../src/access/index.ts';
import { prepareDatabases } from '../src/composition/index.ts';
import {
  adoptBaselines,
  createKeyring,
  type Database,
  type Dialect,
  migrate,
  migrationStatus,
} from '../src/storage/index.ts';
import { workspacesMigrations } from '../src/workspaces/index.ts';
import { databaseKinds, openTestDatabase, postgresUrl, type TestDatabase } from './support/databases.ts';
import { describeSchema } from './support/schema.ts';

const SETS = [
  ['access', accessMigrations],
  ['workspaces', workspacesMigrations],
] as const;

/** Creates the schema that version 0.2.0 created by its migrations, before baselines replaced them. */
async function createFormer({ place }: TestDatabase, kind: Dialect): Promise<void> {
  const script = readFileSync(`test/operations/upgrade/schemas/0091.${kind}.sql`, 'utf8');
  if (kind === 'sqlite') {
    const file = new DatabaseSync(place);
    file.exec(script);
    return file.close();
  }
  const client = new Client({ connectionString: postgresUrl, options: `-c search_path=${place}` });
  await client.connect();
  await client.query(script);
  await client.end();
}

/** Removes the last migration from the list. */
const makeOlder = (former: TestDatabase, kind: Dialect) =>
  changeRecord(former, kind, "DELETE FROM schema_migration WHERE name = '0091-invitation-links'");

async function changeRecord({ place, database }: TestDatabase, kind: Dialect, statement: string): Promise<void> {
  if (kind === 'postgres') return void (await database.dynamic({ sql: statement, parameters: [] }));
  const file = new DatabaseSync(place);
  file.exec(statement);
  file.close();
}

/** Prepares the databases as the server does at its start. */
async function prepare({ database }: TestDatabase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-schema-'));
  const keyring = await createKeyring({ file: join(folder, 'keyring.json') });
  rmSync(folder, { recursive: true });
  await prepareDatabases({ access: database, workspaces: database }, keyring);
}

async function migrateAll(database: Database): Promise<void> {
  for (const [set, migrations] of SETS) await migrate(database, set, migrations);
  for (const [set, migrations] of SETS) await adoptBaselines(database, set, migrations);
}

const applied = (database: Database) =>
  database.dynamic({
    sql: 'SELECT migration_set, name, checksum FROM schema_migration ORDER BY migration_set, name',
    parameters: [],
  });

describe.each(databaseKinds)('a schema that was created by the replaced migrations, on %s', (kind) => {
  let former: TestDatabase;
  let fresh: TestDatabase;

  beforeEach(async () => {
    former = await openTestDatabase(kind);
    fresh = await openTestDatabase(kind);
    await createFormer(former, kind);
  });

  afterEach(async () => {
    await former.close();
    await fresh.close();
  });

  it('becomes equal to a new one, with its columns in the same order, triggers and views', async () => {
    await migrateAll(former.database);
    await migrateAll(fresh.database);
    expect(await describeSchema(former.database)).toBe(await describeSchema(fresh.database));
    expect(await applied(former.database)).toEqual(await applied(fresh.database));
  });

  it('changes nothing if one of its sets is too old', async () => {
    await makeOlder(former, kind);
    const before = await applied(former.database);
    await expect(prepare(former)).rejects.toThrow('is too old for this version');
    expect(await applied(former.database)).toEqual(before);
  });

  it.each([
    ['access', '0002-crls', '0001-access'],
    ['workspaces', '0081-state-uses', '0003-state'],
  ])('changes nothing if the %s migration %s was another one', async (set, name, baseline) => {
    await changeRecord(former, kind, `UPDATE schema_migration SET checksum = 'other' WHERE name = '${name}'`);
    const before = await applied(former.database);
    await expect(prepare(former)).rejects.toThrow(`the ${set} baseline ${baseline} cannot replace the migrations`);
    expect(await applied(former.database)).toEqual(before);
  });

  it('lacks only what came later', async () => {
    const { pending } = await migrationStatus(former.database, 'workspaces', workspacesMigrations);
    expect(pending.map(({ name }) => name)).toEqual(['0092-rule-columns', '0093-invitation-uses']);
  });

  it('is refused if it is older', async () => {
    await makeOlder(former, kind);
    await expect(migrate(former.database, 'workspaces', workspacesMigrations)).rejects.toThrow(
      'the workspaces schema is too old for this version: it lacks the migration 0091-invitation-links. First start a build',
    );
  });
});
