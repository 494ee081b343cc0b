import type { GitRemote, Ref } from '../../../git/index.ts';
import type { Database } from '../../../storage/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { CommitArchiveStore } from '../archive/archives.ts';
import type { CommitArchives, FetchedCommit } from '../hooks/commit-archives.ts';
import type { Link } from '../link/link.ts';
import { findLink, withdrawnWorkspaces } from '../link/store.ts';
import { failureOf, NO_REPOSITORY } from '../repository/failures.ts';
import type { ConnectionOpener } from '../repository/opened.ts';
import type { Repository } from '../repository/repository.ts';
import { findRepository } from '../repository/store.ts';
import { check, checkText } from '../verdict/words.ts';
import { ingressOf } from './ingress.ts';

const NO_LINK = 'The workspace follows no repository. Connect it to one first';
const UNRESOLVED = 'The repository of the workspace is being looked up. Try again in a minute';
const NO_CONNECTION = 'The connection of the workspace was deleted, or has not been checked yet';
const WITHDRAWN = checkText(check('connection-withdrawn'));
const COMMIT_ID = /^[0-9a-f]{40}$/;

/** Dependencies of `CommitsByHand`. */
export interface CommitsByHandOptions {
  readonly database: Database;
  readonly opener: ConnectionOpener;
  readonly archives: CommitArchiveStore;
  readonly workspaces: { named(ids: readonly string[]): Promise<readonly Workspace[]> };
}

/** A branch or tag, and its commit. */
interface Head {
  readonly kind: 'push' | 'tag';
  readonly ref: string;
  readonly commitId: string;
}

/** Fetches commits that users ask for. Only heads of branches and tags: a commit id proves no origin. */
export class CommitsByHand implements CommitArchives {
  readonly #options: CommitsByHandOptions;

  constructor(options: CommitsByHandOptions) {
    this.#options = options;
  }

  async whyNot(workspaceId: string): Promise<string | undefined> {
    const found = await this.#repositoryOf(workspaceId);
    return 'refusal' in found ? found.refusal : undefined;
  }

  async ensure(workspaceId: string, ref: string | null): Promise<FetchedCommit | { readonly refusal: string }> {
    const found = await this.#repositoryOf(workspaceId);
    if ('refusal' in found) return found;
    try {
      return await this.#fetch(found.link, found.repository, ref);
    } catch (error) {
      const { isTemporary, reason } = failureOf(error);
      if (isTemporary) throw error;
      return { refusal: reason };
    }
  }

  async #repositoryOf(
    workspaceId: string,
  ): Promise<{ readonly link: Link; readonly repository: Repository } | { readonly refusal: string }> {
    const { database } = this.#options;
    const link = await findLink(database, workspaceId);
    if (link === undefined) return { refusal: NO_LINK };
    if ((await withdrawnWorkspaces(database, [workspaceId])).has(workspaceId)) return { refusal: WITHDRAWN };
    const repository = link.repositoryId === null ? undefined : await findRepository(database, link.repositoryId);
    if (repository === undefined) return { refusal: link.problem ?? UNRESOLVED };
    const { health, healthReason } = repository;
    if (health === 'gone' || health === 'forbidden') return { refusal: healthReason ?? NO_REPOSITORY.reason };
    return { link, repository };
  }

  async #fetch(
    link: Link,
    known: Repository,
    ref: string | null,
  ): Promise<FetchedCommit | { readonly refusal: string }> {
    const { archives, database, opener, workspaces } = this.#options;
    const opened = await opener.open(database, known.connectionId);
    const [workspace] = await workspaces.named([link.workspaceId]);
    if (typeof opened === 'string' || workspace === undefined) return { refusal: NO_CONNECTION };
    const { kind, access } = opened;
    const described = await kind.provider.repository(access, known);
    if (described === undefined) return { refusal: NO_REPOSITORY.reason };
    const repository = { ...known, gitUrl: described.gitUrl, identifier: described.identifier };
    const remote = opened.remote(repository);
    const wanted = ref ?? link.branch;
    const head = await findHead(remote, wanted);
    if (head === undefined) return { refusal: noHead(wanted) };
    const commit = await remote.commit(head.commitId);
    const submodules = workspace.settings['vcs-repo']?.['ingress-submodules'] ?? false;
    const archiveId = await archives.ensure(repository, remote, head.commitId, submodules);
    const details = { sender: null, compareUrl: null, pull: null };
    const ingress = ingressOf(repository, kind.source, commit, { ...head, details });
    return { archiveId, source: kind.source, ingress };
  }
}

/** @param wanted branch, tag, or id of a commit that is the head of one; null for the default branch */
async function findHead(remote: GitRemote, wanted: string | null): Promise<Head | undefined> {
  if (wanted === null) {
    const head = (await remote.refs(['HEAD'])).find(({ name }) => name === 'HEAD');
    return head && { kind: 'push', ref: shortName(head.target ?? 'HEAD'), commitId: head.commitId };
  }
  const isId = COMMIT_ID.test(wanted);
  const refs = await remote.refs(
    isId ? ['refs/heads/', 'refs/tags/'] : [`refs/heads/${wanted}`, `refs/tags/${wanted}`],
  );
  const found = refs.find(({ name, commitId }) => (isId ? commitId === wanted : shortName(name) === wanted));
  return found && headOf(found);
}

const headOf = ({ name, commitId }: Ref): Head => ({
  kind: name.startsWith('refs/tags/') ? 'tag' : 'push',
  ref: shortName(name),
  commitId,
});

const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, '');

function noHead(wanted: string | null): string {
  if (wanted === null) return 'The repository has no commit yet. Push one first';
  if (COMMIT_ID.test(wanted)) return `The commit ${wanted} is not the newest of a branch or tag of the repository`;
  return `The repository has no branch or tag ${wanted}`;
}
