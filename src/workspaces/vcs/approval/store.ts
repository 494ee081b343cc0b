import { type Queries, sql } from '../../../storage/index.ts';
import type { EventDetails } from '../event/event.ts';
import type { PullCommit } from '../fork/approval.ts';

const selectEvents = sql<{ repositoryId: string; ref: string; commitId: string }, { details: string }>(
  `SELECT details FROM vcs_event WHERE repository_id = :repositoryId AND kind = 'pull' AND ref = :ref
     AND after_id = :commitId AND workspace_id IS NULL ORDER BY id DESC LIMIT 20`,
);

/** Returns the details of the event by which a commit of a pull request came; undefined if it was deleted. */
export async function detailsOf(db: Queries, { repositoryId, pullNumber, commitId }: PullCommit, ref: string) {
  const events = await db.all(selectEvents, { repositoryId, ref, commitId });
  return events
    .map(({ details }) => JSON.parse(details) as EventDetails)
    .find(({ pull }) => pull?.number === pullNumber);
}
