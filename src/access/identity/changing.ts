import { type Database, sql, type Transaction } from '../../storage/index.ts';

const nextVersion = sql("UPDATE change_counter SET version = version + 1 WHERE topic = 'identity'");

/**
 * A change of entities, aliases or groups that somebody asked for, as one unit of work. The counter comes first: it is the one row
 * that all of them meet at, so they follow one another, on every node; and what is kept of memberships is read anew.
 */
export function changing<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.run(nextVersion, {});
    return work(tx);
  });
}
