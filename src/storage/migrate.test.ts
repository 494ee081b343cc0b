import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyDatabase, openTestDatabase, postgresUrl, type TestDatabase } from '../../test/support/databases.ts';
import { describeSchema } from '../../test/support/schema.ts';
import { type ColumnTypes, type Dialect, type Migration, sql } from './database.ts';
import { migrate } from './migrate.ts';

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
    'CREATE TABLE dog ( name TEXT PRIMARY KEY, age INTEGER NOT NULL DEFAULT 0 CHECK (age >= 0) , collar TEXT, portrait BLOB) STRICT',
    'CREATE UNIQUE INDEX dog_collar ON dog (collar) WHERE collar IS NOT NULL',
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

describe.each(everyDatabase)('migrations on %s', (kind) => {
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase(kind);
  });

  afterEach(() => opened.close());

  it('make a fresh schema the sum of them', async () => {
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  it('go on where an earlier version stopped', async () => {
    await migrate(opened.database, 'dogs', [dog]);
    await migrate(opened.database, 'dogs', [dog, collar]);
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  it('of several sets keep apart', async () => {
    const cat = { name: '0001-dog', statements: ({ text }: ColumnTypes) => [`CREATE TABLE cat (name ${text})`] };
    await migrate(opened.database, 'dogs', [dog]);
    await migrate(opened.database, 'cats', [cat]);
    expect(await describeSchema(opened.database)).toMatch(/cat(.|\n)*dog/);
  });

  it('refuse a database that a newer version has used', async () => {
    await migrate(opened.database, 'dogs', [dog, collar]);
    await expect(migrate(opened.database, 'dogs', [dog])).rejects.toThrow(
      'the database has the dogs migration 0002-collar, which this version does not know',
    );
  });

  it('refuse a step that was changed after it was applied', async () => {
    await migrate(opened.database, 'dogs', [dog]);
    const changed = { ...dog, statements: (types: ColumnTypes) => [...dog.statements(types), 'SELECT 1'] };
    await expect(migrate(opened.database, 'dogs', [changed])).rejects.toThrow(
      '0001-dog is not the one that was applied',
    );
  });

  it('refuse to come in another order than that of their names', async () => {
    await expect(migrate(opened.database, 'dogs', [collar, dog])).rejects.toThrow(
      '0001-dog must not come after 0002-collar',
    );
  });

  it('store nothing of a step that fails, and try it again next time', async () => {
    const broken = {
      ...collar,
      statements: (types: ColumnTypes) => [...collar.statements(types), 'CREATE TABLE dog (a TEXT)'],
    };
    await expect(migrate(opened.database, 'dogs', [dog, broken])).rejects.toThrow('already exists');
    await migrate(opened.database, 'dogs', [dog, collar]);
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
  });

  // Which of them is where when another ends is the server's choice: on one that several can use at once it is tried often.
  it('are applied once when several nodes start together', {
    repeats: postgresUrl === undefined ? 0 : 30,
  }, async () => {
    await Promise.all([1, 2, 3, 4].map(() => migrate(opened.database, 'dogs', [dog, collar])));
    expect(await describeSchema(opened.database)).toBe(SCHEMAS[kind]);
    const count = sql<Record<string, never>, { count: number }>('SELECT count(*) AS count FROM schema_migration');
    expect((await opened.database.one(count, {}))?.count).toBe(2);
  });
});
