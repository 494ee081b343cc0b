import { expect, test } from 'vitest';
import { type Database, sql } from '../../../src/storage/index.ts';
import { postgresUrl } from '../databases.ts';
import { openMigrated } from '../migrated-databases.ts';

const migrations = sql<Record<string, never>, object>('SELECT * FROM schema_migration ORDER BY migration_set, name');
const counters = sql<Record<string, never>, object>('SELECT * FROM change_counter ORDER BY topic');
const rowsOf = (database: Database) => Promise.all([migrations, counters].map((query) => database.all(query, {})));

test.skipIf(postgresUrl === undefined)(
  'a test that uses the schema of an earlier test finds only its first rows',
  async () => {
    const first = await openMigrated('postgres', 'access');
    const before = await rowsOf(first.database);
    await first.database.run(sql('INSERT INTO write_check (id, written_at) VALUES (1, 5)'), {});
    await first.database.run(sql('UPDATE change_counter SET version = 7'), {});
    await first.close();
    const second = await openMigrated('postgres', 'access');
    expect(second.place).toBe(first.place);
    expect(await rowsOf(second.database)).toEqual(before);
    expect(await second.database.all(sql('SELECT id FROM write_check'), {})).toEqual([]);
    await second.close();
  },
);

test
  .skipIf(postgresUrl === undefined)
  .each([
    'ALTER TABLE write_check ADD COLUMN note text',
    'ALTER TABLE write_check ALTER COLUMN written_at DROP NOT NULL',
    'ALTER TABLE write_check DROP CONSTRAINT write_check_id_check',
    'ALTER TABLE role DISABLE TRIGGER role_insert_policy_use',
    'CREATE INDEX other ON write_check (written_at)',
    'CREATE TABLE other (id bigint)',
    'DROP TABLE write_check',
    "CREATE OR REPLACE FUNCTION role_delete_policy_use() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
  ])('no test uses a schema after %s', async (change) => {
  const first = await openMigrated('postgres', 'access');
  await first.database.run(sql(change), {});
  await first.close();
  const second = await openMigrated('postgres', 'access');
  expect(second.place).not.toBe(first.place);
  await second.close();
});
