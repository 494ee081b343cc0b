import type { Issue } from '../../../lib/errors.ts';
import { pathGlobProblem } from '../../../lib/path-glob.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import { MAX_TRIGGER_BYTES } from '../model/limits.ts';
import type { Settings, VcsRepo } from '../model/settings.ts';
import type { Attributes } from './schema.ts';
import { isTagsRegex, tagsRegexOf } from './tags-regex.ts';

/** Format `organization/repository`; some providers have more parts in between or after. */
const IDENTIFIER = /^[^/]+(?:\/[^/]+)+$/;

/** @limit identifier of the repository of a workspace, and its branch, bytes -> 422 */
const MAX_NAME = 1024;
const HEADS = 'refs/heads/';

type Triggers = 'trigger-patterns' | 'trigger-prefixes';
type Vcs = Pick<Settings, 'vcs-repo' | Triggers>;
/** Input of the rules. */
type Filtered = Vcs & Pick<Settings, 'file-triggers-enabled'>;

/** Official clients know this text. */
const PATTERNS_WITHOUT_FILTER = "'trigger_patterns' cannot be populated when 'file_triggers_enabled' is set to false.";

/** Settings without a repository: only the client's own attributes are checked. */
const NO_REPO: VcsRepo = {
  identifier: '',
  branch: null,
  'ingress-submodules': false,
  'oauth-token-id': null,
  'github-app-installation-id': null,
  'tags-regex': null,
};

/** A repository without an identifier means none: official clients send it with every write. */
const isEmpty = (repo: object): boolean => Object.keys(repo).length === 0;

/**
 * Returns the repository and the run triggers after a client's attributes (spec §4.2). Null removes the repository; an
 * object changes the members that it contains. Tags, patterns and prefixes are mutually exclusive: one that is set
 * clears the others. An empty list of patterns or prefixes does so too, unless the other list is set in the same
 * request.
 */
export function nextVcs(current: Settings, input: Attributes): Vcs {
  const repo = nextRepo(current['vcs-repo'], input['vcs-repo']);
  const isFilled = (key: Triggers) => (input[key] ?? []).length > 0;
  const fills = isFilled('trigger-patterns') || isFilled('trigger-prefixes');
  const tags = Boolean(input['vcs-repo']?.['tags-regex']);
  const list = (key: Triggers, other: Triggers) => {
    if (input[key] !== undefined) return input[key] ?? [];
    return tags || input[other] !== undefined ? [] : current[key];
  };
  return {
    'vcs-repo': repo && { ...repo, 'tags-regex': tags || !fills ? repo['tags-regex'] : null },
    'trigger-patterns': list('trigger-patterns', 'trigger-prefixes'),
    'trigger-prefixes': list('trigger-prefixes', 'trigger-patterns'),
  };
}

function nextRepo(current: VcsRepo | null, input: Attributes['vcs-repo']): VcsRepo | null {
  if (input === null) return null;
  if (input === undefined || isEmpty(input)) return current;
  const known = current ?? NO_REPO;
  // Returns the new value of a text. Null and the empty string mean the default.
  const text = (given: string | null | undefined, before: string | null) =>
    given === undefined ? before : given || null;
  return {
    identifier: input.identifier ?? known.identifier,
    branch: text(input.branch, known.branch),
    'ingress-submodules':
      input['ingress-submodules'] === undefined ? known['ingress-submodules'] : (input['ingress-submodules'] ?? false),
    ...connectionOf(known, input),
    'tags-regex': text(input['tags-regex'], known['tags-regex']),
  };
}

type Connected = Pick<VcsRepo, 'oauth-token-id' | 'github-app-installation-id'>;

/** A token replaces an installation, and an installation replaces a token. */
function connectionOf(known: VcsRepo, input: NonNullable<Attributes['vcs-repo']>): Connected {
  const { 'oauth-token-id': token, 'github-app-installation-id': app } = input;
  return {
    'oauth-token-id': token === undefined ? (app ? null : known['oauth-token-id']) : token || null,
    'github-app-installation-id':
      app === undefined ? (token ? null : known['github-app-installation-id']) : app || null,
  };
}

/**
 * Returns the errors in the input (spec §4.1, §4.2). Expressions and patterns that are stored already are not checked
 * again, because official clients send them with every write: earlier releases took more of them.
 */
export function vcsIssues(current: Settings, input: Attributes, next: Filtered): Issue[] {
  const repo = repoIssues(current['vcs-repo'], input, next['vcs-repo']);
  return repo.length > 0 ? repo : triggerIssues(current, input, next);
}

function repoIssues(current: VcsRepo | null, { 'vcs-repo': input }: Attributes, next: VcsRepo | null): Issue[] {
  if (!input || isEmpty(input) || next === null) return [];
  const app = input['github-app-installation-id'];
  if (app && input['oauth-token-id']) {
    return [attributeIssue('vcs-repo', 'VCS repo has either an OAuth token or an app installation, not both')];
  }
  if (next.identifier === '' || !(next['github-app-installation-id'] || next['oauth-token-id'])) {
    return [attributeIssue('vcs-repo', 'VCS repo requires an identifier and an OAuth token or an app installation')];
  }
  if (input.identifier && !IDENTIFIER.test(input.identifier)) {
    return [attributeIssue('vcs-repo/identifier', 'Identifier must have the form organization/repository')];
  }
  for (const [key, ref] of [
    ['identifier', input.identifier ?? ''],
    ['branch', HEADS + (input.branch ?? '')],
  ] as const) {
    if (Buffer.byteLength(ref) > MAX_NAME) return [attributeIssue(`vcs-repo/${key}`, `The ${key} is too long`)];
  }
  const regex = input['tags-regex'] ?? '';
  const problem = regex === current?.['tags-regex'] ? undefined : regexProblem(regex);
  if (problem !== undefined) return [attributeIssue('vcs-repo/tags-regex', problem)];
  return [];
}

function regexProblem(text: string): string | undefined {
  if (!isTagsRegex(text)) return 'Tags regex is not a valid regular expression in RE2';
  const regex = tagsRegexOf(text);
  return 'problem' in regex ? `Tags regex cannot be run. ${regex.problem}` : undefined;
}

function triggerIssues(current: Vcs, input: Attributes, next: Filtered): Issue[] {
  const long = (['trigger-patterns', 'trigger-prefixes'] as const).filter(
    (key) => input[key] && Buffer.byteLength(JSON.stringify(input[key])) > MAX_TRIGGER_BYTES,
  );
  if (long.length > 0) {
    return long.map((key) => attributeIssue(key, `Triggers must have at most ${MAX_TRIGGER_BYTES} bytes in total`));
  }
  const added = (input['trigger-patterns'] ?? []).filter((pattern) => !current['trigger-patterns'].includes(pattern));
  const refused = added.map(pathGlobProblem).find((problem) => problem !== undefined);
  if (refused !== undefined) return [attributeIssue('trigger-patterns', refused)];
  const { 'trigger-patterns': patterns, 'trigger-prefixes': prefixes, 'vcs-repo': repo } = next;
  if (patterns.length > 0 && prefixes.length > 0) {
    return [attributeIssue('trigger-patterns', 'Trigger patterns cannot be given together with trigger prefixes')];
  }
  const filters = input['file-triggers-enabled'] !== undefined || input['trigger-patterns'] !== undefined;
  if (filters && patterns.length > 0 && !next['file-triggers-enabled']) {
    return [attributeIssue('trigger-patterns', PATTERNS_WITHOUT_FILTER)];
  }
  if (!repo?.['tags-regex'] || !(patterns.length + prefixes.length > 0 || input['file-triggers-enabled'])) return [];
  return [attributeIssue('vcs-repo/tags-regex', 'Tags regex cannot be given together with file triggers')];
}
