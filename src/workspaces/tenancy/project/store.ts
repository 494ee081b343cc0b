import { type Queries, sql } from '../../../storage/index.ts';
import { countInTally, tallied } from '../../platform/tally.ts';
import { containing, type Fragment, fragment } from '../../query/dynamic.ts';
import type { Project, ProjectFilter, ProjectSettings } from './project.ts';

/**
 * Execution settings that a workspace inherits, in SQL: those of its project, or else of its organization. The view
 * `workspace_execution` has the same rule for settings of workspaces. A pool has a meaning only with the mode `agent`.
 * @param project alias of the project
 * @param organization alias of its organization
 */
export function inheritedExecution(project: string, organization: string) {
  return {
    mode: `COALESCE(${project}.default_execution_mode, ${organization}.default_execution_mode)`,
    agentPoolId: `CASE WHEN ${project}.default_execution_mode IS NULL THEN ${organization}.default_agent_pool_id
      ELSE ${project}.default_agent_pool_id END`,
  };
}

const INHERITED = inheritedExecution('p', 'o');

/** Columns that a document shows. */
export const COLUMNS = `p.id, p.organization_id AS "organizationId", o.name AS "organizationName", p.name, p.description,
  p.workspace_count + ${tallied('p.id')} AS "workspaceCount",
  (SELECT COUNT(*) FROM team_project g WHERE g.project_id = p.id) AS "teamCount",
  p.auto_destroy_activity_duration AS "autoDestroyActivityDuration",
  ${INHERITED.mode} AS "defaultExecutionMode", ${INHERITED.agentPoolId} AS "defaultAgentPoolId",
  p.default_execution_mode AS "ownExecutionMode", p.created_at AS "createdAt"`;
export const FROM = 'project p JOIN organization o ON o.id = p.organization_id';

const selectById = sql<{ id: string }, Project>(`SELECT ${COLUMNS} FROM ${FROM} WHERE p.id = :id`);

const selectDefault = sql<{ organization: string }, Project>(
  `SELECT ${COLUMNS} FROM organization o JOIN project p ON p.id = o.default_project_id WHERE o.name = :organization`,
);

type Place = { id: string; organizationId: string; createdAt: number };
const insertProjectStatement = sql<Place & { [Key in keyof ProjectSettings]: ProjectSettings[Key] }>(
  `INSERT INTO project (id, organization_id, name, description, workspace_count, created_at,
     default_execution_mode, default_agent_pool_id, auto_destroy_activity_duration)
   VALUES (:id, :organizationId, :name, :description, 0, :createdAt,
     :defaultExecutionMode, :defaultAgentPoolId, :autoDestroyActivityDuration)`,
);
// Locks the row, because a change depends on its current values.
const claimProjectStatement = sql<{ id: string }, ProjectSettings & { workspaceCount: number }>(
  `UPDATE project SET name = name WHERE id = :id
   RETURNING name, description, workspace_count + ${tallied('project.id')} AS "workspaceCount", default_execution_mode AS "defaultExecutionMode",
     default_agent_pool_id AS "defaultAgentPoolId", auto_destroy_activity_duration AS "autoDestroyActivityDuration"`,
);
const holdProjectStatement = sql<{ id: string }, { id: string }>(
  'UPDATE project SET name = name WHERE id = :id RETURNING id',
);
const updateProjectStatement = sql<{ id: string } & { [Key in keyof ProjectSettings]: ProjectSettings[Key] }>(
  `UPDATE project SET name = :name, description = :description, default_execution_mode = :defaultExecutionMode,
     default_agent_pool_id = :defaultAgentPoolId, auto_destroy_activity_duration = :autoDestroyActivityDuration
   WHERE id = :id`,
);
const removeProjectStatement = sql<{ id: string }>('DELETE FROM project WHERE id = :id');
const addToCount = sql<{ id: string; delta: number }>(
  'UPDATE project SET workspace_count = workspace_count + :delta WHERE id = :id',
);

/** Finds a project. Returns undefined if it does not exist. */
export function findProject(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Finds the default project. Returns undefined if the organization does not exist. */
export function findDefaultProject(db: Queries, organization: string) {
  return db.one(selectDefault, { organization });
}

/**
 * Inserts a project.
 * @throws UniqueViolation if the organization has a project with this name
 */
export function insertProject(db: Queries, project: Place & ProjectSettings) {
  return db.run(insertProjectStatement, { ...project });
}

/** Locks the row until the transaction ends. Returns undefined if the project is deleted. */
export function claimProject(db: Queries, id: string) {
  return db.one(claimProjectStatement, { id });
}

/** Locks the row like `claimProject`, for changes that do not depend on its values. */
export function holdProject(db: Queries, id: string) {
  return db.one(holdProjectStatement, { id });
}

/** Updates the project. Call `claimProject` first. */
export function updateProject(db: Queries, id: string, settings: ProjectSettings) {
  return db.run(updateProjectStatement, { id, ...settings });
}

/** Deletes a project without workspaces. Call `claimProject` first. */
export function removeProject(db: Queries, id: string) {
  return db.run(removeProjectStatement, { id });
}

/** Adds `delta` to the stored number of workspaces. */
export function countWorkspaces(db: Queries, id: string, delta: number) {
  return countInTally(db, id, delta, () => db.run(addToCount, { id, delta }));
}

/** Returns the conditions of a list, without permissions. */
export function projectConditions(organizationId: string, { names, query, tagged }: ProjectFilter): Fragment[] {
  const folded = names.map((name) => name.toLowerCase());
  const pattern = containing(query.toLowerCase());
  return [
    ...(folded.length === 0 ? [] : [fragment`lower(p.name) in (${fragment.join(folded)})`]),
    ...(query === '' ? [] : [fragment`lower(p.name) like ${pattern} escape '\\'`]),
    ...tagged.map(({ key, value }) => {
      const exactly = value === '' ? fragment`` : fragment`and b.value = ${value}`;
      return fragment`p.id in (select b.project_id from project_tag_binding b
        where b.organization_id = ${organizationId} and b.key = ${key} ${exactly})`;
    }),
  ];
}
