import { type Queries, sql, type Transaction } from '../../../../storage/index.ts';
import { RowOutbox } from '../../../delivery/index.ts';
import { type ConnectionStatus, isInstallation } from '../connection.ts';
import type { Checked } from './health.ts';

/** A connection that is due for a check. */
export interface DueConnection {
  readonly id: string;
}

/** Queues of checks, by the table of their connections. */
export const CHECK_QUEUES = {
  token: new RowOutbox<DueConnection>({ table: 'oauth_token', columns: 'id' }),
  installation: new RowOutbox<DueConnection>({ table: 'github_app_installation', columns: 'id' }),
} as const;

type StoredHealth = {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly reason: string | null;
  readonly account: string | null;
  readonly scopes: string | null;
  readonly now: number;
};
const setHealth = (table: string) =>
  sql<StoredHealth>(
    `UPDATE ${table} SET status_since = CASE WHEN status = :status THEN coalesce(status_since, :now) ELSE :now END,
       status = :status, status_reason = :reason, checked_at = :now, account = coalesce(:account, account),
       scopes = coalesce(:scopes, scopes)
     WHERE id = :id`,
  );
const setDue = (table: string) =>
  sql<{ id: string; dueAt: number | null }>(`UPDATE ${table} SET due_at = :dueAt WHERE id = :id`);
const STATEMENTS = {
  oauth_token: { health: setHealth('oauth_token'), due: setDue('oauth_token') },
  github_app_installation: { health: setHealth('github_app_installation'), due: setDue('github_app_installation') },
};
const statementsFor = (id: string) => STATEMENTS[isInstallation(id) ? 'github_app_installation' : 'oauth_token'];

/** Stores the result of a check. */
export function storeHealth(db: Queries, id: string, { status, reason, account, scopes }: Checked, now: number) {
  return db.run(statementsFor(id).health, {
    ...{ id, status, reason, now },
    // An installation without repositories has an account, although GitHub does not name it here.
    account: account || null,
    scopes: scopes === undefined ? null : JSON.stringify(scopes),
  });
}

/** Sets the time of the next check; null: none. */
export function scheduleCheck(tx: Queries | Transaction, id: string, dueAt: number | null) {
  return tx.run(statementsFor(id).due, { id, dueAt });
}

const wakeLinks = sql<{ id: string; now: number }>(
  'UPDATE vcs_workspace SET due_at = :now WHERE connection_id = :id AND repository_id IS NULL AND due_at > :now',
);
const wakeRepositories = sql<{ id: string; now: number }>(
  `UPDATE vcs_repository SET due_at = :now WHERE connection_id = :id AND health <> 'ok' AND due_at > :now`,
);
// A report that gave up is not due any more.
const wakeReports = sql<{ id: string; now: number }>(
  `UPDATE vcs_report SET marks = marks + 1, due_at = CAST(:now AS BIGINT)
   WHERE target = :id AND problem IS NOT NULL AND (due_at IS NULL OR due_at > :now)`,
);

/** Lets the server try again at once what waits for a connection to work. */
export async function wakeFollowers(tx: Transaction, id: string, now: number): Promise<void> {
  await tx.run(wakeLinks, { id, now });
  await tx.run(wakeRepositories, { id, now });
  await tx.run(wakeReports, { id, now });
}
