import { expect, it } from 'vitest';
import { databaseKinds, openTestDatabase } from '../../test/support/databases.ts';
import { sql } from './database.ts';
import { queryBuilder } from './query-builder.ts';

interface Schema {
  readonly boat: { readonly name: string; readonly length: number };
}

it.each(databaseKinds)('builds a query that %s runs', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  await database.run(sql('CREATE TABLE boat (name TEXT, length INTEGER)'), {});
  const add = sql<{ name: string; length: number }>('INSERT INTO boat VALUES (:name, :length)');
  for (const [name, length] of [
    ['Anna', 12],
    ['Berta', 20],
    ['Clara', 31],
  ] as const)
    await database.run(add, { name, length });

  const query = queryBuilder<Schema>(database.dialect)
    .selectFrom('boat')
    .select(['name', 'length'])
    .where('length', '>', 15)
    .where('name', 'in', ['Anna', 'Berta', 'Clara'])
    .orderBy('name', 'desc')
    .limit(1)
    .offset(1);
  const rows = await database.dynamic<Schema['boat']>(query.compile());

  expect(rows.map((row) => ({ ...row }))).toEqual([{ name: 'Berta', length: 20 }]);
  await close();
});

it('cannot run queries itself', async () => {
  const query = queryBuilder<Schema>('sqlite').selectFrom('boat').selectAll();
  expect(await query.execute()).toEqual([]);
  expect(query.compile().sql).toBe('select * from "boat"');
});
