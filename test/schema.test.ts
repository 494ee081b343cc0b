import { afterEach, describe, expect, it } from 'vitest';
import { accessMigrations } from '../src/access/index.ts';
import { migrate } from '../src/storage/index.ts';
import { workspacesMigrations } from '../src/workspaces/index.ts';
import { everyDatabase, openTestDatabase, type TestDatabase } from './support/databases.ts';
import { describeSchema } from './support/schema.ts';

/**
 * What all migrations together make of an empty database, written down. A change of the schema shows in review as a change of
 * the golden file; `npx vitest run test/schema.test.ts -u` writes it.
 */
describe.each(everyDatabase)('the schema on %s', (kind) => {
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
