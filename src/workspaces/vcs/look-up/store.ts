import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { KnownPull } from './pulls.ts';
import type { KnownRef, Wanted } from './refs.ts';

const selectFollowed = sql<{ repositoryId: string }, { branch: string | null; followsTags: number }>(
  'SELECT DISTINCT branch, follows_tags AS "followsTags" FROM vcs_workspace WHERE repository_id = :repositoryId',
);
const selectFirst = sql<{ repositoryId: string; most: number }, FirstRun>(
  `SELECT workspace_id AS "workspaceId", branch FROM vcs_workspace
   WHERE repository_id = :repositoryId AND first_run = 1 AND follows_tags = 0 ORDER BY workspace_id LIMIT :most`,
);
const clearFirst = sql<{ workspaceId: string }>(
  'UPDATE vcs_workspace SET first_run = 0 WHERE workspace_id = :workspaceId',
);
const selectRefs = sql<{ repositoryId: string }, KnownRef>(
  'SELECT name, commit_id AS "commitId" FROM vcs_ref WHERE repository_id = :repositoryId',
);
const putRef = sql<{ repositoryId: string } & { name: string; commitId: string }>(
  `INSERT INTO vcs_ref (repository_id, name, commit_id) VALUES (:repositoryId, :name, :commitId)
   ON CONFLICT (repository_id, name) DO UPDATE SET commit_id = :commitId`,
);
const removeRef = sql<{ repositoryId: string; name: string }>(
  'DELETE FROM vcs_ref WHERE repository_id = :repositoryId AND name = :name',
);
const selectPulls = sql<{ repositoryId: string }, KnownPull>(
  `SELECT number, state, head_id AS "headId", head_ref AS "headRef", base_ref AS "baseRef", is_fork AS "isFork",
     is_draft AS "isDraft" FROM vcs_pull WHERE repository_id = :repositoryId`,
);
type PullRow = { readonly [Column in keyof KnownPull]: KnownPull[Column] };
const putPull = sql<PullRow & { repositoryId: string; now: number }>(
  `INSERT INTO vcs_pull (repository_id, number, state, head_id, head_ref, base_ref, is_fork, is_draft, changed_at)
   VALUES (:repositoryId, :number, :state, :headId, :headRef, :baseRef, :isFork, :isDraft, :now)
   ON CONFLICT (repository_id, number) DO UPDATE SET state = :state, head_id = :headId, head_ref = :headRef,
     base_ref = :baseRef, is_fork = :isFork, is_draft = :isDraft, changed_at = CAST(:now AS BIGINT)`,
);
const removeClosed = sql<{ before: number; step: number }>(
  `DELETE FROM vcs_pull WHERE (repository_id, number) IN (SELECT repository_id, number FROM vcs_pull
     WHERE state <> 'open' AND changed_at < :before LIMIT :step)`,
);

/** A workspace that wants a run of the newest commit of its branch; null for the default branch. */
export interface FirstRun {
  readonly workspaceId: string;
  readonly branch: string | null;
}

/** Returns what the workspaces of a repository follow; undefined if none follows it. */
export async function wantedOf(db: Queries, repositoryId: string): Promise<Wanted | undefined> {
  const rows = await db.all(selectFollowed, { repositoryId });
  if (rows.length === 0) return undefined;
  return {
    branches: [...new Set(rows.flatMap(({ branch }) => branch ?? []))],
    followsDefault: rows.some(({ branch }) => branch === null),
    followsTags: rows.some(({ followsTags }) => followsTags === 1),
  };
}

/** Returns workspaces that wait for their first run. */
export function firstRunsOf(db: Queries, repositoryId: string, most: number): Promise<FirstRun[]> {
  return db.all(selectFirst, { repositoryId, most });
}

export function clearFirstRun(tx: Transaction, workspaceId: string) {
  return tx.run(clearFirst, { workspaceId });
}

/** Returns the refs that the last look-up found. */
export function refsOf(db: Queries, repositoryId: string): Promise<KnownRef[]> {
  return db.all(selectRefs, { repositoryId });
}

export async function writeRefs(
  tx: Transaction,
  repositoryId: string,
  { rows, removed }: { readonly rows: readonly KnownRef[]; readonly removed: readonly string[] },
): Promise<void> {
  for (const { name, commitId } of rows) await tx.run(putRef, { repositoryId, name, commitId });
  for (const name of removed) await tx.run(removeRef, { repositoryId, name });
}

/** Returns the pull requests that earlier look-ups found, by number. */
export async function pullsOf(db: Queries, repositoryId: string): Promise<Map<number, KnownPull>> {
  return new Map((await db.all(selectPulls, { repositoryId })).map((pull) => [pull.number, pull]));
}

export async function writePulls(
  tx: Transaction,
  repositoryId: string,
  pulls: readonly KnownPull[],
  now: number,
): Promise<void> {
  for (const pull of pulls) await tx.run(putPull, { repositoryId, ...pull, now });
}

/** Deletes some pull requests that were closed before a time. Returns how many. */
export function removeClosedPulls(db: Queries, before: number, step: number) {
  return db.run(removeClosed, { before, step });
}
