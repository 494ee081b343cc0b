import { afterEach, describe, expect, it } from 'vitest';
import { accessMigrations } from '../src/access/index.ts';
import { type Migration, migrate, postgresMigrations } from '../src/storage/index.ts';
import { workspacesMigrations } from '../src/workspaces/index.ts';
import { databaseKinds, openTestDatabase, type TestDatabase } from './support/databases.ts';
import { describeSchema } from './support/schema.ts';

/**
 * Schema that all migrations together create in an empty database. A change of the schema shows in review as a change
 * of the golden file; `npx vitest run test/schema.test.ts -u` writes it.
 */
describe.each(databaseKinds)('the schema on %s', (kind) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  it.each([
    ['access', accessMigrations],
    ['workspaces', workspacesMigrations],
  ] as const)('of %s is the sum of its migrations', async (set, migrations) => {
    opened = await openTestDatabase(kind);
    await migrate(opened.database, set, migrations);
    await expect(`${await describeSchema(opened.database)}\n`).toMatchFileSnapshot(`golden/schema-${set}-${kind}.txt`);
  });

  it('of both fits into one database, in either order, and a second start changes nothing', async () => {
    opened = await openTestDatabase(kind);
    await migrate(opened.database, 'workspaces', workspacesMigrations);
    await migrate(opened.database, 'access', accessMigrations);
    const before = await describeSchema(opened.database);
    await migrate(opened.database, 'access', accessMigrations);
    await migrate(opened.database, 'workspaces', workspacesMigrations);
    expect(await describeSchema(opened.database)).toBe(before);
  });
});

/** Changes that an older version of the program does not notice. */
const ADDITIONS = [
  /^CREATE TABLE /i,
  /^CREATE INDEX /i,
  // A column that old versions do not write has a default, or allows null.
  /^ALTER TABLE \w+ ADD COLUMN (?!.*\b(?:UNIQUE|CHECK)\b)(?:(?!.*\bNOT NULL\b)|.*\bDEFAULT\b)/i,
];

/** Returns whether a statement of a migration only adds: an older program reads and writes as before. */
function onlyAdds(statement: string): boolean {
  const text = statement.replaceAll(/\s+/g, ' ').trim();
  return ADDITIONS.some((addition) => addition.test(text));
}

const textsOf = (migration: Migration): string[] =>
  'indexes' in migration
    ? migration.indexes.map(({ unique, name, on }) => `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${on}`)
    : [
        ...migration.statements({
          dialect: 'postgres',
          integer: 'BIGINT',
          text: 'TEXT',
          blob: 'BYTEA',
          tableOptions: '',
        }),
      ];

describe('a step that allows earlier versions to run beside it', () => {
  const all = [...accessMigrations, ...workspacesMigrations, ...postgresMigrations];

  it('only adds', () => {
    const compatible = all.filter(({ compatibleFrom }) => compatibleFrom !== undefined);
    const wrong = compatible.flatMap((one) =>
      textsOf(one)
        .filter((text) => !onlyAdds(text))
        .map((text) => `${one.name}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names an earlier step', () => {
    const names = new Set(all.map(({ name }) => name));
    const wrong = all.filter(
      ({ name, compatibleFrom = '' }) => compatibleFrom !== '' && !(names.has(compatibleFrom) && compatibleFrom < name),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ['CREATE TABLE a (b TEXT)', true],
    ['CREATE INDEX a ON b (c)', true],
    ['CREATE UNIQUE INDEX a ON b (c)', false],
    ['ALTER TABLE a ADD COLUMN b TEXT', true],
    ["ALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT ''", true],
    ['ALTER TABLE a\n  ADD COLUMN b TEXT NOT NULL', false],
    ['ALTER TABLE a ADD COLUMN b BIGINT CHECK (b > 0)', false],
    ['ALTER TABLE a DROP COLUMN b', false],
    ['ALTER TABLE a RENAME TO b', false],
    ['UPDATE a SET b = 1', false],
    ['DROP INDEX a', false],
  ])('is recognized by its statements: %s', (statement, adds) => {
    expect(onlyAdds(statement)).toBe(adds);
  });
});
