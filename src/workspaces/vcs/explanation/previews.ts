import type { Commit, GitRemote } from '../../../git/git-remote.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import type { Actor } from '../../tenancy/index.ts';
import { nextTriggers, type Settings } from '../../workspace/index.ts';
import { EventFiles } from '../event/changes.ts';
import { candidateOf } from '../verdict/candidate.ts';
import { decide, type Occasion, type Verdict } from '../verdict/decide.ts';
import type { Target, Targets } from './target.ts';

/** @limit commits or tags of a preview, commits -> 422 */
export const MAX_PREVIEWED = 20;
/** Lists of changed files in memory, so that a preview of other triggers needs no Git server. */
const MAX_LISTS = 200;
/** Maximum number of files of a list in memory. */
const MAX_KEPT_FILES = 5_000;

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

/** Shows which of the last commits would have started a run in a workspace, by its triggers alone. */
export class Previews {
  readonly #targets: Targets;
  readonly #lists = lruCache<string, readonly string[]>(MAX_LISTS);

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  /**
   * @param unsaved attributes that count instead of the saved ones
   * @throws 404 without permission; 409, 422, 429 as `Targets.with`
   */
  preview(actor: Actor, workspaceId: string, count: number, unsaved: Unsaved = {}): Promise<PreviewedCommit[]> {
    return this.#targets.with(actor, workspaceId, async (target) => {
      const settings = nextTriggers(target.workspace.settings, unsaved);
      const remote = target.opened.remote(target.repository);
      return settings['vcs-repo']?.['tags-regex']
        ? previewTags(target, remote, settings, count)
        : this.#previewCommits(target, remote, settings, count);
    });
  }

  async #previewCommits(target: Target, remote: GitRemote, settings: Settings, count: number) {
    const branch = settings['vcs-repo']?.branch || target.repository.defaultBranch;
    const name = `refs/heads/${branch}`;
    const head = (await remote.refs([name])).find((ref) => ref.name === name);
    if (branch === null || head === undefined) return [];
    const previewed: PreviewedCommit[] = [];
    for (const commit of await remote.history(head.commitId, count)) {
      const { id: afterId, parentIds } = commit;
      const files = new EventFiles(this.#cached(target.repository.id, remote), false);
      const answer = await files.answer({ beforeId: parentIds[0] ?? null, afterId }, settings);
      const verdict = decide(occasionOf(target, 'push', branch, afterId), neutral(target, settings), answer);
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
        if (files.length <= MAX_KEPT_FILES) this.#lists.set(key, files);
        return files;
      },
    };
  }
}

/** Shows the last tags by version. */
async function previewTags(target: Target, remote: GitRemote, settings: Settings, count: number) {
  const prefix = 'refs/tags/';
  const tags = (await remote.refs([prefix])).map(({ name, commitId }) => ({
    ref: name.slice(prefix.length),
    commitId,
  }));
  const byVersion = new Intl.Collator('en', { numeric: true });
  const newest = tags.toSorted((a, b) => byVersion.compare(b.ref, a.ref)).slice(0, count);
  return newest.map(({ ref, commitId }): PreviewedCommit => {
    const verdict = decide(occasionOf(target, 'tag', ref, commitId), neutral(target, settings));
    return { commitId, ref, commit: null, verdict };
  });
}

function occasionOf({ repository }: Target, kind: 'push' | 'tag', ref: string, commitId: string): Occasion {
  const { defaultBranch } = repository;
  return { kind, ref, commitId, defaultBranch, pull: null, isOvertaken: false, forkPlans: 'never' };
}

/** The workspace as if it had runs, but none of these commits. */
function neutral({ workspace }: Target, settings: Settings) {
  return candidateOf({ ...workspace, settings, lock: null }, { hasRun: true, ranCommit: false, isApproved: false });
}
