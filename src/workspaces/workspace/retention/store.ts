import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { PolicyType } from '../model/retention-types.ts';
import { NOT_DELETED } from '../model/row.ts';
import type { PolicySettings, RetentionPolicy } from './policy.ts';

interface PolicyRow extends Omit<RetentionPolicy, 'settings'> {
  readonly settings: string;
}

const COLUMNS = `p.id, p.organization_id AS "organizationId", o.name AS "organizationName",
  p.workspace_id AS "workspaceId", p.type, p.settings`;
const FROM = 'data_retention_policy p JOIN organization o ON o.id = p.organization_id';

const selectOfWorkspace = sql<{ workspaceId: string }, PolicyRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE p.workspace_id = :workspaceId`,
);
const selectOfOrganization = sql<{ organizationId: string }, PolicyRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE p.organization_id = :organizationId AND p.workspace_id IS NULL`,
);
const selectConcerning = sql<{ id: string }, PolicyRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE p.workspace_id = :id
   UNION ALL
   SELECT ${COLUMNS} FROM ${FROM}
   WHERE p.organization_id = (SELECT organization_id FROM workspace WHERE id = :id) AND p.workspace_id IS NULL`,
);
const selectNext = sql<{ after: string }, PolicyRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE p.id > :after ORDER BY p.id LIMIT 1`,
);
// A deleted workspace keeps its row for a while, under a name that starts with a tilde.
const selectWorkspace = sql<{ id: string }, { id: string }>(
  `SELECT id FROM workspace w WHERE id = :id AND ${NOT_DELETED}`,
);
const insertPolicyStatement = sql<{
  id: string;
  organizationId: string;
  workspaceId: string | null;
  type: string;
  settings: string;
  now: number;
}>(
  `INSERT INTO data_retention_policy (id, organization_id, workspace_id, type, settings, created_at, updated_at)
   VALUES (:id, :organizationId, :workspaceId, :type, :settings, :now, :now)`,
);
const updatePolicyStatement = sql<{ id: string; settings: string; now: number }>(
  'UPDATE data_retention_policy SET settings = :settings, updated_at = :now WHERE id = :id',
);
const removePolicyStatement = sql<{ id: string }>('DELETE FROM data_retention_policy WHERE id = :id');

/** Target of a policy: a workspace or an organization. */
export interface PolicyTarget {
  readonly organizationId: string;
  readonly workspaceId: string | null;
}

function policyOf(row: PolicyRow): RetentionPolicy {
  return { ...row, settings: JSON.parse(row.settings) as PolicySettings };
}

/** Returns the target's own policy, or undefined. */
export async function findPolicy(db: Queries, { organizationId, workspaceId }: PolicyTarget) {
  const row = await (workspaceId === null
    ? db.one(selectOfOrganization, { organizationId })
    : db.one(selectOfWorkspace, { workspaceId }));
  return row && policyOf(row);
}

/** Returns whether the target exists, in the transaction that gives it a policy. */
export async function hasPolicies(db: Queries, { workspaceId }: PolicyTarget): Promise<boolean> {
  return workspaceId === null || (await db.one(selectWorkspace, { id: workspaceId })) !== undefined;
}

/** Returns the policies of the workspace and of its organization. */
export async function policiesOfWorkspace(db: Queries, id: string): Promise<RetentionPolicy[]> {
  return (await db.all(selectConcerning, { id })).map(policyOf);
}

/** Returns the policies of these workspaces and of their organizations. */
export async function policiesOfWorkspaces(
  db: Queries,
  workspaceIds: readonly string[],
  organizationIds: readonly string[],
): Promise<RetentionPolicy[]> {
  const from = fragment.raw(`${COLUMNS} from ${FROM}`);
  const rows = await select(
    db,
    fragment<PolicyRow>`select ${from} where ${isOneOf('p.workspace_id', workspaceIds)}
      union all
      select ${from} where ${isOneOf('p.organization_id', organizationIds)} and p.workspace_id is null`,
  );
  return rows.map(policyOf);
}

/** Returns the first policy after an id, or undefined. */
export async function nextPolicy(db: Queries, after: string): Promise<RetentionPolicy | undefined> {
  const row = await db.one(selectNext, { after });
  return row && policyOf(row);
}

/** Inserts a policy unless the target has one. */
export function insertPolicy(
  db: Queries,
  policy: PolicyTarget & { readonly id: string; readonly type: PolicyType; readonly settings: PolicySettings },
  now: number,
) {
  return db.run(insertPolicyStatement, { ...policy, settings: JSON.stringify(policy.settings), now });
}

export function updatePolicy(db: Queries, id: string, settings: PolicySettings, now: number) {
  return db.run(updatePolicyStatement, { id, settings: JSON.stringify(settings), now });
}

/** Deletes the target's policy. Returns the number of rows. */
export function removePolicy(db: Queries, id: string) {
  return db.run(removePolicyStatement, { id });
}
