import type { GitRemote } from '../../../git/index.ts';
import { type ChangedFiles, FileMatcher } from '../verdict/changed-files.ts';
import type { TriggerSettings } from '../verdict/triggers.ts';
import type { Check } from '../verdict/words.ts';

/**
 * A new branch is compared with the last commit of each workspace.
 * @limit commits with which the newest commit of a new branch is compared, commits -> the other workspaces run
 */
const MOST_COMPARED = 5;

/** Commits to compare: the first of a push or a pull request, and the last. */
export interface Span {
  readonly beforeId: string | null;
  readonly afterId: string;
}

/** Answers whether the files of an event concern a workspace. Each pair of commits is compared once. */
export class EventFiles {
  readonly #remote: Pick<GitRemote, 'changedFiles'>;
  readonly #mayGiveUp: boolean;
  readonly #matchers = new Map<string, Promise<FileMatcher>>();

  /** @param mayGiveUp whether files that cannot be had count as unknown, so that the workspaces run */
  constructor(remote: Pick<GitRemote, 'changedFiles'>, mayGiveUp: boolean) {
    this.#remote = remote;
    this.#mayGiveUp = mayGiveUp;
  }

  /** @throws GitError if the files cannot be had, and it is too early to give up */
  async answer({ beforeId, afterId }: Span, settings: TriggerSettings): Promise<Check> {
    const key = beforeId ?? '';
    const isOneTooMany = !this.#matchers.has(key) && this.#matchers.size >= MOST_COMPARED;
    const matcher = isOneTooMany ? new FileMatcher('new-branch') : await this.#matcher(key, afterId);
    return matcher.answer(settings);
  }

  #matcher(beforeId: string, afterId: string): Promise<FileMatcher> {
    const known = this.#matchers.get(beforeId);
    if (known !== undefined) return known;
    const matcher = this.#compare(beforeId, afterId).then((files) => new FileMatcher(files));
    this.#matchers.set(beforeId, matcher);
    return matcher;
  }

  async #compare(beforeId: string, afterId: string): Promise<ChangedFiles> {
    if (beforeId === '') return 'new-branch';
    try {
      return await this.#remote.changedFiles(beforeId, afterId);
    } catch (error) {
      if (!this.#mayGiveUp) throw error;
      return 'unreadable';
    }
  }
}
