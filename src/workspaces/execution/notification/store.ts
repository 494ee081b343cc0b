import { type Queries, sql } from '../../../storage/index.ts';
import { type DeliveryResponse, targetOf } from '../../delivery/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, select, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { DestinationType, Digest, NotificationConfiguration, Owner, StoredTrigger } from './notification.ts';
import { withResponse } from './responses.ts';
import type { NotificationSealing, SealedSecrets } from './sealing.ts';

/** Row of the selected columns of a notification configuration. */
export interface ConfigurationRow extends SealedSecrets, Owner {
  readonly id: string;
  readonly name: string;
  readonly destinationType: DestinationType;
  readonly enabled: number;
  readonly triggers: string;
  /** IDs as JSON. */
  readonly emailUsers: string;
  /** Addresses as JSON. */
  readonly emailAddresses: string;
  /** Options as JSON; null for no digest. */
  readonly digest: string | null;
  readonly digestAt: number | null;
  readonly origin: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Row with the name of its organization. */
export interface NamedRow extends ConfigurationRow {
  readonly organizationName: string;
}

/** Receiver of all emails, for the limits of deliveries: the SMTP server. */
const MAIL_TARGET = 'email';
/**
 * Stored URL of emails. A node of an earlier version, which knows only URLs, fails to resolve it and leaves the message to
 * another node; it would drop a message without a URL.
 */
const MAIL_URL = 'https://email.invalid/';

/** Selected columns of `notification_configuration c`. */
export const COLUMNS = `c.id, c.organization_id AS "organizationId", c.workspace_id AS "workspaceId",
  c.project_id AS "projectId", c.team_id AS "teamId", c.name, c.destination_type AS "destinationType", c.enabled,
  c.triggers, c.url, c.token, c.responses, c.email_users AS "emailUsers", c.email_addresses AS "emailAddresses",
  c.digest, c.digest_at AS "digestAt", c.origin, c.version, c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
const NAMED = `${COLUMNS}, o.name AS "organizationName"`;
// The condition hides configurations of deleted workspaces, which return with a restore.
const FROM = `notification_configuration c JOIN organization o ON o.id = c.organization_id
  LEFT JOIN workspace w ON w.id = c.workspace_id`;
const SHOWN = `(c.workspace_id IS NULL OR ${NOT_DELETED})`;

const selectById = sql<{ id: string }, NamedRow>(`SELECT ${NAMED} FROM ${FROM} WHERE c.id = :id AND ${SHOWN}`);
const insertConfigurationStatement = sql<
  Record<keyof ConfigurationRow, ConfigurationRow[keyof ConfigurationRow]> & { target: string },
  { id: string }
>(
  `INSERT INTO notification_configuration (id, organization_id, workspace_id, project_id, team_id, name,
     destination_type, enabled, triggers, url, token, responses, email_users, email_addresses, digest, digest_at, target,
     origin, version, queued, due_at, claim, claimed_until, failures, created_at, updated_at)
   SELECT :id, o.id, :workspaceId, :projectId, :teamId, :name, :destinationType, :enabled, :triggers, :url, :token,
     :responses, :emailUsers, :emailAddresses, :digest, CAST(:digestAt AS BIGINT), :target, :origin, 1, 0, NULL, NULL, 0,
     0, :createdAt, :updatedAt
   FROM organization o
   WHERE o.id = :organizationId AND o.deleted_at IS NULL AND :version = 1
     AND (CAST(:workspaceId AS TEXT) IS NULL
       OR EXISTS (SELECT 1 FROM workspace w WHERE w.id = :workspaceId AND ${NOT_DELETED}))
     AND (CAST(:projectId AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM project p WHERE p.id = :projectId))
     AND (CAST(:teamId AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM team t WHERE t.id = :teamId))
   RETURNING id`,
);
const updateConfigurationStatement = sql<
  SealedSecrets & {
    id: string;
    version: number;
    name: string;
    enabled: number;
    triggers: string;
    emailUsers: string;
    emailAddresses: string;
    digest: string | null;
    digestAt: number | null;
    keepsDigest: number;
    target: string;
    origin: string;
    updatedAt: number;
  },
  { id: string }
>(
  `UPDATE notification_configuration SET name = :name, enabled = :enabled, triggers = :triggers, url = :url,
     token = :token, responses = :responses, email_users = :emailUsers, email_addresses = :emailAddresses,
     digest = :digest,
     digest_at = CASE WHEN :keepsDigest = 1 THEN digest_at ELSE CAST(:digestAt AS BIGINT) END,
     target = :target, origin = :origin, version = version + 1, failures = 0,
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
  const opened = sealing.opened(row.id, { url, token, responses });
  return {
    ...rest,
    enabled: row.enabled === 1,
    triggers: JSON.parse(row.triggers) as StoredTrigger[],
    emailUsers: JSON.parse(row.emailUsers) as string[],
    emailAddresses: JSON.parse(row.emailAddresses) as string[],
    digest: row.digest === null ? null : (JSON.parse(row.digest) as Digest),
    ...opened,
    url: row.destinationType === 'email' ? '' : opened.url,
  };
}

/** Finds a configuration. Returns undefined if it does not exist. */
export function findConfiguration(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Lists configurations of one scope in order of creation. */
export function listConfigurations(db: Queries, owner: Owner, page: Page): Promise<Slice<NamedRow>> {
  const where = [isOf(owner), fragment.raw(SHOWN)];
  return selectSlice<NamedRow>(db, { columns: NAMED, from: FROM, where, orderBy: 'c.created_at, c.id' }, page);
}

/** Counts the configurations of one scope. */
export async function countConfigurations(db: Queries, owner: Owner): Promise<number> {
  const [counted] = await select(
    db,
    fragment<{ count: number }>`select count(*) as count from notification_configuration c where ${isOf(owner)}`,
  );
  return counted?.count ?? 0;
}

function isOf({ organizationId, workspaceId, projectId, teamId }: Owner): Fragment {
  if (workspaceId !== null) return fragment`c.workspace_id = ${workspaceId}`;
  if (projectId !== null) return fragment`c.project_id = ${projectId}`;
  if (teamId !== null) return fragment`c.team_id = ${teamId}`;
  return fragment`c.organization_id = ${organizationId} and c.workspace_id is null and c.project_id is null
    and c.team_id is null`;
}

/** Inserts a configuration. Returns false if its scope does not exist. */
export async function insertConfiguration(
  db: Queries,
  configuration: NotificationConfiguration,
  sealing: NotificationSealing,
): Promise<boolean> {
  const { id, organizationId, workspaceId, projectId, teamId, destinationType, createdAt, version } = configuration;
  const fixed = { id, organizationId, workspaceId, projectId, teamId, destinationType, createdAt, version };
  const stored = { ...fixed, ...storedOf(configuration, sealing) };
  return (await db.one(insertConfigurationStatement, stored)) !== undefined;
}

/**
 * Updates a configuration and makes waiting messages due at once. Returns false if it does not exist or was changed
 * since `version`.
 */
export async function updateConfiguration(
  db: Queries,
  configuration: NotificationConfiguration,
  sealing: NotificationSealing,
  keepsDigest: boolean,
): Promise<boolean> {
  const { id, version } = configuration;
  const values = { id, version, keepsDigest: Number(keepsDigest), ...storedOf(configuration, sealing) };
  return (await db.one(updateConfigurationStatement, values)) !== undefined;
}

/** Returns the columns that a change may set. */
function storedOf(configuration: NotificationConfiguration, sealing: NotificationSealing) {
  const { id, destinationType, name, enabled, triggers, url, token, responses, digest, digestAt } = configuration;
  const isMail = destinationType === 'email';
  return {
    ...{ name, digestAt, origin: configuration.origin, updatedAt: configuration.updatedAt },
    ...sealing.sealed(id, { url: isMail ? MAIL_URL : url, token, responses }),
    enabled: Number(enabled),
    triggers: JSON.stringify(triggers),
    emailUsers: JSON.stringify(configuration.emailUsers),
    emailAddresses: JSON.stringify(configuration.emailAddresses),
    digest: digest && JSON.stringify(digest),
    target: isMail ? MAIL_TARGET : targetOf(url),
  };
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
