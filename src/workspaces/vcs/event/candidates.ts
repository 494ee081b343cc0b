import type { Database } from '../../../storage/index.ts';
import { executionOf, type Workspace } from '../../workspace/index.ts';
import type { CommitRuns } from '../hooks/commit-runs.ts';
import { MOST_FOLLOWERS } from '../link/resolution.ts';
import * as linkStore from '../link/store.ts';
import type { Candidate } from '../verdict/decide.ts';
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
  { id, repositoryId, workspaceId, afterId, kind }: store.EventRow,
): Promise<Follower[]> {
  const judged = await store.judgedWorkspaces(database, id);
  const links = await linkStore.linksOf(database, repositoryId, MOST_FOLLOWERS);
  const ids = links
    .map((link) => link.workspaceId)
    .filter((each) => !judged.has(each) && (workspaceId === null || workspaceId === each));
  const ran =
    afterId === null
      ? new Set<string>()
      : await store.workspacesWithRun(database, { repositoryId, commitId: afterId, kind });
  const followers: Follower[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const withRuns = await runs().withRuns(database, some);
    for (const workspace of await workspaces.named(some)) {
      const candidate = candidateOf(workspace, withRuns.has(workspace.id), ran.has(workspace.id));
      followers.push({ workspace, candidate });
    }
  }
  return followers;
}

function candidateOf(workspace: Workspace, hasRun: boolean, ranCommit: boolean): Candidate {
  return {
    settings: workspace.settings,
    executionMode: executionOf(workspace).mode,
    isDeleted: false,
    isLocked: workspace.lock !== null,
    hasRun,
    ranCommit,
    isApproved: false,
  };
}
