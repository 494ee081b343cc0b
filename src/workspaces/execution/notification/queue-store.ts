import { type Queries, sql } from '../../../storage/index.ts';
import type { Due, Without } from '../../delivery/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { DestinationType, News } from './notification.ts';
import { COLUMNS, type ConfigurationRow } from './store.ts';

/** A message to send. */
export interface Delivery {
  readonly id: string;
  readonly configurationId: string;
  readonly news: News;
  readonly tries: number;
  readonly createdAt: number;
}

/** A claimed message with its number of failures. */
export interface ClaimedDelivery extends ConfigurationRow {
  readonly failures: number;
}

interface DeliveryRow extends Omit<Delivery, 'news'> {
  readonly content: string;
}

/** An enabled configuration. */
export interface Listening {
  readonly id: string;
  readonly destinationType: DestinationType;
  /** Triggers as JSON. */
  readonly triggers: string;
}

/** Facts about a workspace that every message needs. */
export interface Place {
  readonly workspaceName: string;
  readonly organizationName: string;
  /** Settings of the workspace. */
  readonly settings: string;
  /** Inherited mode, used if the settings have none. */
  readonly inheritedMode: string;
}

const selectListening = sql<{ workspaceId: string }, Listening>(
  `SELECT id, destination_type AS "destinationType", triggers FROM notification_configuration
   WHERE workspace_id = :workspaceId AND enabled = 1 ORDER BY id`,
);
const selectPlace = sql<{ workspaceId: string }, Place>(
  `SELECT w.name AS "workspaceName", o.name AS "organizationName", w.settings,
     COALESCE(j.default_execution_mode, o.default_execution_mode) AS "inheritedMode"
   FROM workspace w JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id
   WHERE w.id = :workspaceId AND ${NOT_DELETED}`,
);
const growQueue = sql<{ id: string; most: number; now: number }, { id: string }>(
  `UPDATE notification_configuration SET queued = queued + 1, due_at = COALESCE(due_at, :now)
   WHERE id = :id AND queued < :most RETURNING id`,
);
const insertDelivery = sql<{ id: string; configurationId: string; place: number; content: string; createdAt: number }>(
  `INSERT INTO notification_delivery (id, configuration_id, place, content, tries, created_at)
   VALUES (:id, :configurationId, :place, :content, 0, :createdAt)`,
);
const take = sql<{ id: string; claim: string; until: number; now: number }, ClaimedDelivery>(
  `UPDATE notification_configuration SET claim = :claim, claimed_until = :until
   WHERE id = :id AND due_at <= :now AND claimed_until <= :now AND enabled = 1
   RETURNING ${COLUMNS.replaceAll('c.', '')}, failures`,
);
const forgetOld = sql<{ configurationId: string; before: number }>(
  'DELETE FROM notification_delivery WHERE configuration_id = :configurationId AND created_at < :before',
);
const selectFirst = sql<{ configurationId: string }, DeliveryRow>(
  `SELECT id, configuration_id AS "configurationId", content, tries, created_at AS "createdAt"
   FROM notification_delivery WHERE configuration_id = :configurationId ORDER BY created_at, place, id LIMIT 1`,
);
const giveBack = sql<{ id: string; claim: string; failures: number; settled: number; dueAt: number }, { id: string }>(
  `UPDATE notification_configuration SET claim = NULL, claimed_until = 0, failures = :failures,
     queued = queued - :settled, due_at = CASE WHEN queued > :settled THEN CAST(:dueAt AS BIGINT) ELSE NULL END
   WHERE id = :id AND claim = :claim RETURNING id`,
);
const shrinkQueue = sql<{ id: string; by: number }>(
  'UPDATE notification_configuration SET queued = queued - :by WHERE id = :id',
);
const removeDelivery = sql<{ id: string }>('DELETE FROM notification_delivery WHERE id = :id');
const countTry = sql<{ id: string }>('UPDATE notification_delivery SET tries = tries + 1 WHERE id = :id');
const emptyQueue = sql<{ id: string }>('DELETE FROM notification_delivery WHERE configuration_id = :id');
const endQueue = sql<{ id: string }>(
  `UPDATE notification_configuration SET queued = 0, due_at = NULL, claim = NULL, claimed_until = 0, failures = 0
   WHERE id = :id`,
);
const selectOfWorkspace = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM notification_configuration WHERE workspace_id = :workspaceId AND queued > 0 ORDER BY id',
);

/** Returns the enabled configurations of a workspace with their triggers. */
export function listeningConfigurations(db: Queries, workspaceId: string) {
  return db.all(selectListening, { workspaceId });
}

/** Returns the names of a workspace's organization and project; undefined if the workspace does not exist. */
export function workspaceNames(db: Queries, workspaceId: string) {
  return db.one(selectPlace, { workspaceId });
}

/** Stores a message. Returns false if too many are waiting. */
export async function addDelivery(
  db: Queries,
  { news, ...delivery }: Pick<Delivery, 'id' | 'configurationId' | 'news' | 'createdAt'>,
  place: number,
  most: number,
): Promise<boolean> {
  const { configurationId: id, createdAt: now } = delivery;
  if ((await db.one(growQueue, { id, most, now })) === undefined) return false;
  await db.run(insertDelivery, { ...delivery, place, content: JSON.stringify(news) });
  return true;
}

/** Returns due configurations, longest due first, except those of excluded organizations and targets. */
export function dueDeliveries(db: Queries, now: number, without: Without, limit: number): Promise<Due[]> {
  const but = (column: string, values: readonly string[]) =>
    values.length === 0 ? fragment`` : fragment`and ${fragment.raw(column)} not in (${fragment.join(values)})`;
  return select(
    db,
    fragment<Due>`select c.id, c.organization_id as "organizationId", c.target from notification_configuration c
      join organization o on o.id = c.organization_id and o.deleted_at is null
      where c.due_at <= ${now} and c.claimed_until <= ${now} ${but('c.organization_id', without.organizations)}
      ${but('c.target', without.targets)} order by c.due_at, c.id limit ${limit}`,
  );
}

/** Claims a configuration until a time. Returns undefined if it is no longer due. */
export function claimDelivery(db: Queries, given: { id: string; claim: string; until: number; now: number }) {
  return db.one(take, given);
}

/** Drops messages from before a time, after `claimDelivery`. Returns their number. */
export async function expireDeliveries(db: Queries, configurationId: string, before: number): Promise<number> {
  const by = await db.run(forgetOld, { configurationId, before });
  if (by > 0) await db.run(shrinkQueue, { id: configurationId, by });
  return by;
}

/** Returns the next message. */
export async function firstDelivery(db: Queries, configurationId: string): Promise<Delivery | undefined> {
  const row = await db.one(selectFirst, { configurationId });
  if (row === undefined) return undefined;
  const { content, ...rest } = row;
  return { ...rest, news: JSON.parse(content) as News };
}

/** Outcome of an attempt to send a message. */
export interface Ended {
  readonly configurationId: string;
  readonly claim: string;
  /** Message of the attempt; undefined if there was none. */
  readonly deliveryId: string | undefined;
  /** Whether the message is finished: delivered or dropped. */
  readonly settled: boolean;
  readonly failures: number;
  /** Time of the next attempt. */
  readonly dueAt: number;
}

/** Releases the claim. Returns false if it was lost meanwhile. */
export async function releaseDelivery(
  db: Queries,
  { configurationId, claim: held, deliveryId, settled, failures, dueAt }: Ended,
): Promise<boolean> {
  const gone = settled && deliveryId !== undefined ? 1 : 0;
  const given = { id: configurationId, claim: held, failures, settled: gone, dueAt };
  if ((await db.one(giveBack, given)) === undefined) return false;
  if (deliveryId !== undefined) await db.run(settled ? removeDelivery : countTry, { id: deliveryId });
  return true;
}

/** Drops all messages and invalidates the claim. */
export async function removeDeliveries(db: Queries, configurationId: string): Promise<void> {
  await db.run(emptyQueue, { id: configurationId });
  await db.run(endQueue, { id: configurationId });
}

/** Drops the messages of all configurations of a workspace. */
export async function removeDeliveriesOfWorkspace(db: Queries, workspaceId: string): Promise<void> {
  for (const { id } of await db.all(selectOfWorkspace, { workspaceId })) await removeDeliveries(db, id);
}
