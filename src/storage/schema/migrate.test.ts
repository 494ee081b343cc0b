import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, postgresUrl, type TestDatabase } from '../../../test/support/databases.ts';
import { describeSchema } from '../../../test/support/schema.ts';
import { type Dialect, sql } from '../database.ts';
import { migrate, migrationStatus } from './migrate.ts';
import type { ColumnTypes, Migration } from './migration.ts';

const dog: Migration = {
  name: '0001-dog',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE dog (
       name ${text} PRIMARY KEY,
       age ${integer} NOT NULL DEFAULT 0 CHECK (age >= 0)
     ) ${tableOptions}`,
  ],
};
const collar: Migration = {
  name: '0002-collar',
  statements: ({ text, blob }) => [
    `ALTER TABLE dog ADD COLUMN collar ${text}`,
    `ALTER TABLE dog ADD COLUMN portrait ${blob}`,
    `CREATE UNIQUE INDEX dog_collar ON dog (collar) WHERE collar IS NOT NULL`,
  ],
};

const SCHEMAS: Record<Dialect, string> = {
  sqlite: [
    'CREATE TABLE dog(name TEXT PRIMARY KEY, age INTEGER NOT NULL DEFAULT 0 CHECK(age >= 0), collar TEXT, portrait BLOB) STRICT',
    'CREATE UNIQUE INDEX dog_collar ON dog(collar) WHERE collar IS NOT NULL',
  ].join('\n'),
  postgres: [
    'dog.name text COLLATE "C" NOT NULL',
    'dog.age bigint NOT NULL DEFAULT 0',
    'dog.collar text COLLATE "C"',
    'dog.portrait bytea',
    'dog CONSTRAINT dog_age_check CHECK ((age >= 0))',
    'dog CONSTRAINT dog_pkey PRIMARY KEY (name)',
    'CREATE UNIQUE INDEX dog_collar ON dog USING btree (collar) WHERE (collar IS NOT NULL)',
  ].join('\n'),
};

describe.each(databaseKinds)('migrations on %s', (kind) => {
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase(kind);
  });

  afterEach(() => opened.close());

  it('create a new schema as their sum', async () => {
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  it('continue where an earlier version stopped', async () => {
    await migrate(opened.database, 'dogs', [dog]);
    await migrate(opened.database, 'dogs', [dog, collar]);
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  it('of several sets are independent', async () => {
    const cat = { name: '0001-dog', statements: ({ text }: ColumnTypes) => [`CREATE TABLE cat (name ${text})`] };
    await migrate(opened.database, 'dogs', [dog]);
    await migrate(opened.database, 'cats', [cat]);
    expect(await describeSchema(opened.database)).toMatch(/cat(.|\n)*dog/);
  });

  it('refuse a database that a newer version has used', async () => {
    await migrate(opened.database, 'dogs', [dog, collar]);
    await expect(migrate(opened.database, 'dogs', [dog])).rejects.toThrow(
      'the database has the dogs migration 0002-collar, with which this version cannot work',
    );
  });

  it('accept additions of a newer version that are declared compatible, and refuse removals', async () => {
    const tail = { name: '0003-tail', compatibleFrom: '0001-dog', indexes: [{ name: 'dog_age', on: 'dog (age)' }] };
    const added = { ...collar, compatibleFrom: '0001-dog' };
    await migrate(opened.database, 'dogs', [dog, added, tail]);
    const schema = await describeSchema(opened.database);
    expect(await migrate(opened.database, 'dogs', [dog])).toEqual(['0002-collar', '0003-tail']);
    expect(await migrationStatus(opened.database, 'dogs', [dog])).toEqual({
      pending: [],
      ahead: ['0002-collar', '0003-tail'],
      hasReplaced: false,
    });
    expect(await describeSchema(opened.database)).toBe(schema);

    const without = {
      name: '0004-no-portrait',
      compatibleFrom: '0002-collar',
      statements: () => ['ALTER TABLE dog DROP COLUMN portrait'],
    };
    await migrate(opened.database, 'dogs', [dog, added, tail, without]);
    expect(await migrate(opened.database, 'dogs', [dog, added])).toEqual(['0003-tail', '0004-no-portrait']);
    await expect(migrate(opened.database, 'dogs', [dog])).rejects.toThrow('0004-no-portrait, with which this version');
  });

  it('continue where a version stopped that did not store compatibility', async () => {
    await migrate(opened.database, 'dogs', [dog]);
    await opened.database.run(sql('ALTER TABLE schema_migration DROP COLUMN compatible_from'), {});
    expect(await migrationStatus(opened.database, 'dogs', [dog, collar])).toEqual({
      pending: [collar],
      ahead: [],
      hasReplaced: false,
    });
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  it('report the migrations of existing tables', async () => {
    const seen: string[] = [];
    const applied = (set: string, name: string) => seen.push(`${set} ${name}`);
    await migrate(opened.database, 'dogs', [dog], { applied });
    expect(seen).toEqual([]);
    await migrate(opened.database, 'dogs', [dog, collar], { applied });
    await migrate(opened.database, 'dogs', [dog, collar], { applied });
    expect(seen).toEqual(['dogs 0002-collar']);
  });

  it('refuse a migration that was changed after it was applied', async () => {
    await migrate(opened.database, 'dogs', [dog]);
    const changed = { ...dog, statements: (types: ColumnTypes) => [...dog.statements(types), 'SELECT 1'] };
    await expect(migrate(opened.database, 'dogs', [changed])).rejects.toThrow(
      '0001-dog is not the one that was applied',
    );
  });

  it('refuse another order than that of their names', async () => {
    await expect(migrate(opened.database, 'dogs', [collar, dog])).rejects.toThrow(
      '0001-dog must not come after 0002-collar',
    );
  });

  it('store nothing of a failed migration, and try it again next time', async () => {
    const broken = {
      ...collar,
      statements: (types: ColumnTypes) => [...collar.statements(types), 'CREATE TABLE dog (a TEXT)'],
    };
    await expect(migrate(opened.database, 'dogs', [dog, broken])).rejects.toThrow('already exists');
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  // The server's scheduling decides the order, so on a server with several connections the test runs often.
  it('are applied once if several nodes start together', {
    repeats: postgresUrl === undefined ? 0 : 30,
  }, async () => {
    await Promise.all([1, 2, 3, 4].map(() => migrate(opened.database, 'dogs', [dog, collar])));
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
    const count = sql<Record<string, never>, { count: number }>('SELECT count(*) AS count FROM schema_migration');
    expect((await opened.database.one(count, {}))?.count).toBe(2);
  });
});

describe.skipIf(postgresUrl === undefined)('a concurrent index build, on PostgreSQL', () => {
  const byAge: Migration = { name: '0003-by-age', indexes: [{ name: 'dog_age', unique: true, on: 'dog (age)' }] };
  const insertDog = sql<{ name: string; age: number }>('INSERT INTO dog (name, age) VALUES (:name, :age)');
  const pause = sql<Record<string, never>, unknown>('SELECT 1 FROM dog WHERE pg_sleep(0.01) IS NOT NULL');
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase('postgres');
    await migrate(opened.database, 'dogs', [dog, collar]);
  });

  afterEach(() => opened.close());

  it('rebuilds an invalid index', async () => {
    await opened.database.run(insertDog, { name: 'Argos', age: 20 });
    await opened.database.run(insertDog, { name: 'Laika', age: 20 });
    await expect(migrate(opened.database, 'dogs', [dog, collar, byAge])).rejects.toThrow(
      /0003-by-age could not be applied: .*Nothing of it is stored/,
    );
    expect((await migrationStatus(opened.database, 'dogs', [dog, collar, byAge])).pending).toEqual([byAge]);
    await opened.database.run(sql("DELETE FROM dog WHERE name = 'Laika'"), {});
    await migrate(opened.database, 'dogs', [dog, collar, byAge]);
    await expect(opened.database.run(insertDog, { name: 'Laika', age: 20 })).rejects.toThrow('dog_age');
  });

  it('waits for an older transaction longer than the lock timeout of other migrations', async () => {
    const other = new Client({ connectionString: postgresUrl });
    await other.connect();
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
    const building = migrate(opened.database, 'dogs', [dog, collar, byAge]);
    const waiting = sql<Record<string, never>, unknown>(
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%CONCURRENTLY%dog_age%' AND wait_event = 'virtualxid'",
    );
    await expect.poll(async () => (await opened.database.all(waiting, {})).length).toBe(1);
    await other.query('SELECT pg_sleep(3.5)');
    await other.query('COMMIT');
    await building;
    await other.end();
  });

  it('lets others write meanwhile, and nodes that build it wait for one another', async () => {
    let isBuilt = false;
    const building = Promise.all([1, 2, 3].map(() => migrate(opened.database, 'dogs', [dog, collar, byAge]))).finally(
      () => {
        isBuilt = true;
      },
    );
    let age = 0;
    while (!isBuilt) {
      await opened.database.run(insertDog, { name: `dog ${age}`, age: age++ });
      await opened.database.all(pause, {});
      if (age > 200) break;
    }
    await building;
    await expect(opened.database.run(insertDog, { name: 'Argos', age: 0 })).rejects.toThrow('dog_age');
  });
});

/** A session that holds the table longer than the lock timeout. */
describe.skipIf(postgresUrl === undefined)('a migration of a table in use, on PostgreSQL', () => {
  const waiting = sql<Record<string, never>, { query: string }>(
    "SELECT query FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE dog%' AND wait_event_type = 'Lock'",
  );

  it('waits for the lock in short attempts', async () => {
    const opened = await openTestDatabase('postgres');
    await migrate(opened.database, 'dogs', [dog]);
    const other = new Client({ connectionString: postgresUrl });
    await other.connect();
    const { schema } = (await opened.database.one(
      sql<Record<string, never>, { schema: string }>('SELECT current_schema()::text AS schema'),
      {},
    )) ?? { schema: '' };
    await other.query(`BEGIN; LOCK TABLE "${schema}".dog IN ACCESS SHARE MODE`);
    const migrated = migrate(opened.database, 'dogs', [dog, collar]);
    const waits = async () => (await opened.database.all(waiting, {})).length;
    await expect.poll(waits).toBe(1);
    await expect.poll(waits).toBe(0);
    await other.query('COMMIT');
    await migrated;
    expect(await describeSchema(opened.database)).toContain('dog.collar');
    await other.end();
    await opened.close();
  });
});
