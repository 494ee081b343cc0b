import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { COLUMNS, JOINS, NOT_DELETED, parseSettings, type References, type WorkspaceRow, workspaceOf } from './row.ts';
import type { Settings } from './settings.ts';
import type { Workspace, WorkspaceRef } from './workspace.ts';

const FROM = `workspace w ${JOINS}`;

const selectById = sql<{ id: string }, WorkspaceRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE w.id = :id AND ${NOT_DELETED}`,
);
const selectByName = sql<{ organization: string; name: string }, WorkspaceRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE o.name = :organization AND w.name = :name AND ${NOT_DELETED}`,
);

const insertWorkspaceStatement = sql<{
  id: string;
  organizationId: string;
  projectId: string;
  name: string;
  settings: string;
  executionMode: string | null;
  globalRemoteState: number;
  projectRemoteState: number;
  agentPoolId: string | null;
  oauthTokenId: string | null;
  installationId: string | null;
  now: number;
}>(
  `INSERT INTO workspace (id, organization_id, project_id, name, settings, execution_mode, global_remote_state,
     project_remote_state, agent_pool_id, oauth_token_id, github_app_installation_id, resource_count, version, created_at, updated_at,
     latest_change_at)
   VALUES (:id, :organizationId, :projectId, :name, :settings, :executionMode, :globalRemoteState,
     :projectRemoteState, :agentPoolId, :oauthTokenId, :installationId, 0, 1, :now, :now, :now)`,
);

interface ClaimedRow extends Pick<WorkspaceRow, 'settings' | References> {
  readonly name: string;
  readonly projectId: string;
  readonly locked: number;
  readonly resourceCount: number;
  readonly latestChangeAt: number;
}
const claimWorkspaceStatement = sql<{ id: string }, ClaimedRow>(
  `UPDATE workspace AS w SET version = version + 1 WHERE w.id = :id AND ${NOT_DELETED}
   RETURNING name, project_id AS "projectId", settings, agent_pool_id AS "agentPoolId",
     oauth_token_id AS "oauthTokenId", github_app_installation_id AS "installationId", CASE WHEN lock_holder_id IS NULL THEN 0 ELSE 1 END AS locked,
     resource_count AS "resourceCount", latest_change_at AS "latestChangeAt"`,
);
const updateWorkspaceStatement = sql<{
  id: string;
  projectId: string;
  name: string;
  settings: string;
  executionMode: string | null;
  globalRemoteState: number;
  projectRemoteState: number;
  agentPoolId: string | null;
  oauthTokenId: string | null;
  installationId: string | null;
  now: number;
}>(
  `UPDATE workspace SET project_id = :projectId, name = :name, settings = :settings,
     execution_mode = :executionMode, global_remote_state = :globalRemoteState,
     project_remote_state = :projectRemoteState, agent_pool_id = :agentPoolId, oauth_token_id = :oauthTokenId, github_app_installation_id = :installationId, updated_at = :now WHERE id = :id`,
);
const updateSshKey = sql<{ id: string; sshKeyId: string | null; now: number }, { id: string }>(
  `UPDATE workspace AS w SET ssh_key_id = :sshKeyId, version = version + 1, updated_at = :now
   WHERE w.id = :id AND ${NOT_DELETED} RETURNING id`,
);
const touchWorkspaceStatement = sql<{ id: string; now: number }, { name: string }>(
  `UPDATE workspace AS w SET version = version + 1, updated_at = :now WHERE w.id = :id AND ${NOT_DELETED} RETURNING name`,
);
// The statement keeps the version, because the permission to use a pool does not change the lists.
const holdWorkspaceStatement = sql<{ id: string }, { id: string }>(
  `UPDATE workspace AS w SET version = version WHERE w.id = :id AND ${NOT_DELETED} RETURNING id`,
);

/** Finds a workspace by id or by names in one query. Returns undefined when there is none. */
export async function findWorkspace(db: Queries, ref: WorkspaceRef): Promise<Workspace | undefined> {
  const row = await ('id' in ref ? db.one(selectById, { id: ref.id }) : db.one(selectByName, { ...ref }));
  return row && workspaceOf(row);
}

/** Returns the existing workspaces of one organization, by name, in one query. */
export async function workspacesOfOrganization(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly Workspace[]> {
  if (ids.length === 0) return [];
  const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
  const where = fragment`w.organization_id = ${organizationId} and ${isOneOf('w.id', ids)} and ${fragment.raw(NOT_DELETED)}`;
  const rows = await select(db, fragment<WorkspaceRow>`select ${from} where ${where} order by w.name`);
  return rows.map(workspaceOf);
}

/** Returns the existing workspaces in one query. */
export async function findWorkspaces(db: Queries, ids: readonly string[]): Promise<readonly Workspace[]> {
  if (ids.length === 0) return [];
  const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
  const where = fragment`${isOneOf('w.id', ids)} and ${fragment.raw(NOT_DELETED)}`;
  return (await select(db, fragment<WorkspaceRow>`select ${from} where ${where}`)).map(workspaceOf);
}

/** Columns that a create or update writes. */
export interface NewWorkspace {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly settings: Settings;
}

/** References, and settings that rules ask for, have a column in addition to the settings. */
function columnsOf(settings: Settings) {
  return {
    settings: JSON.stringify(settings),
    executionMode: settings['execution-mode'],
    globalRemoteState: Number(settings['global-remote-state']),
    projectRemoteState: Number(settings['project-remote-state']),
    agentPoolId: settings['agent-pool-id'],
    oauthTokenId: settings['vcs-repo']?.['oauth-token-id'] ?? null,
    installationId: settings['vcs-repo']?.['github-app-installation-id'] ?? null,
  };
}

/**
 * Inserts a workspace.
 * @throws UniqueViolation when the organization has a workspace of that name
 */
export function insertWorkspace(db: Queries, workspace: NewWorkspace, now: number) {
  const { id, organizationId, projectId, name, settings } = workspace;
  return db.run(insertWorkspaceStatement, { id, organizationId, projectId, name, now, ...columnsOf(settings) });
}

/** Columns on which an update depends. */
export interface Claimed extends Pick<ClaimedRow, 'name' | 'projectId' | 'resourceCount' | 'latestChangeAt'> {
  readonly settings: Settings;
  readonly locked: boolean;
}

/**
 * Locks the row for the rest of the transaction, and returns the columns on which an update depends. Returns undefined
 * when it is gone.
 */
export async function claimWorkspace(db: Queries, id: string): Promise<Claimed | undefined> {
  const row = await db.one(claimWorkspaceStatement, { id });
  if (row === undefined) return undefined;
  const { name, projectId, resourceCount, latestChangeAt } = row;
  return { name, projectId, resourceCount, latestChangeAt, locked: row.locked === 1, settings: parseSettings(row) };
}

/**
 * Updates a row after `claimWorkspace`. @throws UniqueViolation when the organization has another workspace of that
 * name
 */
export function updateWorkspace(db: Queries, workspace: Omit<NewWorkspace, 'organizationId'>, now: number) {
  const { id, projectId, name, settings } = workspace;
  return db.run(updateWorkspaceStatement, { id, projectId, name, now, ...columnsOf(settings) });
}

/** Increments the version. Returns undefined when the workspace is gone. */
export function setSshKey(db: Queries, id: string, sshKeyId: string | null, now: number) {
  return db.one(updateSshKey, { id, sshKeyId, now });
}

/**
 * Locks the row and increments its version, for changes of data that belong to the workspace. Returns undefined when
 * it is gone.
 */
export function touchWorkspace(db: Queries, id: string, now: number) {
  return db.one(touchWorkspaceStatement, { id, now });
}

/** Locks the row without a new version, for changes that do not affect the workspace itself. */
export function holdWorkspace(db: Queries, id: string) {
  return db.one(holdWorkspaceStatement, { id });
}
