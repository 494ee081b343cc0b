import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/support/databases.ts';
import { type Database, type SqlValue, sql, UniqueViolation } from './database.ts';
import { migrate } from './schema/migrate.ts';

interface Thing {
  readonly id: string;
  readonly kind: string | null;
  readonly number: number | null;
  readonly bytes: Uint8Array | null;
}

const insert = sql<{ id: string; kind: string | null; number: number | null; bytes: Uint8Array | null }>(
  'INSERT INTO thing (id, kind, number, bytes) VALUES (:id, :kind, :number, :bytes)',
);
const find = sql<{ id: string }, Thing>('SELECT id, kind, number, bytes FROM thing WHERE id = :id');
const setNumber = sql<{ kind: string; number: number }>('UPDATE thing SET number = :number WHERE kind = :kind');
const clear = sql('DELETE FROM thing');

function thing(id: string, rest: Partial<Thing> = {}): Thing {
  return { id, kind: null, number: null, bytes: null, ...rest };
}

describe.each(databaseKinds)('a database on %s', (kind) => {
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    database = opened.database;
    await migrate(database, 'things', [
      {
        name: '0001-thing',
        statements: ({ text, integer, blob, tableOptions }) => [
          `CREATE TABLE thing (id ${text} PRIMARY KEY, kind ${text}, number ${integer}, bytes ${blob}, UNIQUE (kind, number))
           ${tableOptions}`,
          'CREATE UNIQUE INDEX one_such_thing ON thing (bytes)',
        ],
      },
    ]);
  });

  beforeEach(() => database.run(clear, {}));
  afterAll(() => opened.close());

  it.each<[string, Partial<Thing>]>([
    ['nothing', {}],
    ['the empty text', { kind: '' }],
    ['text beyond ASCII', { kind: 'Schloß 🔒 \u2028 \\ \' " :x $1 ?1' }],
    ['zero', { number: 0 }],
    ['the largest number', { number: Number.MAX_SAFE_INTEGER }],
    ['the smallest number', { number: Number.MIN_SAFE_INTEGER }],
    ['no bytes', { bytes: new Uint8Array() }],
    ['all bytes', { bytes: Uint8Array.from({ length: 256 }, (_, i) => i) }],
  ])('returns %s as it was stored', async (_, values) => {
    await database.run(insert, thing('a', values));
    const found = await database.one(find, { id: 'a' });
    expect({ ...found }).toStrictEqual(thing('a', values));
  });

  it('sorts and compares text by its bytes', async () => {
    for (const id of ['b', 'B', 'a', 'ä', '_']) await database.run(insert, thing(id));
    const sorted = await database.all(
      sql<Record<string, never>, { id: string }>('SELECT id FROM thing ORDER BY id'),
      {},
    );
    expect(sorted.map(({ id }) => id)).toEqual(['B', '_', 'a', 'b', 'ä']);
  });

  it('returns a truth value as 1 or 0, and counts and sums as numbers', async () => {
    await database.run(insert, thing('a', { number: 3 }));
    await database.run(insert, thing('b', { number: 4 }));
    const totals = sql<{ limit: number }, Record<string, SqlValue>>(
      'SELECT count(*) AS count, sum(number) AS sum, max(number) > :limit AS more, max(number) / 3 AS third FROM thing',
    );
    expect({ ...(await database.one(totals, { limit: 3 })) }).toEqual({ count: 2, sum: 7, more: 1, third: 1 });
  });

  it('treats a whole number as an integer, not as a fraction', async () => {
    await database.run(insert, thing('a', { number: 5 }));
    const halved = sql<{ by: number }, { half: number }>('SELECT number / :by AS half FROM thing');
    expect((await database.one(halved, { by: 2 }))?.half).toBe(2);
  });

  it('refuses to round a number that it reads', async () => {
    const large = sql<Record<string, never>, { n: number }>('SELECT 9007199254740993 AS n');
    await expect(database.one(large, {})).rejects.toThrow(RangeError);
    expect(await database.one(find, { id: 'a' })).toBeUndefined();
  });

  it('returns undefined without a first row, and an empty list', async () => {
    expect(await database.one(find, { id: 'a' })).toBeUndefined();
    expect(await database.all(find, { id: 'a' })).toEqual([]);
  });

  it('counts the rows that a statement wrote', async () => {
    expect(await database.run(insert, thing('a', { kind: 'x' }))).toBe(1);
    expect(await database.run(insert, thing('b', { kind: 'x' }))).toBe(1);
    expect(await database.run(setNumber, { kind: 'y', number: 1 })).toBe(0);
    expect(await database.run(clear, {})).toBe(2);
    expect(await database.run(sql('CREATE TABLE IF NOT EXISTS thing (id TEXT)'), {})).toBe(0);
  });

  it('counts the rows of a statement that also returns them', async () => {
    const returning = sql<{ id: string }, { id: string }>('INSERT INTO thing (id) VALUES (:id) RETURNING id');
    expect(await database.run(returning, { id: 'a' })).toBe(1);
    expect((await database.one(returning, { id: 'b' }))?.id).toBe('b');
    expect((await database.all(returning, { id: 'c' })).map(({ id }) => id)).toEqual(['c']);
    expect(await database.run(clear, {})).toBe(3);
  });

  it('runs a conditional update that returns the changed rows', async () => {
    const lock = sql<{ id: string; by: string }, { id: string }>(
      'UPDATE thing SET kind = :by WHERE id = :id AND kind IS NULL RETURNING id',
    );
    await database.run(insert, thing('a'));
    expect((await database.one(lock, { id: 'a', by: 'me' }))?.id).toBe('a');
    expect(await database.one(lock, { id: 'a', by: 'you' })).toBeUndefined();
  });

  it('uses one parameter in several places', async () => {
    const same = sql<{ x: string }, { id: string }>('SELECT id FROM thing WHERE id = :x OR (kind = :x AND id <> :x)');
    await database.run(insert, thing('a', { kind: 'z' }));
    await database.run(insert, thing('b', { kind: 'a' }));
    expect(await database.all(same, { x: 'a' })).toHaveLength(2);
  });

  it('allows null for an optional filter', async () => {
    const filtered = sql<{ kind: string | null }, { id: string }>(
      'SELECT id FROM thing WHERE (CAST(:kind AS TEXT) IS NULL OR kind = :kind)',
    );
    await database.run(insert, thing('a', { kind: 'x' }));
    await database.run(insert, thing('b', { kind: 'y' }));
    expect(await database.all(filtered, { kind: null })).toHaveLength(2);
    expect(await database.all(filtered, { kind: 'x' })).toHaveLength(1);
  });

  it('refuses missing and superfluous parameters', async () => {
    await expect(database.all(find, {} as never)).rejects.toThrow('parameter :id is missing');
    await expect(database.run(clear, { id: 'a' } as never)).rejects.toThrow('no parameter :id');
  });

  it.each([
    ['thing_pkey', thing('a')],
    ['thing_kind_number_key', thing('b', { kind: 'x', number: 1 })],
    ['one_such_thing', thing('b', { bytes: new Uint8Array([1]) })],
  ])('names %s when it is violated', async (constraint, second) => {
    await database.run(insert, thing('a', { kind: 'x', number: 1, bytes: new Uint8Array([1]) }));
    const violation = await database.run(insert, second).catch((error: unknown) => error);
    expect(violation).toBeInstanceOf(UniqueViolation);
    expect((violation as UniqueViolation).constraint).toBe(constraint);
  });

  it('rolls a failed statement back', async () => {
    await database.run(insert, thing('a'));
    const two = sql<{ a: string; b: string }>('INSERT INTO thing (id) VALUES (:a), (:b)');
    await expect(database.run(two, { a: 'new', b: 'a' })).rejects.toBeInstanceOf(UniqueViolation);
    expect(await database.one(find, { id: 'new' })).toBeUndefined();
  });
});
