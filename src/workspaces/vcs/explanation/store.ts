import { type Queries, sql } from '../../../storage/index.ts';
import type { EventState } from '../event/event.ts';

type OfCommit = {
  readonly workspaceId: string;
  readonly repositoryId: string;
  readonly kind: string;
  readonly ref: string;
  readonly commitId: string;
};

/** An event of a commit, with the verdict of one workspace if there is one. */
export interface KnownEvent {
  readonly id: string;
  readonly state: EventState;
  readonly problem: string | null;
  readonly beforeId: string | null;
  /** Verdict as JSON. */
  readonly detail: string | null;
  readonly runId: string | null;
  /** Time of the verdict, milliseconds since 1970. */
  readonly decidedAt: number | null;
}

const selectEvent = sql<OfCommit, KnownEvent>(
  `SELECT e.id, e.state, e.problem, e.before_id AS "beforeId", v.detail, v.run_id AS "runId",
     v.created_at AS "decidedAt"
   FROM vcs_event e LEFT JOIN vcs_verdict v ON v.event_id = e.id AND v.workspace_id = :workspaceId
   WHERE e.repository_id = :repositoryId AND e.kind = :kind AND e.ref = :ref AND e.after_id = :commitId
     AND (e.workspace_id IS NULL OR e.workspace_id = :workspaceId)
   ORDER BY CASE WHEN v.run_id IS NOT NULL THEN 0 WHEN v.detail IS NOT NULL THEN 1 ELSE 2 END, e.id DESC LIMIT 1`,
);
const selectRan = sql<{ workspaceId: string; commitId: string; kind: string }, { runId: string }>(
  `SELECT run_id AS "runId" FROM vcs_run
   WHERE workspace_id = :workspaceId AND commit_id = :commitId AND kind = :kind`,
);

/** Returns the event of a commit that says most about a workspace: with a run, or else with a verdict, or the newest. */
export function findKnownEvent(db: Queries, of: OfCommit): Promise<KnownEvent | undefined> {
  return db.one(selectEvent, of);
}

/** Returns whether a commit has a run in a workspace. */
export async function hasRunOf(
  db: Queries,
  of: { readonly workspaceId: string; readonly commitId: string; readonly kind: string },
): Promise<boolean> {
  return (await db.one(selectRan, of)) !== undefined;
}
