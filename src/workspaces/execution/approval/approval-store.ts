import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { Approval } from './approval.ts';

const COLUMNS = `id, run_id AS "runId", user_id AS "userId", user_name AS "userName", comment_id AS "commentId", times,
  created_at AS "createdAt", revoked_at AS "revokedAt"`;

const selectOne = sql<{ runId: string; userId: string }, Approval>(
  `SELECT ${COLUMNS} FROM run_approval WHERE run_id = :runId AND user_id = :userId`,
);
const countStanding = sql<{ runId: string }, { count: number }>(
  'SELECT count(*) AS count FROM run_approval WHERE run_id = :runId AND revoked_at IS NULL',
);
const upsert = sql<Omit<Approval, 'times' | 'revokedAt'>>(
  `INSERT INTO run_approval (id, run_id, user_id, user_name, comment_id, times, created_at, revoked_at)
   VALUES (:id, :runId, :userId, :userName, :commentId, 1, :createdAt, NULL)
   ON CONFLICT (run_id, user_id) DO UPDATE SET user_name = excluded.user_name, comment_id = excluded.comment_id,
     times = run_approval.times + 1, created_at = excluded.created_at, revoked_at = NULL`,
);
const revoke = sql<{ id: string; revokedAt: number }>('UPDATE run_approval SET revoked_at = :revokedAt WHERE id = :id');

/** Returns the approvals of these runs, revoked ones too, oldest first. */
export function approvalsOfRuns(db: Queries, runIds: readonly string[]): Promise<Approval[]> {
  if (runIds.length === 0) return Promise.resolve([]);
  const columns = fragment.raw(COLUMNS);
  return select(
    db,
    fragment<Approval>`select ${columns} from run_approval where ${isOneOf('run_id', runIds)} order by created_at, id`,
  );
}

/** Finds the approval of a user. Returns undefined if they never approved the run. */
export function approvalOf(db: Queries, runId: string, userId: string) {
  return db.one(selectOne, { runId, userId });
}

/** Returns how many approvals of the run are not revoked. */
export async function countApprovals(db: Queries, runId: string): Promise<number> {
  return (await db.one(countStanding, { runId }))?.count ?? 0;
}

/** Inserts an approval, or renews one that was revoked. */
export function putApproval(db: Queries, approval: Omit<Approval, 'times' | 'revokedAt'>) {
  return db.run(upsert, approval);
}

export function revokeApproval(db: Queries, id: string, revokedAt: number) {
  return db.run(revoke, { id, revokedAt });
}
