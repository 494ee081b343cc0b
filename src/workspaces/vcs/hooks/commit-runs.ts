import type { Queries, Transaction } from '../../../storage/index.ts';

/** A commit to run in one workspace. */
export interface CommitRun {
  readonly workspaceId: string;
  /** `vcs_archive` with the files of the commit. */
  readonly archiveId: string;
  /** Source of the configuration version as clients know it, such as `github` or `git`. */
  readonly source: string;
  /** Whether the run only plans: pull requests. */
  readonly speculative: boolean;
  /** First line of the commit message, or what a user wrote. */
  readonly message: string;
  readonly ingress: IngressAttributes;
  /** Whether strangers wrote the commit: a fork. The run only plans, and gets no secrets. Default: false. */
  readonly untrusted?: boolean;
}

/** Origin of a configuration version that came from a repository (facts: attributes of `ingress-attributes`). */
export interface IngressAttributes {
  readonly branch: string | null;
  readonly cloneUrl: string;
  readonly commitMessage: string;
  readonly commitSha: string;
  readonly commitUrl: string | null;
  readonly compareUrl: string | null;
  readonly identifier: string;
  readonly isPullRequest: boolean;
  readonly onDefaultBranch: boolean;
  readonly pullRequestNumber: number | null;
  readonly pullRequestUrl: string | null;
  readonly pullRequestTitle: string | null;
  readonly pullRequestBody: string | null;
  readonly tag: string | null;
  readonly senderUsername: string | null;
  readonly senderAvatarUrl: string | null;
  readonly senderHtmlUrl: string | null;
}

/** Runs of commits, which the execution module starts. */
export interface CommitRuns {
  /**
   * Creates the configuration version of a commit and starts its run, in the transaction.
   * @returns the run, or why the workspace cannot run it now
   */
  start(tx: Transaction, request: CommitRun, now: number): Promise<StartedRun | { readonly refusal: string }>;
  /** Returns those of the workspaces that ever had a run. */
  withRuns(db: Queries, workspaceIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Cancels or discards unfinished speculative runs of older commits of a pull request. */
  cancelOutdated(tx: Transaction, runIds: readonly string[], now: number): Promise<void>;
}

export interface StartedRun {
  readonly runId: string;
  readonly configurationVersionId: string;
}
