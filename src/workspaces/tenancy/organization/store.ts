import { type Queries, sql } from '../../../storage/index.ts';
import { countInTally, tallied } from '../../platform/tally.ts';
import { DEFAULT_SETTINGS, type Organization, type OrganizationSettings } from './organization.ts';

/** Row of an organization. The settings are JSON. */
export interface OrganizationRow extends Omit<Organization, 'settings'> {
  readonly settings: string;
}

const COLUMNS = `id, name, email, default_project_id AS "defaultProjectId",
  default_execution_mode AS "defaultExecutionMode", default_agent_pool_id AS "defaultAgentPoolId",
  default_engine AS "defaultEngine",
  allow_force_delete_workspaces AS "allowForceDelete", user_tokens_enabled AS "userTokensEnabled", settings,
  workspace_count + ${tallied('organization.id')} AS "workspaceCount", created_at AS "createdAt"`;

/** Columns with the data retention policy, as `type/id`. */
export const SHOWN = `${COLUMNS}, (SELECT p.type || '/' || p.id FROM data_retention_policy p
    WHERE p.organization_id = organization.id AND p.workspace_id IS NULL) AS "retentionPolicy"`;

const selectByName = sql<{ name: string }, OrganizationRow>(`SELECT ${SHOWN} FROM organization WHERE name = :name`);
const selectSettings = sql<{ id: string }, { settings: string }>('SELECT settings FROM organization WHERE id = :id');
const insertRow = sql<{ [Column in keyof OrganizationRow]: OrganizationRow[Column] } & { founderId: string }>(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode, default_agent_pool_id,
     default_engine, allow_force_delete_workspaces, user_tokens_enabled, settings, workspace_count, created_at,
     founder_id)
   VALUES (:id, :name, :email, :defaultProjectId, :defaultExecutionMode, :defaultAgentPoolId,
     :defaultEngine, :allowForceDelete, :userTokensEnabled, :settings, :workspaceCount, :createdAt,
     :founderId)`,
);
// Locks the row, because a change depends on its current values.
const claimRow = sql<{ id: string }, OrganizationRow & { serviceAccountId: string | null }>(
  `UPDATE organization SET name = name WHERE id = :id AND deleted_at IS NULL
   RETURNING ${COLUMNS}, service_account_id AS "serviceAccountId"`,
);
type Changes = Omit<OrganizationRow, 'defaultProjectId' | 'workspaceCount' | 'createdAt'>;
const updateRow = sql<{ [Column in keyof Changes]: Changes[Column] }>(
  `UPDATE organization SET name = :name, email = :email, default_execution_mode = :defaultExecutionMode,
     default_agent_pool_id = :defaultAgentPoolId, default_engine = :defaultEngine,
     allow_force_delete_workspaces = :allowForceDelete,
     user_tokens_enabled = :userTokensEnabled, settings = :settings
   WHERE id = :id`,
);
const updateUserTokenLimit = sql<{ id: string; limit: number | null }>(
  'UPDATE organization SET user_token_max_ttl = :limit WHERE id = :id',
);
const updateServiceAccount = sql<{ id: string; accountId: string }>(
  'UPDATE organization SET service_account_id = :accountId WHERE id = :id',
);
const addToCount = sql<{ id: string; delta: number }>(
  'UPDATE organization SET workspace_count = workspace_count + :delta WHERE id = :id',
);

/** Parses a row. Settings that are newer than the row get their defaults. */
export function organizationOf<Row extends OrganizationRow>(row: Row) {
  return { ...row, settings: readSettings(row.settings) };
}

const readSettings = (json: string): OrganizationSettings => ({ ...DEFAULT_SETTINGS, ...JSON.parse(json) });

/** Returns the settings of an organization; undefined if it does not exist. */
export async function settingsOf(db: Queries, id: string): Promise<OrganizationSettings | undefined> {
  const row = await db.one(selectSettings, { id });
  return row && readSettings(row.settings);
}

/** Finds an organization by its name. Returns undefined if it does not exist. */
export async function findOrganizationByName(db: Queries, name: string): Promise<Organization | undefined> {
  const row = await db.one(selectByName, { name });
  return row && organizationOf(row);
}

/**
 * Inserts an organization.
 * @param founderId user who creates it
 * @throws UniqueViolation if the name is taken
 */
export function insertOrganization(db: Queries, organization: Organization, founderId: string) {
  return db.run(insertRow, { ...organization, founderId, settings: JSON.stringify(organization.settings) });
}

/** Locks the row until the transaction ends. Returns undefined if the organization is deleted or being deleted. */
export async function claimOrganization(db: Queries, id: string) {
  const row = await db.one(claimRow, { id });
  return row && organizationOf(row);
}

/**
 * Updates the organization. Call `claimOrganization` first.
 * @throws UniqueViolation if the name is taken
 */
export function updateOrganization(db: Queries, organization: Organization) {
  const { defaultProjectId: _project, workspaceCount: _count, createdAt: _time, settings, ...changes } = organization;
  return db.run(updateRow, { ...changes, settings: JSON.stringify(settings) });
}

/** Sets the longest lifetime of accepted user tokens; null without a limit. Call `claimOrganization` first. */
export function limitUserTokens(db: Queries, id: string, limit: number | null) {
  return db.run(updateUserTokenLimit, { id, limit });
}

/** Sets the service account. Call `claimOrganization` first. */
export function setServiceAccount(db: Queries, id: string, accountId: string) {
  return db.run(updateServiceAccount, { id, accountId });
}

/** Adds `delta` to the stored number of workspaces. */
export function countWorkspaces(db: Queries, id: string, delta: number) {
  return countInTally(db, id, delta, () => db.run(addToCount, { id, delta }));
}
