import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/support/databases.ts';
import { type Database, sql, step, UniqueViolation } from './database.ts';

const add = sql<{ id: string }>('INSERT INTO entry (id, number) VALUES (:id, 0)');
const ids = sql<Record<string, never>, { id: string }>('SELECT id FROM entry ORDER BY id');
const increment = sql<{ id: string }, { number: number }>(
  'UPDATE entry SET number = number + 1 WHERE id = :id RETURNING number',
);

describe.each(databaseKinds)('a batch on %s', (kind) => {
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    database = opened.database;
    await database.run(sql('CREATE TABLE entry (id TEXT PRIMARY KEY, number INTEGER NOT NULL)'), {});
  });

  beforeEach(() => database.run(sql('DELETE FROM entry'), {}));
  afterAll(() => opened.close());

  it('returns the rows of each step, which sees the writes of earlier steps', async () => {
    const [none, after, counted] = await database.batch([
      step(add, { id: 'a' }),
      step(ids, {}),
      step(increment, { id: 'a' }),
    ]);
    expect(none).toEqual([]);
    expect(after).toEqual([{ id: 'a' }]);
    expect(counted).toEqual([{ number: 1 }]);
    expect(await database.all(ids, {})).toEqual([{ id: 'a' }]);
  });

  it('stores nothing if a step fails', async () => {
    await database.run(add, { id: 'b' });
    const failing = database.batch([step(add, { id: 'a' }), step(add, { id: 'b' }), step(add, { id: 'c' })]);
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
    expect(await database.all(ids, {})).toEqual([{ id: 'b' }]);
    // Statements that the failure skipped work the next time.
    await database.batch([step(add, { id: 'c' }), step(increment, { id: 'c' })]);
    expect(await database.all(ids, {})).toEqual([{ id: 'b' }, { id: 'c' }]);
  });

  it('does not affect other statements that run at the same time', async () => {
    const twice = database.batch([step(add, { id: 'x' }), step(add, { id: 'twice' }), step(add, { id: 'twice' })]);
    const all = [
      database.batch([step(add, { id: 'a' }), step(add, { id: 'b' })]),
      twice,
      database.run(add, { id: 'c' }),
      database.batch([step(add, { id: 'd' }), step(increment, { id: 'd' })]),
    ];
    const answers = await Promise.allSettled(all);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await database.all(ids, {})).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('loses no update to another that runs at the same time', async () => {
    await database.run(add, { id: 'counter' });
    const each = Array.from({ length: 30 }, () =>
      database.batch([step(increment, { id: 'counter' }), step(increment, { id: 'counter' })]),
    );
    const seen = (await Promise.all(each)).flatMap(([[one], [two]]) => [one?.number, two?.number]);
    expect(seen.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it('is refused inside a transaction', async () => {
    const within = database.transaction(() => database.batch([step(ids, {})]));
    await expect(within).rejects.toThrow('must use the transaction (tx)');
  });
});
