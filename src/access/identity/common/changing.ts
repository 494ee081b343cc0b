import { type Database, sql, type Transaction } from '../../../storage/index.ts';

/**
 * Number of changes to entities and groups, as a part of other queries: a token lookup also reads it, so that caches
 * of policies can be checked. Logins do not change it.
 */
export const IDENTITY_VERSION = "(SELECT version FROM change_counter WHERE topic = 'identity')";

const nextVersion = sql("UPDATE change_counter SET version = version + 1 WHERE topic = 'identity'");

/**
 * Runs a change of entities, aliases or groups in one transaction. Increments the counter first: all such
 * transactions meet at this row, so they run one after another on all nodes, and caches are invalidated.
 */
export function changing<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.run(nextVersion, {});
    return work(tx);
  });
}
