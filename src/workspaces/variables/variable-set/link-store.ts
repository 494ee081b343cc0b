import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { notDeleted } from '../../workspace/index.ts';
import type { Target, VariableSet } from './variable-set.ts';

const LINKS = {
  workspaces: { table: 'variable_set_workspace', column: 'workspace_id', target: 'workspace' },
  projects: { table: 'variable_set_project', column: 'project_id', target: 'project' },
} as const;
function linkStatements({ table, column }: (typeof LINKS)[Target]) {
  return {
    add: sql<{ setId: string; id: string }>(
      `INSERT INTO ${table} (variable_set_id, ${column}) VALUES (:setId, :id) ON CONFLICT DO NOTHING`,
    ),
    remove: sql<{ setId: string; id: string }>(
      `DELETE FROM ${table} WHERE variable_set_id = :setId AND ${column} = :id`,
    ),
    clear: sql<{ setId: string }>(`DELETE FROM ${table} WHERE variable_set_id = :setId`),
    count: sql<{ setId: string }, { count: number }>(
      `SELECT COUNT(*) AS count FROM ${table} WHERE variable_set_id = :setId`,
    ),
  };
}
const STATEMENTS = { workspaces: linkStatements(LINKS.workspaces), projects: linkStatements(LINKS.projects) };

/** Returns how many of these ids a set of that owner can be applied to. */
export async function countTargets(
  db: Queries,
  { organizationId, projectId }: Pick<VariableSet, 'organizationId' | 'projectId'>,
  target: Target,
  ids: readonly string[],
): Promise<number> {
  const own = target === 'projects' ? 'id' : 'project_id';
  const within = projectId === null ? fragment`` : fragment`and ${fragment.raw(own)} = ${projectId}`;
  const there = target === 'workspaces' ? fragment`and ${fragment.raw(notDeleted('t'))}` : fragment``;
  const [counted] = await select(
    db,
    fragment<{ count: number }>`select count(*) as count from ${fragment.raw(LINKS[target].target)} t
      where ${isOneOf('id', ids)} and organization_id = ${organizationId} ${within} ${there}`,
  );
  return counted?.count ?? 0;
}

/** Applies the set. Does nothing if it is applied already. */
export function linkTarget(db: Queries, target: Target, setId: string, id: string) {
  return db.run(STATEMENTS[target].add, { setId, id });
}

/** Returns the number of rows. */
export function unlinkTarget(db: Queries, target: Target, setId: string, id: string) {
  return db.run(STATEMENTS[target].remove, { setId, id });
}

/** Returns the number of rows. */
export function unlinkAllTargets(db: Queries, target: Target, setId: string) {
  return db.run(STATEMENTS[target].clear, { setId });
}

/** Returns the number of workspaces or projects to which the set is applied. */
export async function countLinks(db: Queries, target: Target, setId: string): Promise<number> {
  return (await db.one(STATEMENTS[target].count, { setId }))?.count ?? 0;
}

/**
 * Returns the workspaces or projects of each set, without workspaces that were deleted or that have left the project
 * that owns the set.
 */
export async function linksOfSets(db: Queries, target: Target, setIds: readonly string[]) {
  const { table, column, target: targetTable } = LINKS[target];
  const counts =
    target === 'workspaces'
      ? fragment`and ${fragment.raw(notDeleted('t'))} and (s.project_id is null or s.project_id = t.project_id)`
      : fragment``;
  const rows = await select(
    db,
    fragment<{ setId: string; id: string }>`select l.variable_set_id as "setId", t.id
      from ${fragment.raw(table)} l join variable_set s on s.id = l.variable_set_id
      join ${fragment.raw(targetTable)} t on t.id = l.${fragment.raw(column)}
      where ${isOneOf('l.variable_set_id', setIds)} ${counts} order by t.id`,
  );
  return Map.groupBy(rows, ({ setId }) => setId);
}
