import type { Settings } from '../../workspace/index.ts';

/** Which repository a workspace follows, as its settings say. */
export interface Followed {
  /** Id of a token of a connection, or of an installation of a GitHub App. */
  readonly connectionId: string;
  readonly identifier: string;
  /** Null for the default branch. */
  readonly branch: string | null;
  /** 1 if it follows tags. */
  readonly followsTags: number;
}

/** A workspace that follows a repository. */
export interface Link extends Followed {
  readonly workspaceId: string;
  readonly organizationId: string;
  /** Null until the identifier has been looked up at the provider. */
  readonly repositoryId: string | null;
  /** Reason why the repository cannot be followed. */
  readonly problem: string | null;
  /** 1 if a run of the newest commit is wanted as soon as it is known. */
  readonly firstRun: number;
}

type Installation = { readonly 'github-app-installation-id'?: string | null };

/** Returns the repository that a workspace with these settings follows. */
export function followedBy(settings: Settings): Followed | undefined {
  const repo = settings['vcs-repo'] as (Settings['vcs-repo'] & Installation) | null;
  const connectionId = repo?.['oauth-token-id'] ?? repo?.['github-app-installation-id'];
  if (repo === null || !connectionId) return undefined;
  const { identifier, branch, 'tags-regex': regex } = repo;
  return { connectionId, identifier, branch: branch || null, followsTags: regex ? 1 : 0 };
}
