/** Questions that the rules answer for each workspace, in the order in which they are asked. */
export const QUESTIONS = {
  workspace: 'Does the workspace exist?',
  repository: 'Does the workspace follow this repository?',
  execution: 'Does the server run this workspace?',
  ref: 'Is this the branch or tag that the workspace follows?',
  speculative: 'Do pull requests start plans in this workspace?',
  first: 'Do events start runs in this workspace already?',
  commit: 'Is the commit new to this workspace?',
  newest: 'Is the commit the newest of its branch?',
  files: 'Do the changed files concern this workspace?',
  fork: 'Is the change from the repository itself?',
  lock: 'Can the run be created?',
  start: 'Was the run created?',
} as const;

export type Question = keyof typeof QUESTIONS;

interface Answer {
  readonly question: Question;
  /** Whether the run may start as far as this question goes. */
  readonly passes: boolean;
  /** Sentences for people. `{name}` stands for a value of the check. */
  readonly text: string;
}

const answer = (question: Question, passes: boolean, text: string): Answer => ({ question, passes, text });

/** All answers by code. Codes are stored and part of the API: never rename one. */
const ANSWER_TABLE = {
  'workspace-deleted': answer('workspace', false, 'The workspace is deleted.'),
  'no-repository': answer('repository', false, 'The workspace follows no repository.'),
  'connection-withdrawn': answer(
    'repository',
    false,
    'The project of the workspace may no longer use the connection to the provider. An owner of the organization can allow the project to use it.',
  ),
  'local-execution': answer(
    'execution',
    false,
    'The execution mode of the workspace is local: the server only stores its state.',
  ),

  branch: answer('ref', true, 'The workspace follows the branch {branch}.'),
  'other-branch': answer('ref', false, 'The push was to the branch {ref}. The workspace follows {branch}.'),
  'no-default-branch': answer(
    'ref',
    false,
    'The workspace follows the default branch, and the repository has none. Push a first commit, or set a branch.',
  ),
  'branch-deleted': answer('ref', false, 'The branch {ref} was deleted.'),
  'tags-only': answer('ref', false, 'The workspace follows tags that match {regex}. Pushes to branches start no runs.'),
  tag: answer('ref', true, 'The tag {ref} matches {regex}.'),
  'other-tag': answer('ref', false, 'The tag {ref} does not match {regex}.'),
  'no-tags-regex': answer('ref', false, 'The workspace follows a branch. Tags start runs only with a tags regex.'),
  'tag-deleted': answer('ref', false, 'The tag {ref} was deleted.'),
  'tag-too-long': answer('ref', false, 'The name of the tag has more than {limit} bytes.'),
  'regex-unusable': answer('ref', false, 'This expression cannot be run: {regex}. {problem}'),
  target: answer('ref', true, 'The pull request is for the branch {branch}, which the workspace follows.'),
  'other-target': answer('ref', false, 'The pull request is for the branch {ref}. The workspace follows {branch}.'),
  'pull-closed': answer('ref', false, 'The pull request is closed.'),

  'speculative-disabled': answer('speculative', false, 'Plans of pull requests are turned off (speculative-enabled).'),

  'first-run': answer(
    'first',
    false,
    'The workspace had no run yet. Start the first run yourself, or turn on queue-all-runs.',
  ),
  'had-runs': answer('first', true, 'The workspace had a run before.'),
  'queue-all-runs': answer('first', true, 'Events start runs from the beginning: queue-all-runs is on.'),

  'ran-before': answer('commit', false, 'This commit already has a run in the workspace.'),
  'new-commit': answer('commit', true, 'This commit had no run in the workspace.'),

  overtaken: answer('newest', false, 'A newer commit came first, or at the same time. Only the newest starts a run.'),

  'pattern-matches': answer('files', true, 'The trigger pattern {pattern} matches {paths}.'),
  'prefix-matches': answer('files', true, 'The trigger prefix {prefix} contains {paths}.'),
  'directory-matches': answer('files', true, 'The working directory {prefix} contains {paths}.'),
  'any-push': answer('files', true, 'Every change starts a run: file triggers are off (file-triggers-enabled).'),
  'whole-repository': answer(
    'files',
    true,
    'Every change starts a run: the workspace has no working directory, trigger prefixes or trigger patterns.',
  ),
  'files-unknown': answer('files', true, 'The changed files could not be read, so every workspace of the branch runs.'),
  'files-too-many': answer(
    'files',
    true,
    'Matching all changed files takes too long, so the workspace runs. Use fewer wildcards in its trigger patterns.',
  ),
  'new-branch': answer(
    'files',
    true,
    'The branch is new and the workspace ran no commit that it can be compared with.',
  ),
  'first-commit': answer(
    'files',
    true,
    'The commit is the first of the repository, so there is no commit that it can be compared with.',
  ),
  'no-file': answer('files', false, 'The commits change no file.'),
  'other-files': answer(
    'files',
    false,
    'No changed file matches {triggers}. Changed files: {count}, the first is {paths}.',
  ),
  'files-not-asked': answer('files', true, 'The changed files were not compared yet.'),
  'tags-ignore-files': answer('files', true, 'Changed files do not count for a workspace that follows tags.'),

  'fork-never': answer(
    'fork',
    false,
    'The change is from a fork. Plans run the code of its author, so the organization does not plan changes from forks.',
  ),
  'fork-waits': answer(
    'fork',
    false,
    'The change is from a fork. It is planned after a user who may queue runs approves this commit.',
  ),
  'fork-approved': answer('fork', true, 'The change is from a fork. A user approved this commit; it gets no secrets.'),

  locked: answer('lock', true, 'The workspace is locked. The run waits until it is unlocked.'),

  refused: answer('start', false, 'The run could not be created: {problem}'),
} as const satisfies Record<string, Answer>;

export type Code = keyof typeof ANSWER_TABLE;

export const ANSWERS: Readonly<Record<Code, Answer>> = ANSWER_TABLE;

/** Values of a check, by the names in its text. */
export type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** Answer to one question. */
export interface Check {
  readonly question: Question;
  readonly passes: boolean;
  readonly code: Code;
  readonly values: Values;
}

/** Returns the answer with a code of the table. */
export function check(code: Code, values: Values = {}): Check {
  const { question, passes } = ANSWERS[code];
  return { question, passes, code, values };
}

/** Returns the sentences for a check. */
export function checkText({ code, values }: Pick<Check, 'code' | 'values'>): string {
  return ANSWERS[code].text.replace(/\{(\w+)\}/g, (_, name: string) => valueText(values[name] ?? ''));
}

function valueText(value: string | number | readonly string[]): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
