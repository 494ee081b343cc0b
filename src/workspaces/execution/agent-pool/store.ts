import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { containing, type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { AgentPool, PoolFilter, PoolLink, PoolScope } from './agent-pool.ts';

/**
 * Maximum number of workspaces in the document of a pool.
 * @limit workspaces referenced by the document of a pool, workspaces -> the others are left out
 */
const MAX_WORKSPACES = 10_000;

const COLUMNS = `a.id, a.organization_id AS "organizationId", o.name AS "organizationName", a.name,
  a.organization_scoped AS "organizationScoped", a.created_at AS "createdAt"`;
const FROM = 'agent_pool a JOIN organization o ON o.id = a.organization_id';

const selectById = sql<{ id: string }, AgentPool>(`SELECT ${COLUMNS} FROM ${FROM} WHERE a.id = :id`);
const selectIn = sql<{ id: string; organizationId: string }, { id: string }>(
  'SELECT id FROM agent_pool WHERE id = :id AND organization_id = :organizationId',
);
const insertPoolStatement = sql<{
  id: string;
  organizationId: string;
  name: string;
  organizationScoped: number;
  createdAt: number;
}>(
  `INSERT INTO agent_pool (id, organization_id, name, organization_scoped, created_at)
   VALUES (:id, :organizationId, :name, :organizationScoped, :createdAt)`,
);
const updatePoolStatement = sql<{ id: string; name: string | null; organizationScoped: number | null }, { id: string }>(
  `UPDATE agent_pool SET name = COALESCE(:name, name),
     organization_scoped = COALESCE(:organizationScoped, organization_scoped)
   WHERE id = :id RETURNING id`,
);
const removePoolStatement = sql<{ id: string }>('DELETE FROM agent_pool WHERE id = :id');
const selectUse = sql<{ id: string; organizationId: string }, { used: number }>(
  `SELECT 1 AS used WHERE EXISTS (SELECT 1 FROM workspace w WHERE w.agent_pool_id = :id AND ${NOT_DELETED})
     OR EXISTS (SELECT 1 FROM organization o WHERE o.id = :organizationId AND o.default_agent_pool_id = :id)
     OR EXISTS (SELECT 1 FROM project p WHERE p.organization_id = :organizationId AND p.default_agent_pool_id = :id)
     OR EXISTS (SELECT 1 FROM oauth_client c WHERE c.organization_id = :organizationId AND c.agent_pool_id = :id)`,
);
const selectUsable = sql<
  { id: string; organizationId: string; projectId: string; workspaceId: string },
  { id: string }
>(
  `SELECT a.id FROM agent_pool a WHERE a.id = :id AND a.organization_id = :organizationId
     AND NOT EXISTS (SELECT 1 FROM agent_pool_workspace x
       WHERE x.agent_pool_id = a.id AND x.excluded = 1 AND x.workspace_id = :workspaceId)
     AND (a.organization_scoped = 1
       OR EXISTS (SELECT 1 FROM agent_pool_workspace x
         WHERE x.agent_pool_id = a.id AND x.excluded = 0 AND x.workspace_id = :workspaceId)
       OR EXISTS (SELECT 1 FROM agent_pool_project x WHERE x.agent_pool_id = a.id AND x.project_id = :projectId))`,
);

const clearWorkspaces = sql<{ id: string; excluded: number }>(
  'DELETE FROM agent_pool_workspace WHERE agent_pool_id = :id AND excluded = :excluded',
);
const insertWorkspace = sql<{ id: string; excluded: number; workspaceId: string }>(
  `INSERT INTO agent_pool_workspace (agent_pool_id, workspace_id, excluded) VALUES (:id, :workspaceId, :excluded)
   ON CONFLICT DO NOTHING`,
);
const clearProjects = sql<{ id: string }>('DELETE FROM agent_pool_project WHERE agent_pool_id = :id');
const insertProject = sql<{ id: string; projectId: string }>(
  `INSERT INTO agent_pool_project (agent_pool_id, project_id) VALUES (:id, :projectId) ON CONFLICT DO NOTHING`,
);

/** Finds a pool. Returns undefined if it does not exist. */
export function findPool(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the existing pools with these IDs, by name. */
export function findPools(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
  return select(db, fragment<AgentPool>`select ${from} where ${isOneOf('a.id', ids)} order by a.name, a.id`);
}

/** Finds a pool of an organization. Returns undefined if the organization has no pool with this ID. */
export function findPoolOfOrganization(db: Queries, organizationId: string, id: string) {
  return db.one(selectIn, { id, organizationId });
}

/**
 * Returns the pool if a workspace in this project may use it; otherwise undefined. An empty ID stands for a new
 * workspace.
 */
export function usablePools(
  db: Queries,
  pool: { id: string; organizationId: string; projectId: string; workspaceId: string },
) {
  return db.one(selectUsable, pool);
}

/** Returns whether a workspace uses or inherits it, or a VCS connection sends its requests through it. */
export async function isPoolUsed(db: Queries, { id, organizationId }: AgentPool): Promise<boolean> {
  return (await db.one(selectUse, { id, organizationId })) !== undefined;
}

const ORDERS = {
  name: 'a.name',
  '-name': 'a.name DESC',
  'created-at': 'a.created_at, a.id',
  '-created-at': 'a.created_at DESC, a.id DESC',
} as const;

/** Lists the pools of an organization. */
export function listPools(
  db: Queries,
  organizationId: string,
  filter: PoolFilter,
  page: Page,
): Promise<Slice<AgentPool>> {
  const where = [fragment`a.organization_id = ${organizationId}`, ...conditionsOf(organizationId, filter)];
  const query = { columns: COLUMNS, from: FROM, where, orderBy: ORDERS[filter.sort ?? 'created-at'] };
  return selectSlice<AgentPool>(db, query, page);
}

function conditionsOf(organizationId: string, { query, workspaceName, projectName }: PoolFilter): Fragment[] {
  const pattern = containing(query.toLowerCase());
  const workspace = fragment`select w.id from workspace w
    where w.organization_id = ${organizationId} and w.name = ${workspaceName}`;
  const project = fragment`select p.id from project p
    where p.organization_id = ${organizationId} and p.name = ${projectName}`;
  return [
    ...(query === '' ? [] : [fragment`lower(a.name) like ${pattern} escape '\\'`]),
    ...(workspaceName === ''
      ? []
      : [
          fragment`(a.organization_scoped = 1 or exists (select 1 from agent_pool_workspace x
            where x.agent_pool_id = a.id and x.excluded = 0 and x.workspace_id in (${workspace})))`,
          fragment`not exists (select 1 from agent_pool_workspace x
            where x.agent_pool_id = a.id and x.excluded = 1 and x.workspace_id in (${workspace}))`,
        ]),
    ...(projectName === ''
      ? []
      : [
          fragment`(a.organization_scoped = 1 or exists (select 1 from agent_pool_project x
            where x.agent_pool_id = a.id and x.project_id in (${project})))`,
        ]),
  ];
}

/** Reads the relationships of pools, each kind by name, in one query. */
export function poolLinks(db: Queries, ids: readonly string[]): Promise<PoolLink[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return select(
    db,
    fragment<PoolLink>`
      select x.agent_pool_id as "poolId", case x.excluded when 1 then 'excluded-workspaces\' else 'allowed-workspaces\' end
          as kind, w.id as target, w.name as name
        from agent_pool_workspace x join workspace w on w.id = x.workspace_id
        where ${isOneOf('x.agent_pool_id', ids)} and ${fragment.raw(NOT_DELETED)}
      union all
      select x.agent_pool_id, 'allowed-projects', p.id, p.name from agent_pool_project x
        join project p on p.id = x.project_id where ${isOneOf('x.agent_pool_id', ids)}
      union all
      select * from (select w.agent_pool_id, 'workspaces', w.id, w.name from workspace w
        where ${isOneOf('w.agent_pool_id', ids)} and ${fragment.raw(NOT_DELETED)} limit ${MAX_WORKSPACES}) u
      order by 4`,
  );
}

/**
 * Inserts a pool.
 * @throws UniqueViolation if the name is taken in the organization
 */
export function insertPool(tx: Transaction, pool: Omit<AgentPool, 'organizationName'>) {
  return tx.run(insertPoolStatement, { ...pool });
}

/** Updates a pool. Null keeps a value. Returns undefined if it does not exist. @throws UniqueViolation */
export function updatePool(tx: Transaction, id: string, name: string | null, organizationScoped: number | null) {
  return tx.one(updatePoolStatement, { id, name, organizationScoped });
}

export function removePool(tx: Transaction, id: string) {
  return tx.run(removePoolStatement, { id });
}

/** Updates the scope of a pool. Absent fields stay unchanged. */
export async function setPoolScope(tx: Transaction, id: string, scope: PoolScope): Promise<void> {
  for (const [excluded, ids] of [scope.allowedWorkspaces, scope.excludedWorkspaces].entries()) {
    if (ids === undefined) continue;
    await tx.run(clearWorkspaces, { id, excluded });
    for (const workspaceId of ids) await tx.run(insertWorkspace, { id, excluded, workspaceId });
  }
  if (scope.allowedProjects === undefined) return;
  await tx.run(clearProjects, { id });
  for (const projectId of scope.allowedProjects) await tx.run(insertProject, { id, projectId });
}
