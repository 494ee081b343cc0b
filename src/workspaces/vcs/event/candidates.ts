import type { Database } from '../../../storage/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import { approvedWorkspaces } from '../fork/store.ts';
import type { CommitRuns } from '../hooks/commit-runs.ts';
import { MOST_FOLLOWERS } from '../link/resolution.ts';
import * as linkStore from '../link/store.ts';
import { candidateOf } from '../verdict/candidate.ts';
import type { Candidate } from '../verdict/decide.ts';
import type { EventDetails } from './event.ts';
import * as store from './store.ts';

/** Number of workspaces that are read in one query. */
const AT_ONCE = 200;

/** A workspace whose verdict is missing. */
export interface Follower {
  readonly workspace: Workspace;
  readonly candidate: Candidate;
}

/** Dependencies of `followersOf`. */
export interface FollowersOptions {
  readonly database: Database;
  readonly workspaces: { named(ids: readonly string[]): Promise<readonly Workspace[]> };
  readonly runs: () => CommitRuns;
}

/** Returns the workspaces that follow a repository and have no verdict of an event. */
export async function followersOf(
  { database, workspaces, runs }: FollowersOptions,
  event: store.EventRow,
): Promise<Follower[]> {
  const { id, repositoryId, workspaceId, afterId, kind } = event;
  const judged = await store.judgedWorkspaces(database, id);
  const links = await linkStore.linksOf(database, repositoryId, MOST_FOLLOWERS);
  const ids = links
    .map((link) => link.workspaceId)
    .filter((each) => !judged.has(each) && (workspaceId === null || workspaceId === each));
  const ran =
    afterId === null
      ? new Set<string>()
      : await store.workspacesWithRun(database, { repositoryId, commitId: afterId, kind });
  const approved = await approvedFor(database, event);
  const followers: Follower[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const withRuns = await runs().withRuns(database, some);
    for (const workspace of await workspaces.named(some)) {
      const isIn = (ids: ReadonlySet<string>) => ids.has(workspace.id);
      const facts = { hasRun: isIn(withRuns), ranCommit: isIn(ran), isApproved: isIn(approved) };
      followers.push({ workspace, candidate: candidateOf(workspace, facts) });
    }
  }
  return followers;
}

/** Returns the workspaces for which a user approved the commit, if it is from a fork. */
async function approvedFor(
  database: Database,
  { repositoryId, afterId: commitId, details }: store.EventRow,
): Promise<ReadonlySet<string>> {
  const { pull } = JSON.parse(details) as EventDetails;
  if (!pull?.isFork || commitId === null) return new Set();
  return approvedWorkspaces(database, { repositoryId, pullNumber: pull.number, commitId });
}
