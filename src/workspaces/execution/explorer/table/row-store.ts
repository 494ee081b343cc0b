import { type Dialect, type Queries, sql } from '../../../../storage/index.ts';
import { settingsColumns, workspaceChanges } from '../../../workspace/index.ts';

/** A workspace as the database returns it. Times are milliseconds since 1970, lists are JSON. */
export interface StoredWorkspace {
  readonly id: string;
  /** Starts with a tilde if the workspace is deleted. */
  readonly name: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourceCount: number;
  /** The workspace's own settings; null if it inherits. */
  readonly mode: string | null;
  readonly engine: string | null;
  readonly engineVersion: string;
  readonly repository: string | null;
  readonly runId: string | null;
  readonly runStatus: string | null;
  readonly runAppliedAt: number | null;
  readonly stateCreatedAt: number | null;
  readonly stateEngineVersion: string | null;
  /** Blob of the state, and its encrypted `StateUses`; null without a parsed state. */
  readonly blobName: string | null;
  readonly dataKey: Uint8Array | null;
  readonly summary: Uint8Array | null;
  /** JSON of `Packages`. */
  readonly packages: string | null;
  readonly recordedAt: number | null;
  readonly appliedAt: number | null;
  readonly assessedAt: number | null;
  readonly drifted: number | null;
  readonly assessmentSucceeded: number | null;
  readonly resourcesDrifted: number | null;
  readonly resourcesUndrifted: number | null;
  readonly checksPassed: number | null;
  readonly checksFailed: number | null;
  readonly checksErrored: number | null;
  readonly checksUnknown: number | null;
  /** Names of flat tags and pairs of tag bindings, one per line. */
  readonly tags: string | null;
}

/**
 * Rows to read at a time. SQLite reads them on the thread that serves requests, and a row has up to 100 KB. PostgreSQL sorts
 * all remaining rows for each page of changes.
 */
export const PAGE = { sqlite: 10, postgres: 100 } as const satisfies Record<Dialect, number>;

const inJson = (dialect: Dialect, column: string, path: readonly string[]): string =>
  dialect === 'sqlite'
    ? `json_extract(${column}, '$.${path.map((name) => `"${name}"`).join('.')}')`
    : `(${column}::json #>> '{${path.join(',')}}')`;

const TAGS = `(SELECT string_agg(n.tag, '
' ORDER BY n.tag) FROM (
    SELECT (SELECT t.name FROM tag t WHERE t.id = l.tag_id) AS tag FROM workspace_tag l WHERE l.workspace_id = w.id
    UNION ALL
    SELECT CASE WHEN b.value = '' THEN b.key ELSE b.key || ':' || b.value END FROM tag_binding b WHERE b.workspace_id = w.id
  ) n)`;

const columns = (dialect: Dialect): string => `w.id, w.name, w.project_id AS "projectId", w.created_at AS "createdAt",
  w.updated_at AS "updatedAt", w.resource_count AS "resourceCount", ${settingsColumns(dialect)},
  ${inJson(dialect, 'w.settings', ['vcs-repo', 'identifier'])} AS repository,
  w.current_run_id AS "runId", w.current_run_status AS "runStatus",
  CAST(${inJson(dialect, 'r.timestamps', ['applied'])} AS BIGINT) AS "runAppliedAt",
  s.created_at AS "stateCreatedAt", c.engine_version AS "stateEngineVersion", c.summary,
  b.name AS "blobName", b.data_key AS "dataKey",
  p.packages, p.recorded_at AS "recordedAt", p.applied_at AS "appliedAt",
  w.assessed_at AS "assessedAt", a.drifted, a.succeeded AS "assessmentSucceeded",
  a.resources_drifted AS "resourcesDrifted", a.resources_undrifted AS "resourcesUndrifted",
  a.checks_passed AS "checksPassed", a.checks_failed AS "checksFailed", a.checks_errored AS "checksErrored",
  a.checks_unknown AS "checksUnknown", ${TAGS} AS tags`;

const joins = `LEFT JOIN run r ON r.id = w.current_run_id
  LEFT JOIN assessment_result a ON a.id = w.assessment_result_id
  LEFT JOIN state_version s ON s.id = w.current_state_version_id
  LEFT JOIN state_content c ON c.blob_name = s.state_blob
  LEFT JOIN blob b ON b.name = c.blob_name
  LEFT JOIN workspace_packages p ON p.workspace_id = w.id`;

/** Reads workspaces with all facts of the explorer, and the changed ones since the last read. */
export const { readRowsAfter, changedSince } = workspaceChanges<StoredWorkspace>({ columns, joins, most: PAGE });

const selectProjects = sql<{ organizationId: string }, { id: string; name: string; mode: string | null }>(
  `SELECT id, name, default_execution_mode AS mode FROM project WHERE organization_id = :organizationId`,
);
const selectDefaults = sql<{ organizationId: string }, { mode: string; engine: string }>(
  `SELECT default_execution_mode AS mode, default_engine AS engine FROM organization WHERE id = :organizationId`,
);

/** Facts that workspaces inherit: names and modes of projects, and the defaults of the organization. */
export interface Inherited {
  readonly projects: ReadonlyMap<string, { readonly name: string; readonly mode: string | null }>;
  readonly mode: string;
  readonly engine: string;
}

export async function readInherited(db: Queries, organizationId: string): Promise<Inherited> {
  const projects = await db.all(selectProjects, { organizationId });
  const defaults = await db.one(selectDefaults, { organizationId });
  return {
    projects: new Map(projects.map(({ id, name, mode }) => [id, { name, mode }])),
    mode: defaults?.mode ?? 'remote',
    engine: defaults?.engine ?? 'opentofu',
  };
}
