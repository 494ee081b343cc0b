import type { Database, Queries } from '../../../storage/index.ts';
import type { Workspace } from '../../workspace/index.ts';
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
  /** Returns the workspaces for which a user approved a commit of a pull request from a fork. */
  readonly approvedIn: (
    db: Queries,
    commit: { readonly repositoryId: string; readonly pullNumber: number; readonly commitId: string },
  ) => Promise<ReadonlySet<string>>;
}

/** Returns the workspaces that follow a repository and have no verdict of an event. */
export async function followersOf(options: FollowersOptions, event: store.EventRow): Promise<Follower[]> {
  const { database, workspaces, runs } = options;
  const judged = await store.judgedWorkspaces(database, event.id);
  const links = await linkStore.linksOf(database, event.repositoryId, MOST_FOLLOWERS);
  const ids = links
    .map(({ workspaceId }) => workspaceId)
    .filter((id) => !judged.has(id) && (event.workspaceId === null || event.workspaceId === id));
  const { ran, approved } = await historyOf(options, event);
  const followers: Follower[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const withRuns = await runs().withRuns(database, some);
    const withdrawn = await linkStore.withdrawnWorkspaces(database, some);
    for (const workspace of await workspaces.named(some)) {
      const { id } = workspace;
      const commit = { ranCommit: ran.has(id), isApproved: approved.has(id) };
      const facts = { hasRun: withRuns.has(id), isWithdrawn: withdrawn.has(id), ...commit };
      followers.push({ workspace, candidate: candidateOf(workspace, facts) });
    }
  }
  return followers;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the workspaces in which the commit ran, and for which it is approved. */
async function historyOf(
  { database, approvedIn }: FollowersOptions,
  { repositoryId, afterId: commitId, kind, details }: store.EventRow,
) {
  if (commitId === null) return { ran: NONE, approved: NONE };
  const { pull } = JSON.parse(details) as EventDetails;
  const ran = await store.workspacesWithRun(database, { repositoryId, commitId, kind });
  const approved = pull?.isFork
    ? await approvedIn(database, { repositoryId, pullNumber: pull.number, commitId })
    : NONE;
  return { ran, approved };
}
