import type { RunResult } from '../hooks/run-results.ts';

/** An event of a commit. */
export interface ReportedEvent {
  readonly id: string;
  readonly kind: 'push' | 'tag' | 'pull';
  /** Branch, tag, or head branch of the pull request. */
  readonly ref: string;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly pull: { readonly number: number; readonly baseRef: string; readonly isFork: boolean } | null;
  readonly createdAt: number;
}

/** A workspace that follows the repository, and what a commit did in it. */
export interface ReportedWorkspace {
  readonly name: string;
  /** Runs of the commit: a plan of a pull request, and a run of a branch or tag. */
  readonly runs: readonly RunResult[];
  /** Code of the verdict that decided, where no run was started. */
  readonly code: string | null;
  /** Whether a pull request of the commit is for the branch that the workspace follows. */
  readonly isTarget: boolean;
}

/** Returns whether the run of a workspace could not be created. */
export const isRefused = ({ runs, code }: ReportedWorkspace): boolean => runs.length === 0 && code === 'refused';

/** Returns whether a commit started a run in a workspace, or should have. */
export const isTriggered = (workspace: ReportedWorkspace): boolean => workspace.runs.length > 0 || isRefused(workspace);

/** Everything that decides what a provider shows for a commit. */
export interface CommitFacts {
  readonly organizationName: string;
  /** Newest first. At least one. */
  readonly events: readonly ReportedEvent[];
  readonly workspaces: readonly ReportedWorkspace[];
  /** Whether a workspace follows the target of a pull request of the commit, or the branch that was pushed. */
  readonly isFollowed: boolean;
}

/** Settings of an organization for reports. */
export interface ReportSettings {
  readonly 'aggregated-commit-status-enabled': boolean;
  readonly 'send-passing-statuses-for-untriggered-speculative-plans': boolean;
  readonly 'pull-request-comments': boolean;
}

/** Returns the URLs of a server's console. Without a public URL of the server, all of them are that of the repository. */
export interface ReportLinks {
  run(workspaceName: string, runId: string): string;
  event(eventId: string): string;
}

/** Creates the links for an organization. */
export function reportLinks(address: string | undefined, organizationName: string, repositoryUrl: string): ReportLinks {
  if (address === undefined) return { run: () => repositoryUrl, event: () => repositoryUrl };
  const base = `${address.replace(/\/+$/, '')}/app/${encodeURIComponent(organizationName)}`;
  return {
    run: (workspaceName, runId) => `${base}/${encodeURIComponent(workspaceName)}/runs/${runId}`,
    event: (eventId) => `${base}/vcs-events/${eventId}`,
  };
}
