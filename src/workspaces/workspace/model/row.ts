import { type EngineKind, type ExecutionMode, inheritedExecution } from '../../tenancy/index.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import type { AutoDestroyOutcome, Connection, Lock, Performance, Workspace } from './workspace.ts';

/**
 * Condition that `workspace w` is not deleted. A deleted workspace keeps its row for a while, under a name that starts
 * with a tilde. No client can give such a name, and no name sorts after it, so a list in order of names ends before
 * the deleted ones: an index on names serves both, which a column of its own would not.
 */
export const NOT_DELETED = notDeleted('w');

/** `NOT_DELETED` for a workspace with another alias. */
export function notDeleted(alias: string): string {
  return `${alias}.name < '~'`;
}

/** A row of COLUMNS. */
export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string;
  readonly settings: string;
  readonly agentPoolId: string | null;
  readonly sshKeyId: string | null;
  readonly oauthTokenId: string | null;
  readonly installationId: string | null;
  readonly connectionName: string | null;
  readonly serviceProvider: string | null;
  readonly httpUrl: string | null;
  readonly lockHolderType: string | null;
  readonly lockHolderId: string | null;
  readonly lockReason: string | null;
  readonly lockHolderName: string | null;
  readonly lockedAt: number | null;
  readonly runId: string | null;
  readonly configurationVersionId: string | null;
  readonly stateVersionId: string | null;
  readonly assessmentResultId: string | null;
  readonly assessedAt: number | null;
  readonly performance: string;
  /** Names of the flat tags, separated by commas, which no name contains. */
  readonly tagNames: string | null;
  readonly resourceCount: number;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly latestChangeAt: number;
  readonly workedAt: number | null;
  /** Outcome of auto-destroy, as JSON. */
  readonly autoDestroy: string | null;
  readonly inheritedMode: ExecutionMode;
  readonly inheritedEngine: EngineKind;
  readonly inheritedPoolId: string | null;
  readonly inheritedDuration: string | null;
  readonly allowsForceDelete: number;
}

const INHERITED = inheritedExecution('j', 'o');

/**
 * All columns of a document, in one row of JOINS. Subqueries look up each tag: without statistics, a planner might
 * scan all tags for each workspace.
 */
export const COLUMNS = `w.id, w.name, w.organization_id AS "organizationId", o.name AS "organizationName",
  w.project_id AS "projectId", w.settings, w.agent_pool_id AS "agentPoolId", w.ssh_key_id AS "sshKeyId",
  w.oauth_token_id AS "oauthTokenId", w.github_app_installation_id AS "installationId",
  COALESCE(c.name, i.account) AS "connectionName",
  CASE WHEN a.id IS NULL THEN c.service_provider WHEN a.http_url = 'https://github.com' THEN 'github'
    ELSE 'github_enterprise' END AS "serviceProvider", COALESCE(c.http_url, a.http_url) AS "httpUrl", w.lock_holder_type AS "lockHolderType", w.lock_holder_id AS "lockHolderId",
  w.lock_reason AS "lockReason", w.lock_holder_name AS "lockHolderName", w.locked_at AS "lockedAt", w.current_run_id AS "runId",
  w.current_configuration_version_id AS "configurationVersionId", w.current_state_version_id AS "stateVersionId",
  w.assessment_result_id AS "assessmentResultId", w.assessed_at AS "assessedAt", w.performance,
  (SELECT string_agg(n.name, ',' ORDER BY n.name) FROM
    (SELECT (SELECT t.name FROM tag t WHERE t.id = l.tag_id) AS name FROM workspace_tag l WHERE l.workspace_id = w.id) n
  ) AS "tagNames",
  w.resource_count AS "resourceCount", w.version, w.created_at AS "createdAt", w.updated_at AS "updatedAt",
  w.latest_change_at AS "latestChangeAt", w.worked_at AS "workedAt", w.auto_destroy AS "autoDestroy",
  ${INHERITED.mode} AS "inheritedMode", ${INHERITED.agentPoolId} AS "inheritedPoolId",
  o.default_engine AS "inheritedEngine",
  j.auto_destroy_activity_duration AS "inheritedDuration", o.allow_force_delete_workspaces AS "allowsForceDelete"`;

/** Joins that `workspace w` needs. */
export const JOINS = `JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id
  LEFT JOIN oauth_token k ON k.id = w.oauth_token_id LEFT JOIN oauth_client c ON c.id = k.oauth_client_id
  LEFT JOIN github_app_installation i ON i.id = w.github_app_installation_id
  LEFT JOIN github_app a ON a.id = i.github_app_id`;

/** Returns the name under which a deleted workspace keeps its row. */
export function nameOfDeleted(id: string): string {
  return `~${id}`;
}

/** References that may be deleted, which have columns of their own. */
export type References = 'agentPoolId' | 'oauthTokenId' | 'installationId';

/**
 * Adds defaults for settings that are newer than the row. References that may be deleted come from their own columns.
 */
export function parseSettings(row: Pick<WorkspaceRow, 'settings' | References>): Settings {
  const stored: Settings = { ...DEFAULT_SETTINGS, ...(JSON.parse(row.settings) as Partial<Settings>) };
  const repo = stored['vcs-repo'];
  return {
    ...stored,
    'agent-pool-id': row.agentPoolId,
    'vcs-repo': repo && {
      ...repo,
      'oauth-token-id': row.oauthTokenId,
      'github-app-installation-id': row.installationId,
    },
  };
}

function lockOf(row: WorkspaceRow): Lock | null {
  const { lockHolderType: type, lockHolderId: id, lockHolderName: name, lockedAt: at } = row;
  return type === null || id === null
    ? null
    : { holder: { type, id }, name: name ?? '', reason: row.lockReason ?? '', at };
}

function connectionOf({ connectionName: name, serviceProvider, httpUrl }: WorkspaceRow): Connection | null {
  return serviceProvider === null || httpUrl === null ? null : { name, serviceProvider, httpUrl };
}

/** Converts a row to the domain's workspace. */
export function workspaceOf(row: WorkspaceRow): Workspace {
  const { id, name, organizationId, organizationName, projectId, sshKeyId, resourceCount, version } = row;
  const { createdAt, updatedAt, latestChangeAt, runId, configurationVersionId, stateVersionId, assessmentResultId } =
    row;
  return {
    ...{ id, name, organizationId, organizationName, projectId, sshKeyId, resourceCount, version },
    ...{ createdAt, updatedAt, latestChangeAt, workedAt: row.workedAt },
    autoDestroy: row.autoDestroy === null ? null : (JSON.parse(row.autoDestroy) as AutoDestroyOutcome),
    settings: parseSettings(row),
    inherited: {
      executionMode: row.inheritedMode,
      agentPoolId: row.inheritedMode === 'agent' ? row.inheritedPoolId : null,
      engine: row.inheritedEngine,
      autoDestroyActivityDuration: row.inheritedDuration,
    },
    connection: connectionOf(row),
    lock: lockOf(row),
    current: { runId, configurationVersionId, stateVersionId, assessmentResultId },
    assessedAt: row.assessedAt,
    performance: JSON.parse(row.performance) as Performance,
    tagNames: row.tagNames === null ? [] : row.tagNames.split(','),
    allowsForceDelete: row.allowsForceDelete === 1,
  };
}
