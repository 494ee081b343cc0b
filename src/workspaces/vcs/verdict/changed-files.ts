import { compilePathGlob, type Meter } from '../../../lib/path-glob.ts';
import { runInSlices, type Steps } from '../../../lib/slices.ts';
import { type FileTree, filesBelow, matchesIn, treeOf } from './file-tree.ts';
import { type TriggerSettings, type Triggers, triggersOf } from './triggers.ts';
import { type Check, check } from './words.ts';

/** Maximum number of paths, and of triggers, in an answer. */
const SHOWN_PATHS = 3;
const SHOWN_TRIGGERS = 5;
/** Maximum length of a path or trigger in an answer, characters. */
const SHOWN_CHARACTERS = 200;
/**
 * Maximum work to match the trigger patterns of one workspace with the changed files of one event.
 * @limit work to match the trigger patterns of a workspace with the files of an event, comparisons -> the workspace runs
 */
const MAX_STEPS = 20_000_000;
/**
 * Maximum work to match the patterns of all workspaces with the changed files of one event.
 * @limit work to match all trigger patterns with the files of an event, comparisons -> the remaining workspaces run
 */
const MAX_STEPS_OF_EVENT = 400_000_000;

/**
 * Files of a change: paths, or why there are none. unreadable: the Git server did not give them. new-branch: there is
 * no commit to compare with. first-commit: the commit has no parent.
 */
export type ChangedFiles = readonly string[] | 'unreadable' | 'new-branch' | 'first-commit';

/**
 * Answers for many workspaces whether the changed files of one event concern them. Equal triggers are compared once.
 * Patterns are matched with the tree of changes, so they pass over folders in which nothing can match.
 */
export class FileMatcher {
  readonly #files: ChangedFiles;
  readonly #meter: Meter = { steps: 0 };
  readonly #answers = new Map<string, Promise<Check>>();
  #tree: Promise<FileTree> | undefined;

  constructor(files: ChangedFiles) {
    this.#files = files;
  }

  /** Answers in time slices, so that other requests are served meanwhile. */
  async answer(settings: TriggerSettings): Promise<Check> {
    const triggers = triggersOf(settings);
    if (triggers === 'any-push' || triggers === 'whole-repository') return check(triggers);
    const key = JSON.stringify(triggers);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#compare(triggers);
    this.#answers.set(key, answer);
    return answer;
  }

  async #compare(triggers: Triggers): Promise<Check> {
    const files = this.#files;
    if (files === 'unreadable') return check('files-unknown');
    if (files === 'new-branch' || files === 'first-commit') return check(files);
    if (files.length === 0) return check('no-file');
    this.#tree ??= runInSlices(treeOf(files));
    const tree = await this.#tree;
    return (
      inFolders(tree, triggers) ??
      (await runInSlices(this.#matching(tree, triggers.patterns))) ??
      check('other-files', {
        count: files.length,
        triggers: triggersShown(triggers),
        paths: files.slice(0, 1).map(shown),
      })
    );
  }

  *#matching(tree: FileTree, patterns: readonly string[]): Steps<Check | undefined> {
    const end = Math.min(this.#meter.steps + MAX_STEPS, MAX_STEPS_OF_EVENT);
    for (const pattern of patterns) {
      const paths: string[] = [];
      for (const found of matchesIn(tree, compilePathGlob(pattern), this.#meter)) {
        if (found !== undefined) paths.push(shown(found));
        else if (this.#meter.steps <= end) yield;
        else if (paths.length === 0) return check('files-too-many');
        else break;
        if (paths.length === SHOWN_PATHS) break;
      }
      if (paths.length > 0) return check('pattern-matches', { pattern: shown(pattern), paths });
      yield;
    }
    return undefined;
  }
}

function inFolders(tree: FileTree, { folders }: Triggers): Check | undefined {
  for (const { path, isWorkingDirectory } of folders) {
    const paths = filesBelow(tree, path === '' ? [] : path.split('/'), SHOWN_PATHS).map(shown);
    if (paths.length === 0) continue;
    return check(isWorkingDirectory ? 'directory-matches' : 'prefix-matches', { prefix: shown(path || '/'), paths });
  }
  return undefined;
}

function triggersShown({ patterns, folders }: Triggers): string[] {
  const all = [...patterns, ...folders.map(({ path }) => path)].map(shown);
  return all.length <= SHOWN_TRIGGERS ? all : [...all.slice(0, SHOWN_TRIGGERS), '…'];
}

const shown = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
