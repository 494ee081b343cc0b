import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { Hook, StoredDelivery } from './hook.ts';

const COLUMNS = `h.id, h.organization_id AS "organizationId", h.repository_id AS "repositoryId",
  h.github_app_id AS "githubAppId", h.service_provider AS "serviceProvider", h.key, h.secret,
  h.provider_hook_id AS "providerHookId", h.state, h.problem, h.tried_at AS "triedAt",
  h.last_delivery_at AS "lastDeliveryAt"`;
/** A repository with its own webhook, or with that of its GitHub App. */
const OF_REPOSITORY = `vcs_repository r JOIN vcs_hook h ON h.repository_id = r.id OR h.github_app_id =
  (SELECT i.github_app_id FROM github_app_installation i WHERE i.id = r.connection_id)`;
const DELIVERY = `id, delivery_id AS "deliveryId", hints, outcome, received_at AS "receivedAt"`;

const selectByKey = sql<{ key: string }, Hook>(
  `SELECT ${COLUMNS} FROM vcs_hook h WHERE h.key = :key AND h.state <> 'removed'`,
);
const selectOfRepository = sql<{ repositoryId: string }, Hook>(
  `SELECT ${COLUMNS} FROM ${OF_REPOSITORY} WHERE r.id = :repositoryId`,
);
const insertHookStatement = sql<Omit<Hook, 'lastDeliveryAt'> & { now: number }>(
  `INSERT INTO vcs_hook (id, organization_id, repository_id, github_app_id, service_provider, key, secret,
     provider_hook_id, state, problem, tried_at, created_at)
   VALUES (:id, :organizationId, :repositoryId, :githubAppId, :serviceProvider, :key, :secret, :providerHookId, :state,
     :problem, :triedAt, :now)
   ON CONFLICT DO NOTHING`,
);
const setStateStatement = sql<
  Pick<Hook, 'id' | 'state' | 'providerHookId' | 'problem'> & { now: number; secret: Uint8Array }
>(
  `UPDATE vcs_hook SET state = :state, provider_hook_id = :providerHookId, problem = :problem, tried_at = :now
   WHERE id = :id AND secret = :secret`,
);
const setSecretStatement = sql<{ id: string; secret: Uint8Array }>(
  'UPDATE vcs_hook SET secret = :secret, tried_at = 0 WHERE id = :id',
);
const seenStatement = sql<{ id: string; now: number | null }>(
  'UPDATE vcs_hook SET last_delivery_at = CAST(:now AS BIGINT) WHERE id = :id',
);
const insertDelivery = sql<
  {
    id: string;
    hookId: string;
    repositoryId: string | null;
    deliveryId: string;
    hints: string;
    outcome: string | null;
    now: number;
  },
  { id: string }
>(
  `INSERT INTO vcs_delivery (id, hook_id, repository_id, delivery_id, hints, outcome, received_at)
   VALUES (:id, :hookId, :repositoryId, :deliveryId, :hints, :outcome, :now)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const selectWaiting = sql<{ repositoryId: string; most: number }, StoredDelivery>(
  `SELECT ${DELIVERY} FROM vcs_delivery WHERE repository_id = :repositoryId AND outcome IS NULL
   ORDER BY received_at, id LIMIT :most`,
);
const setOutcome = sql<{ id: string; outcome: string }>('UPDATE vcs_delivery SET outcome = :outcome WHERE id = :id');
const removeSurplus = sql<{ repositoryId: string; most: number }>(
  `DELETE FROM vcs_delivery WHERE repository_id = :repositoryId AND received_at < (SELECT received_at FROM vcs_delivery
     WHERE repository_id = :repositoryId ORDER BY received_at DESC LIMIT 1 OFFSET :most)`,
);
const removeOld = sql<{ before: number; step: number }>(
  `DELETE FROM vcs_delivery WHERE id IN
     (SELECT id FROM vcs_delivery WHERE received_at < :before ORDER BY received_at LIMIT :step)`,
);

export function findHookByKey(db: Queries, key: string): Promise<Hook | undefined> {
  return db.one(selectByKey, { key });
}

/** Finds the hook of a repository: its own, or that of its GitHub App. */
export function findHookOf(db: Queries, repositoryId: string): Promise<Hook | undefined> {
  return db.one(selectOfRepository, { repositoryId });
}

/** Returns the hooks of repositories, by the ids of these. */
export async function hooksOf(db: Queries, repositoryIds: readonly string[]): Promise<ReadonlyMap<string, Hook>> {
  if (repositoryIds.length === 0) return new Map();
  const [columns, from] = [fragment.raw(COLUMNS), fragment.raw(OF_REPOSITORY)];
  const rows = await select(
    db,
    fragment<Hook & { of: string }>`select r.id as of, ${columns} from ${from} where ${isOneOf('r.id', repositoryIds)}`,
  );
  return new Map(rows.map(({ of, ...hook }) => [of, hook]));
}

/** Inserts a hook, unless its repository has one. */
export function insertHook(tx: Transaction, { lastDeliveryAt: _, ...hook }: Hook, now: number) {
  return tx.run(insertHookStatement, { ...hook, now });
}

/** Stores the result of an attempt at the provider, unless the secret has changed meanwhile. */
export function setHookState(
  tx: Transaction,
  { secret }: Pick<Hook, 'secret'>,
  state: Pick<Hook, 'id' | 'state' | 'providerHookId' | 'problem'>,
  now: number,
) {
  const { id, providerHookId, problem } = state;
  return tx.run(setStateStatement, { id, state: state.state, providerHookId, problem, secret, now });
}

/** Replaces the secret. The server then updates the hook at the provider. */
export function setHookSecret(tx: Transaction, id: string, secret: Uint8Array) {
  return tx.run(setSecretStatement, { id, secret });
}

/** Stores the time of the last delivery; null: the hook missed a change. */
export function setLastDelivery(tx: Transaction, id: string, now: number | null) {
  return tx.run(seenStatement, { id, now });
}

/** Stores a delivery. Returns false if the provider sent it before. */
export async function addDelivery(
  tx: Transaction,
  delivery: Omit<StoredDelivery, 'receivedAt'> & { readonly hookId: string; readonly repositoryId: string | null },
  now: number,
): Promise<boolean> {
  return (await tx.one(insertDelivery, { ...delivery, now })) !== undefined;
}

/** Returns deliveries that no look-up has used, oldest first. */
export function waitingDeliveries(db: Queries, repositoryId: string, most: number): Promise<StoredDelivery[]> {
  return db.all(selectWaiting, { repositoryId, most });
}

export async function settleDelivery(tx: Transaction, id: string, outcome: string): Promise<void> {
  await tx.run(setOutcome, { id, outcome });
}

/** Keeps the newest deliveries of a repository. */
export function keepNewestDeliveries(tx: Transaction, repositoryId: string, most: number) {
  return tx.run(removeSurplus, { repositoryId, most });
}

/** Deletes some old deliveries. Returns how many. */
export function removeOldDeliveries(db: Queries, before: number, step: number) {
  return db.run(removeOld, { before, step });
}

/** Returns the deliveries of a repository, newest first. */
export function listDeliveries(db: Queries, repositoryId: string, page: Page): Promise<Slice<StoredDelivery>> {
  const where = [fragment`repository_id = ${repositoryId}`];
  const query = { columns: DELIVERY, from: 'vcs_delivery', where, orderBy: 'received_at desc, id desc' };
  return selectSlice<StoredDelivery>(db, query, page);
}
