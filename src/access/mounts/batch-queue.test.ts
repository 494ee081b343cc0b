import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../../test/support/databases.ts';
import { sql, step, UniqueViolation } from '../../storage/index.ts';
import { BatchQueue } from './batch-queue.ts';

const add = sql<{ id: string }>('INSERT INTO entry (id, number) VALUES (:id, 0)');
const increment = sql<{ id: string }, { number: number }>(
  'UPDATE entry SET number = number + 1 WHERE id = :id RETURNING number',
);
const ids = sql<Record<string, never>, { id: string }>('SELECT id FROM entry ORDER BY id');

describe.each(databaseKinds)('a queue of batches on %s', (kind) => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    await opened.database.run(sql('CREATE TABLE entry (id TEXT PRIMARY KEY, number INTEGER NOT NULL)'), {});
  });

  afterAll(() => opened.close());

  it('returns the rows of each batch in order, and isolates failures', async () => {
    const queue = new BatchQueue(opened.database);
    await queue.batch([step(add, { id: 'counter' })]);
    const counted = (id: string) => queue.batch([step(increment, { id: 'counter' }), step(add, { id })]);
    const answers = await Promise.allSettled(
      ['a', 'b', 'b', 'c', ...Array.from({ length: 60 }, (_, i) => `d${i}`)].map(counted),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(UniqueViolation)]);
    const numbers = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value[0] : []));
    expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 63 }, (_, i) => i + 1));
    expect(await opened.database.all(ids, {})).toHaveLength(64);
  });
});
