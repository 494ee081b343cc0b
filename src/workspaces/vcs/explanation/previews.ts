import type { Commit, GitRemote } from '../../../git/git-remote.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import type { Actor } from '../../tenancy/index.ts';
import { DEFAULT_SETTINGS, nextTriggers, type Settings } from '../../workspace/index.ts';
import { EventFiles } from '../event/changes.ts';
import type { Repository } from '../repository/repository.ts';
import { candidateOf } from '../verdict/candidate.ts';
import { FileMatcher } from '../verdict/changed-files.ts';
import { type Candidate, decide, type Occasion, type Verdict } from '../verdict/decide.ts';
import type { Check } from '../verdict/words.ts';
import { branchHead } from './question.ts';
import type { Targets } from './target.ts';

/** Lists of changed files in memory, so that a preview of other triggers needs no Git server. */
const CACHED_LISTS = 200;
/** Maximum number of files of a list in memory. */
const CACHED_FILES = 5_000;

/** Attributes of a workspace that are not saved. */
type Unsaved = Parameters<typeof nextTriggers>[1];

/** A commit or tag of the past, and whether it would start a run. */
export interface PreviewedCommit {
  readonly commitId: string;
  /** Branch or tag. */
  readonly ref: string;
  /** Null for a tag. */
  readonly commit: Commit | null;
  readonly verdict: Verdict;
}

/** A repository whose commits are previewed. */
export interface PreviewedRepository {
  readonly repository: Pick<Repository, 'id' | 'identifier' | 'defaultBranch'>;
  readonly remote: GitRemote;
}

/** A repository, and the workspace that follows it or is to follow it. */
interface Subject extends PreviewedRepository {
  readonly candidate: Candidate;
  readonly settings: Settings;
}

/** The workspace had runs, but none of these commits. */
const NEUTRAL = { hasRun: true, isWithdrawn: false, ranCommit: false, isApproved: false };

/** Shows which of the last commits would have started a run in a workspace, by its triggers alone. */
export class Previews {
  readonly #targets: Targets;
  readonly #lists = lruCache<string, readonly string[]>(CACHED_LISTS);

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  /**
   * @param unsaved attributes that count instead of the saved ones
   * @throws 404 without permission; 409, 422, 429 as `Targets.with`
   */
  preview(actor: Actor, workspaceId: string, count: number, unsaved: Unsaved = {}): Promise<PreviewedCommit[]> {
    return this.#targets.with(actor, workspaceId, async ({ workspace, repository, opened }) => {
      const settings = nextTriggers(workspace.settings, unsaved);
      const candidate = candidateOf({ ...workspace, settings, lock: null }, NEUTRAL);
      return this.#preview({ repository, remote: opened.remote(repository), candidate, settings }, count);
    });
  }

  /**
   * Previews a workspace that does not exist yet, or does not follow the repository yet.
   * @throws 422 for wrong attributes, or without the branch
   */
  previewNew(of: PreviewedRepository, count: number, unsaved: Unsaved): Promise<PreviewedCommit[]> {
    const settings = nextTriggers(newSettings(of.repository), unsaved);
    const candidate = { settings, executionMode: 'remote', isDeleted: false, isLocked: false, ...NEUTRAL };
    return this.#preview({ ...of, candidate, settings }, count);
  }

  #preview(subject: Subject, count: number): Promise<PreviewedCommit[]> {
    return subject.settings['vcs-repo']?.['tags-regex']
      ? previewTags(subject, count)
      : this.#previewCommits(subject, count);
  }

  async #previewCommits(subject: Subject, count: number) {
    const { repository, remote, candidate, settings } = subject;
    const { branch, head } = await branchHead(subject, remote, settings['vcs-repo']?.branch);
    const previewed: PreviewedCommit[] = [];
    for (const commit of await remote.history(head, count)) {
      const { id: afterId, parentIds } = commit;
      const answer = await filesOf(this.#cached(repository.id, remote), parentIds[0], afterId, settings);
      const verdict = decide(occasionOf(subject, 'push', branch, afterId), candidate, answer);
      previewed.push({ commitId: afterId, ref: branch, commit, verdict });
    }
    return previewed;
  }

  #cached(repositoryId: string, remote: GitRemote): Pick<GitRemote, 'changedFiles'> {
    return {
      changedFiles: async (beforeId, afterId) => {
        const key = `${repositoryId} ${beforeId} ${afterId}`;
        const known = this.#lists.get(key);
        if (known !== undefined) return [...known];
        const files = await remote.changedFiles(beforeId, afterId);
        if (files.length <= CACHED_FILES) this.#lists.set(key, files);
        return files;
      },
    };
  }
}

function filesOf(
  remote: Pick<GitRemote, 'changedFiles'>,
  beforeId: string | undefined,
  afterId: string,
  settings: Settings,
): Promise<Check> {
  if (beforeId === undefined) return new FileMatcher('first-commit').answer(settings);
  return new EventFiles(remote, false).answer({ beforeId, afterId }, settings);
}

/** Shows the last tags by version. */
async function previewTags(subject: Subject, count: number) {
  const { remote, candidate } = subject;
  const prefix = 'refs/tags/';
  const tags = (await remote.refs([prefix])).map(({ name, commitId }) => ({
    ref: name.slice(prefix.length),
    commitId,
  }));
  const byVersion = new Intl.Collator('en', { numeric: true });
  const newest = tags.toSorted((a, b) => byVersion.compare(b.ref, a.ref)).slice(0, count);
  return newest.map(({ ref, commitId }): PreviewedCommit => {
    const verdict = decide(occasionOf(subject, 'tag', ref, commitId), candidate);
    return { commitId, ref, commit: null, verdict };
  });
}

function occasionOf({ repository }: Subject, kind: 'push' | 'tag', ref: string, commitId: string): Occasion {
  const { defaultBranch } = repository;
  return { kind, ref, commitId, defaultBranch, pull: null, isOvertaken: false, forkPlans: 'never' };
}

/** Returns the settings of a new workspace that follows the repository. */
function newSettings({ id, identifier }: PreviewedRepository['repository']): Settings {
  const repo = { identifier, branch: null, 'ingress-submodules': false, 'tags-regex': null };
  // The connection is checked already. The rules only ask whether there is one.
  return { ...DEFAULT_SETTINGS, 'vcs-repo': { ...repo, 'oauth-token-id': id, 'github-app-installation-id': null } };
}
