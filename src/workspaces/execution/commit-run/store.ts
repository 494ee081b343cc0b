import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { RowOutbox } from '../../delivery/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';

/** A commit that a user asked for. The id is that of its configuration version. */
export interface CommitFetch {
  readonly id: string;
  readonly workspaceId: string;
  /** Branch, tag or commit; null for the newest commit of the branch that the workspace follows. */
  readonly ref: string | null;
  readonly createdByName: string;
  readonly createdAt: number;
}

/** Commits that are being fetched. */
export const fetches = new RowOutbox<CommitFetch>({
  table: 'commit_fetch',
  columns: 'id, workspace_id AS "workspaceId", ref, created_by_name AS "createdByName", created_at AS "createdAt"',
});

const insertStatement = sql<{ [Column in keyof CommitFetch]: CommitFetch[Column] } & { organizationId: string }>(
  `INSERT INTO commit_fetch (id, organization_id, workspace_id, ref, created_by_name, created_at, target, due_at)
   VALUES (:id, :organizationId, :workspaceId, :ref, :createdByName, :createdAt, :workspaceId, :createdAt)`,
);
const countDue = sql<{ workspaceId: string }, { count: number }>(
  'SELECT count(*) AS count FROM commit_fetch WHERE workspace_id = :workspaceId AND due_at IS NOT NULL',
);

export function insertFetch(tx: Transaction, fetch: CommitFetch, organizationId: string) {
  return tx.run(insertStatement, { ...fetch, organizationId });
}

/** Returns how many commits of a workspace are being fetched. */
export async function countFetches(db: Queries, workspaceId: string): Promise<number> {
  return Number((await db.one(countDue, { workspaceId }))?.count ?? 0);
}

/** Returns those of the workspaces that ever had a run. A retention policy may have deleted all runs but the current. */
export async function workspacesWithRuns(db: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const query = fragment<{ id: string }>`select w.id from workspace w where ${isOneOf('w.id', ids)}
    and (w.current_run_id is not null or exists
      (select 1 from run r where r.workspace_id = w.id and r.operation <> 'assessment'))`;
  return new Set((await select(db, query)).map(({ id }) => id));
}
