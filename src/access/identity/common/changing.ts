import { type Database, sql, type Transaction } from '../../../storage/index.ts';

/**
 * How often entities and groups have changed, as far as they say what somebody may do, as part of another query: whoever looks up a
 * token looks up what it may do next. Logins do not change it.
 */
export const IDENTITY_VERSION = "(SELECT version FROM change_counter WHERE topic = 'identity')";

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
