import { type Queries, sql } from '../../../storage/index.ts';
import { type DeliveryResponse, targetOf } from '../../delivery/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { DestinationType, NotificationConfiguration, Trigger } from './notification.ts';
import { withResponse } from './responses.ts';
import type { NotificationSealing, SealedSecrets } from './sealing.ts';

/** Row of the selected columns of a notification configuration. */
export interface ConfigurationRow extends SealedSecrets {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly destinationType: DestinationType;
  readonly enabled: number;
  readonly triggers: string;
  readonly origin: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Selected columns of `notification_configuration c`. */
export const COLUMNS = `c.id, c.organization_id AS "organizationId", c.workspace_id AS "workspaceId", c.name,
  c.destination_type AS "destinationType", c.enabled, c.triggers, c.url, c.token, c.responses, c.origin, c.version,
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
// This join hides configurations of deleted workspaces, which return with a restore.
const FROM = `notification_configuration c JOIN workspace w ON w.id = c.workspace_id AND ${NOT_DELETED}`;

const selectById = sql<{ id: string }, ConfigurationRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = :id`);
const countOf = sql<{ workspaceId: string }, { count: number }>(
  'SELECT count(*) AS count FROM notification_configuration WHERE workspace_id = :workspaceId',
);
const insertConfigurationStatement = sql<
  Record<keyof ConfigurationRow, ConfigurationRow[keyof ConfigurationRow]> & { target: string },
  { id: string }
>(
  `INSERT INTO notification_configuration (id, organization_id, workspace_id, name, destination_type, enabled, triggers,
     url, token, responses, target, origin, version, queued, due_at, claim, claimed_until, failures, created_at,
     updated_at)
   SELECT :id, w.organization_id, w.id, :name, :destinationType, :enabled, :triggers, :url, :token, :responses, :target,
     :origin, 1, 0, NULL, NULL, 0, 0, :createdAt, :updatedAt
   FROM workspace w WHERE w.id = :workspaceId AND w.organization_id = :organizationId AND :version = 1 AND ${NOT_DELETED}
   RETURNING id`,
);
const updateConfigurationStatement = sql<
  SealedSecrets & {
    id: string;
    version: number;
    name: string;
    enabled: number;
    triggers: string;
    target: string;
    origin: string;
    updatedAt: number;
  },
  { id: string }
>(
  `UPDATE notification_configuration SET name = :name, enabled = :enabled, triggers = :triggers, url = :url,
     token = :token, responses = :responses, target = :target, origin = :origin, version = version + 1, failures = 0,
     due_at = CASE WHEN due_at IS NULL THEN NULL ELSE CAST(:updatedAt AS BIGINT) END, updated_at = :updatedAt
   WHERE id = :id AND version = :version RETURNING id`,
);
const lockResponses = sql<{ id: string }, { responses: Uint8Array | null }>(
  'UPDATE notification_configuration SET responses = responses WHERE id = :id RETURNING responses',
);
const updateResponses = sql<{ id: string; responses: Uint8Array | null }>(
  'UPDATE notification_configuration SET responses = :responses WHERE id = :id',
);
const removeConfigurationStatement = sql<{ id: string }>('DELETE FROM notification_configuration WHERE id = :id');

/** Converts a row to the domain object. */
export function configurationOf(row: ConfigurationRow, sealing: NotificationSealing): NotificationConfiguration {
  const { url, token, responses, ...rest } = row;
  return {
    ...rest,
    enabled: row.enabled === 1,
    triggers: JSON.parse(row.triggers) as Trigger[],
    ...sealing.opened(row.id, { url, token, responses }),
  };
}

/** Finds a configuration. Returns undefined if it does not exist. */
export function findConfiguration(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Lists configurations in order of creation. */
export function listConfigurations(db: Queries, workspaceId: string, page: Page): Promise<Slice<ConfigurationRow>> {
  const where = [fragment`c.workspace_id = ${workspaceId}`];
  return selectSlice<ConfigurationRow>(
    db,
    { columns: COLUMNS, from: FROM, where, orderBy: 'c.created_at, c.id' },
    page,
  );
}

export async function countConfigurations(db: Queries, workspaceId: string): Promise<number> {
  return (await db.one(countOf, { workspaceId }))?.count ?? 0;
}

/** Inserts a configuration. Returns false if the workspace does not exist. */
export async function insertConfiguration(
  db: Queries,
  { triggers, enabled, url, token, ...configuration }: NotificationConfiguration,
  sealing: NotificationSealing,
): Promise<boolean> {
  const sealed = sealing.sealed(configuration.id, { url, token, responses: configuration.responses });
  const stored = { ...configuration, ...sealed, triggers: JSON.stringify(triggers), enabled: Number(enabled) };
  return (await db.one(insertConfigurationStatement, { ...stored, target: targetOf(url) })) !== undefined;
}

/**
 * Updates a configuration and makes waiting messages due at once. Returns false if it does not exist or was changed
 * since `version`.
 */
export async function updateConfiguration(
  db: Queries,
  { id, version, name, origin, updatedAt, triggers, enabled, url, token, responses }: NotificationConfiguration,
  sealing: NotificationSealing,
): Promise<boolean> {
  const sealed = sealing.sealed(id, { url, token, responses });
  const stored = { name, origin, updatedAt, triggers: JSON.stringify(triggers), enabled: Number(enabled) };
  return (
    (await db.one(updateConfigurationStatement, { id, version, ...stored, ...sealed, target: targetOf(url) })) !==
    undefined
  );
}

/**
 * Locks and returns the stored responses, for a change in this transaction. Returns undefined if the configuration
 * does not exist.
 */
export async function responsesOf(db: Queries, id: string): Promise<{ responses: Uint8Array | null } | undefined> {
  return db.one(lockResponses, { id });
}

/** Stores a response. Returns false if the configuration does not exist. */
export async function addResponse(
  db: Queries,
  id: string,
  response: DeliveryResponse,
  sealing: NotificationSealing,
): Promise<boolean> {
  const kept = await responsesOf(db, id);
  if (kept === undefined) return false;
  const responses = withResponse(sealing.openedResponses(id, kept.responses), response);
  await db.run(updateResponses, { id, responses: sealing.responses(id, responses) });
  return true;
}

/** Deletes a configuration with its unsent messages. */
export function removeConfiguration(db: Queries, id: string) {
  return db.run(removeConfigurationStatement, { id });
}
