import type { IngressAttributes } from './commit-runs.ts';

/** A commit whose files are stored. */
export interface FetchedCommit {
  readonly archiveId: string;
  /** Source of the configuration version as clients know it, such as `github` or `git`. */
  readonly source: string;
  readonly ingress: IngressAttributes;
}

/** Commits that users ask for by hand, which the server fetches from the repository that a workspace follows. */
export interface CommitArchives {
  /** Returns why the workspace cannot have commits fetched; undefined if it can. */
  whyNot(workspaceId: string): Promise<string | undefined>;
  /**
   * Finds a commit and stores its files, unless they are stored already. Calling it again is harmless.
   * @param ref name of a branch or tag, or the id of a commit that is the head of one; null for the head of the branch
   * that the workspace follows
   * @returns the commit, or why it cannot be had, in words for users; then another try will not help
   * @throws an error if another try may help
   */
  ensure(workspaceId: string, ref: string | null): Promise<FetchedCommit | { readonly refusal: string }>;
}
