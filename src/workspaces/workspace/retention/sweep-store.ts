import { type Queries, sql } from '../../../storage/index.ts';

/** How far the sweep has come: the last policy that is done, and the last workspace under the one after it. */
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
   WHERE w.organization_id = :organizationId AND w.name > :after AND w.name < '~' ORDER BY w.name LIMIT :limit`,
);

/** Takes the sweep for a while, or keeps it. Undefined when another node has it, or it is not due. */
export function holdSweep(db: Queries, holder: string, now: number, until: number) {
  return db.one(holdSweepStatement, { holder, now, until });
}

/** Writes down how far the holder has come. */
export function advanceSweep(db: Queries, holder: string, cursor: SweepCursor) {
  return db.run(advanceSweepStatement, { holder, ...cursor });
}

/** The holder is done until `dueAt`. */
export function endSweep(db: Queries, holder: string, dueAt: number) {
  return db.run(endSweepStatement, { holder, dueAt });
}

/** Workspaces behind a name, by name; `own` is 1 where one has a policy of its own. */
export function workspacesAfter(db: Queries, organizationId: string, after: string, limit: number) {
  return db.all(selectWorkspaces, { organizationId, after, limit });
}
