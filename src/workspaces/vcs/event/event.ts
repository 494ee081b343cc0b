import type { Sender } from '../provider/port.ts';

/** State of an event. waiting: verdicts are missing. done: each workspace has one. failed: the server gave up. */
export type EventState = 'waiting' | 'done' | 'failed';

/**
 * A change in a repository that the server has seen itself: refs by Git's protocol, pull requests by the provider's API.
 * Times are milliseconds since 1970. Object ids are 40 hexadecimal digits.
 */
export interface VcsEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly repositoryId: string;
  readonly kind: 'push' | 'tag' | 'pull';
  /** Branch, tag, or head branch of the pull request, without `refs/…/`. */
  readonly ref: string;
  /** Commit before; null if the server knew none: a new branch, tag or pull request. */
  readonly beforeId: string | null;
  /** Commit after it, with tags peeled; null if the branch or tag was deleted, or the pull request closed. */
  readonly afterId: string | null;
  readonly details: EventDetails;
  readonly state: EventState;
  /** Reason why it failed, or is being tried again. */
  readonly problem: string | null;
  readonly createdAt: number;
}

/** Members of an event that are only shown, except for `pull`. Texts of strangers are truncated, never escaped. */
export interface EventDetails {
  readonly sender: Sender | null;
  readonly compareUrl: string | null;
  readonly pull: EventPull | null;
}

export interface EventPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly baseRef: string;
  readonly isFork: boolean;
  readonly isDraft: boolean;
  readonly mergeBaseId: string | null;
}
