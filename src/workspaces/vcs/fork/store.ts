import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { ForkApproval, PullCommit } from './approval.ts';

const COLUMNS = `id, workspace_id AS "workspaceId", repository_id AS "repositoryId", pull_number AS "pullNumber",
  commit_id AS "commitId", approved_by AS "approvedBy", approved_by_name AS "approvedByName", created_at AS "createdAt"`;

type OfCommit = { readonly repositoryId: string; readonly pullNumber: number; readonly commitId: string };
type Row = { readonly [Column in keyof ForkApproval]: ForkApproval[Column] };

const insert = sql<Row, { id: string }>(
  `INSERT INTO vcs_fork_approval (id, workspace_id, repository_id, pull_number, commit_id, approved_by,
     approved_by_name, created_at)
   VALUES (:id, :workspaceId, :repositoryId, :pullNumber, :commitId, :approvedBy, :approvedByName, :createdAt)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const selectOne = sql<OfCommit & { workspaceId: string }, ForkApproval>(
  `SELECT ${COLUMNS} FROM vcs_fork_approval WHERE workspace_id = :workspaceId AND repository_id = :repositoryId
     AND pull_number = :pullNumber AND commit_id = :commitId`,
);
const selectWorkspaces = sql<OfCommit, { workspaceId: string }>(
  `SELECT workspace_id AS "workspaceId" FROM vcs_fork_approval
   WHERE repository_id = :repositoryId AND pull_number = :pullNumber AND commit_id = :commitId`,
);
const selectPull = sql<{ repositoryId: string; number: number }, ForkPull>(
  `SELECT state, head_id AS "headId", head_ref AS "headRef", base_ref AS "baseRef", is_fork AS "isFork",
     is_draft AS "isDraft" FROM vcs_pull WHERE repository_id = :repositoryId AND number = :number`,
);
/** A pull request at the last look-up. Flags are 0 and 1. */
export interface ForkPull {
  readonly state: string;
  readonly headId: string;
  readonly headRef: string;
  readonly baseRef: string;
  readonly isFork: number;
  readonly isDraft: number;
}

/** Stores an approval. Returns false if there is one. */
export async function insertApproval(tx: Transaction, approval: ForkApproval): Promise<boolean> {
  return (await tx.one(insert, { ...approval })) !== undefined;
}

export function findApproval(db: Queries, workspaceId: string, commit: PullCommit): Promise<ForkApproval | undefined> {
  return db.one(selectOne, { workspaceId, ...commit });
}

/** Returns the workspaces for which a commit of a pull request is approved. */
export async function approvedWorkspaces(db: Queries, commit: PullCommit): Promise<Set<string>> {
  return new Set((await db.all(selectWorkspaces, { ...commit })).map(({ workspaceId }) => workspaceId));
}

export function findPull(db: Queries, repositoryId: string, number: number): Promise<ForkPull | undefined> {
  return db.one(selectPull, { repositoryId, number });
}
