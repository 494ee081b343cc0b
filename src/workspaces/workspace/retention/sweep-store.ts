import { type Queries, sql } from '../../../storage/index.ts';
import { NOT_DELETED } from '../model/row.ts';

/** Position of the sweep: the last finished policy, and the last workspace under the next one. */
export interface SweepCursor {
  readonly policyId: string;
  readonly workspaceName: string;
}

const holdSweepStatement = sql<{ holder: string; now: number; until: number }, SweepCursor>(
  `UPDATE retention_sweep SET holder = :holder, held_until = :until
   WHERE id = 1 AND due_at <= :now AND (holder = :holder OR held_until <= :now)
   RETURNING policy_id AS "policyId", workspace_name AS "workspaceName"`,
);
const advanceSweepStatement = sql<{ holder: string; policyId: string; workspaceName: string }>(
  `UPDATE retention_sweep SET policy_id = :policyId, workspace_name = :workspaceName
   WHERE id = 1 AND holder = :holder`,
);
const endSweepStatement = sql<{ holder: string; dueAt: number }>(
  `UPDATE retention_sweep SET policy_id = '', workspace_name = '', held_until = 0, due_at = :dueAt
   WHERE id = 1 AND holder = :holder`,
);
const selectWorkspaces = sql<
  { organizationId: string; after: string; limit: number },
  { id: string; name: string; own: number }
>(
  `SELECT w.id, w.name, CASE WHEN p.id IS NULL THEN 0 ELSE 1 END AS own FROM workspace w
   LEFT JOIN data_retention_policy p ON p.workspace_id = w.id
   WHERE w.organization_id = :organizationId AND w.name > :after AND ${NOT_DELETED} ORDER BY w.name LIMIT :limit`,
);

/** Takes or extends the lease of the sweep. Returns undefined when another node holds it, or the sweep is not due. */
export function holdSweep(db: Queries, holder: string, now: number, until: number) {
  return db.one(holdSweepStatement, { holder, now, until });
}

/** Stores the holder's position. */
export function advanceSweep(db: Queries, holder: string, cursor: SweepCursor) {
  return db.run(advanceSweepStatement, { holder, ...cursor });
}

/** Ends the pass and releases the lease; the next pass starts at `dueAt`. */
export function endSweep(db: Queries, holder: string, dueAt: number) {
  return db.run(endSweepStatement, { holder, dueAt });
}

/** Returns workspaces by name, after a name. `own` is 1 if the workspace has a policy of its own. */
export function workspacesAfter(db: Queries, organizationId: string, after: string, limit: number) {
  return db.all(selectWorkspaces, { organizationId, after, limit });
}
