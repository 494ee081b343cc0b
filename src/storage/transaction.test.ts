import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/support/databases.ts';
import { type Database, sql, type Transaction, UniqueViolation } from './database.ts';

const add = sql<{ id: string }>('INSERT INTO entry (id, number) VALUES (:id, 0)');
const ids = sql<Record<string, never>, { id: string }>('SELECT id FROM entry ORDER BY id');
const numberOf = sql<{ id: string }, { number: number }>('SELECT number FROM entry WHERE id = :id');
const setNumber = sql<{ id: string; number: number }>('UPDATE entry SET number = :number WHERE id = :id');
const mistake = new Error('a mistake');

describe.each(databaseKinds)('a transaction on %s', (kind) => {
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    database = opened.database;
    await database.run(sql('CREATE TABLE entry (id TEXT PRIMARY KEY, number INTEGER NOT NULL)'), {});
  });

  beforeEach(() => database.run(sql('DELETE FROM entry'), {}));
  afterAll(() => opened.close());

  async function stored(): Promise<string[]> {
    return (await database.all(ids, {})).map(({ id }) => id);
  }

  it('stores everything and returns the result of the work', async () => {
    const result = await database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' });
      await tx.run(add, { id: 'b' });
      return (await tx.all(ids, {})).length;
    });
    expect(result).toBe(2);
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('stores nothing if the work throws', async () => {
    const work = database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' });
      throw mistake;
    });
    await expect(work).rejects.toBe(mistake);
    expect(await stored()).toEqual([]);
  });

  it('is not visible to others before it is committed', async () => {
    let during: Promise<string[]> | undefined;
    let begun = () => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    }).then(() => {
      during = stored();
    });
    await database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' });
      begun();
      await tx.run(add, { id: 'b' });
    });
    await started;
    expect([[], ['a', 'b']]).toContainEqual(await during);
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('reads its own writes through a dynamic query too', async () => {
    const seen = await database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' });
      return tx.dynamic<{ id: string }>({ sql: 'SELECT id FROM entry', parameters: [] });
    });
    expect(seen.map(({ id }) => id)).toEqual(['a']);
  });

  it('loses no update to another that runs at the same time', async () => {
    await database.run(add, { id: 'counter' });
    const increment = () =>
      database.transaction(async (tx) => {
        const row = await tx.one(numberOf, { id: 'counter' });
        await tx.run(setNumber, { id: 'counter', number: (row?.number ?? 0) + 1 });
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect((await database.one(numberOf, { id: 'counter' }))?.number).toBe(20);
  });

  it('prevents write skew', async () => {
    // Write skew: each sees no entry and adds its own.
    const addIfFirst = (id: string) =>
      database.transaction(async (tx) => {
        if ((await tx.all(ids, {})).length === 0) await tx.run(add, { id });
      });
    await Promise.all(['a', 'b', 'c'].map(addIfFirst));
    expect(await stored()).toHaveLength(1);
  });

  it('cannot continue after a failed statement, even if the work catches the error', async () => {
    await database.run(add, { id: 'a' });
    const swallowing = database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' }).catch(() => {});
    });
    await expect(swallowing).rejects.toBeInstanceOf(UniqueViolation);
    const goingOn = database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' }).catch(() => {});
      await tx.run(add, { id: 'b' });
    });
    await expect(goingOn).rejects.toThrow('it can only be rolled back');
    expect(await stored()).toEqual(['a']);
  });

  it('lets the work replace the error', async () => {
    await database.run(add, { id: 'a' });
    const work = database.transaction(async (tx) => {
      await tx.run(add, { id: 'a' }).catch(() => {
        throw mistake;
      });
    });
    await expect(work).rejects.toBe(mistake);
  });

  it('cannot be used after its end', async () => {
    const kept = await database.transaction(async (tx) => tx);
    await expect(kept.run(add, { id: 'a' })).rejects.toThrow('has ended');
    expect(() => kept.afterCommit(() => {})).toThrow('has ended');
    expect(await stored()).toEqual([]);
  });

  it('refuses the database itself, and a nested transaction', async () => {
    const within = (use: (tx: Transaction) => Promise<unknown>) =>
      database.transaction(async (tx) => void (await use(tx)));
    await expect(within(() => database.run(add, { id: 'a' }))).rejects.toThrow('must use the transaction (tx)');
    await expect(within(() => database.all(ids, {}))).rejects.toThrow('must use the transaction (tx)');
    await expect(within(() => database.transaction(async () => {}))).rejects.toThrow('must use the transaction (tx)');
    expect(await stored()).toEqual([]);
  });

  it('waits for a statement that the work did not await', async () => {
    await database.transaction(async (tx) => void tx.run(add, { id: 'a' }));
    expect(await stored()).toEqual(['a']);
    const failing = database.transaction(async (tx) => {
      await tx.run(add, { id: 'b' });
      void tx.run(add, { id: 'a' }).catch(() => {});
    });
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
    expect(await stored()).toEqual(['a']);
  });

  it('runs its hooks in order after the commit and before it resolves', async () => {
    const log: string[] = [];
    await database.transaction(async (tx) => {
      tx.afterCommit(() => log.push('first'));
      tx.afterCommit(() => log.push('second'));
      await tx.run(add, { id: 'a' });
      log.push('work');
    });
    expect(log).toEqual(['work', 'first', 'second']);
  });

  it('runs the hooks of a commit or those of a rollback', async () => {
    const log: string[] = [];
    const outcome = (id: string, error?: Error) =>
      database.transaction(async (tx) => {
        tx.afterCommit(() => log.push(`${id} committed`));
        tx.afterRollback(() => log.push(`${id} rolled back`));
        await tx.run(add, { id });
        if (error) throw error;
      });
    await outcome('a');
    await expect(outcome('b', mistake)).rejects.toBe(mistake);
    await expect(outcome('a')).rejects.toBeInstanceOf(UniqueViolation);
    expect(log).toEqual(['a committed', 'b rolled back', 'a rolled back']);
    expect(await stored()).toEqual(['a']);
  });

  it('runs the hooks of a rollback after a statement that was sent with the COMMIT has failed', async () => {
    await database.run(add, { id: 'a' });
    const log: string[] = [];
    const work = database.transaction(async (tx) => {
      tx.afterRollback(() => log.push('rolled back'));
      void tx.run(add, { id: 'a' }).catch(() => {});
    });
    await expect(work).rejects.toBeInstanceOf(UniqueViolation);
    expect(log).toEqual(['rolled back']);
  });

  it('runs the hooks of an attempt that is retried before the next attempt', async () => {
    await database.run(add, { id: 'counter' });
    const log: string[] = [];
    const increment = async (id: string) => {
      let attempts = 0;
      await database.transaction(async (tx) => {
        const attempt = `${id}${++attempts}`;
        log.push(attempt);
        tx.afterRollback(() => log.push(`${attempt} rolled back`));
        tx.afterCommit(() => log.push(`${attempt} committed`));
        const row = await tx.one(numberOf, { id: 'counter' });
        await tx.run(setNumber, { id: 'counter', number: (row?.number ?? 0) + 1 });
      });
    };
    const all = ['a', 'b', 'c', 'd'];
    await Promise.all(all.map(increment));
    for (const id of all) {
      const own = log.filter((entry) => entry.startsWith(id));
      const attempts = own.length / 2;
      const outcome = (n: number) => (n === attempts ? 'committed' : 'rolled back');
      expect(own).toEqual(
        Array.from({ length: attempts }, (_, i) => [`${id}${i + 1}`, `${id}${i + 1} ${outcome(i + 1)}`]).flat(),
      );
    }
  });

  it('lets a hook start another transaction', async () => {
    let next: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      tx.afterCommit(() => {
        next = database.run(add, { id: 'b' });
      });
      await tx.run(add, { id: 'a' });
    });
    await next;
    expect(await stored()).toEqual(['a', 'b']);
  });
});
