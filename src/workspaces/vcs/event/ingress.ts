import type { Commit } from '../../../git/index.ts';
import type { IngressAttributes } from '../hooks/commit-runs.ts';
import type { ProviderKind } from '../provider/providers.ts';
import type { Repository } from '../repository/repository.ts';
import type { EventDetails } from './event.ts';

/** Paths of the page of a commit, below the page of the repository. Plain Git servers have none. */
const COMMIT_PAGES: Readonly<Record<string, string>> = {
  github: 'commit',
  gitea: 'commit',
  gitlab: '-/commit',
  bitbucket: 'commits',
  ado: 'commit',
};

/** How a commit came to a workspace. */
export interface Origin {
  readonly kind: 'push' | 'tag' | 'pull';
  readonly ref: string;
  readonly details: EventDetails;
}

/** Returns the page of a commit at its provider; null if there is none. */
function commitPage(source: ProviderKind['source'], httpUrl: string, commitId: string): string | null {
  const path = COMMIT_PAGES[source];
  return path === undefined ? null : `${httpUrl.replace(/\/+$/, '')}/${path}/${commitId}`;
}

/** Returns where a configuration version came from. */
export function ingressOf(
  repository: Repository,
  source: ProviderKind['source'],
  commit: Commit,
  { kind, ref, details }: Origin,
): IngressAttributes {
  const { sender, compareUrl, pull } = details;
  const branch = kind === 'tag' ? repository.defaultBranch : ref;
  return {
    branch,
    cloneUrl: repository.gitUrl,
    commitMessage: commit.message,
    commitSha: commit.id,
    commitUrl: commitPage(source, repository.httpUrl, commit.id),
    compareUrl,
    identifier: repository.displayIdentifier,
    isPullRequest: pull !== null,
    onDefaultBranch: kind === 'push' && ref === repository.defaultBranch,
    pullRequestNumber: pull?.number ?? null,
    pullRequestUrl: pull?.url ?? null,
    pullRequestTitle: pull?.title ?? null,
    pullRequestBody: pull?.body ?? null,
    tag: kind === 'tag' ? ref : null,
    senderUsername: sender?.name ?? null,
    senderAvatarUrl: sender?.avatarUrl ?? null,
    senderHtmlUrl: sender?.url ?? null,
  };
}

/** Returns the first line of a commit message. */
export const firstLine = (message: string): string => message.trimStart().split('\n', 1)[0] ?? '';
