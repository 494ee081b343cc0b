/** A user's approval to plan one commit of a pull request from a fork in one workspace. */
export interface ForkApproval {
  readonly id: string;
  readonly workspaceId: string;
  readonly repositoryId: string;
  readonly pullNumber: number;
  readonly commitId: string;
  /** Id and name of the user at that time. */
  readonly approvedBy: string;
  readonly approvedByName: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Newest commit of a pull request. */
export interface PullCommit {
  readonly repositoryId: string;
  readonly pullNumber: number;
  readonly commitId: string;
}
