import type { Resources } from '../../api/client.ts';
import { inBody } from './connections.ts';
import type { Repository } from './RepositoryFields.tsx';

type Attributes = Resources['workspaces']['attributes'];

/** Which pushes start runs: all, or only those with some files or tags. */
export type TriggerKind = 'all' | 'directory' | 'prefixes' | 'patterns' | 'tags';

/** Values of the form. */
export interface Followed extends Repository {
  readonly kind: TriggerKind;
  /** Prefixes or patterns, one on each line. */
  readonly paths: string;
  readonly regex: string;
  readonly submodules: boolean;
  readonly speculative: boolean;
  readonly queueAll: boolean;
}

type Stored = Pick<
  Attributes,
  | 'vcs-repo'
  | 'file-triggers-enabled'
  | 'trigger-patterns'
  | 'trigger-prefixes'
  | 'speculative-enabled'
  | 'queue-all-runs'
>;

/** Values for a new workspace. */
export const NOTHING_FOLLOWED: Followed = {
  ...{ connection: '', identifier: '', branch: '', kind: 'directory', paths: '', regex: '' },
  ...{ submodules: false, speculative: true, queueAll: true },
};

/** Reads the values of the form from a workspace. */
export function followedOf(attributes: Stored): Followed {
  const repo = attributes['vcs-repo'];
  const kind = kindOf(attributes);
  const paths = { patterns: attributes['trigger-patterns'], prefixes: attributes['trigger-prefixes'] };
  return {
    connection: repo?.['oauth-token-id'] || repo?.['github-app-installation-id'] || '',
    identifier: repo?.identifier ?? '',
    branch: repo?.branch ?? '',
    kind,
    paths: (kind === 'patterns' || kind === 'prefixes' ? paths[kind] : []).join('\n'),
    regex: repo?.['tags-regex'] ?? '',
    submodules: repo?.['ingress-submodules'] ?? false,
    speculative: attributes['speculative-enabled'],
    queueAll: attributes['queue-all-runs'],
  };
}

function kindOf(of: Stored): TriggerKind {
  if (of['vcs-repo']?.['tags-regex']) return 'tags';
  if (!of['file-triggers-enabled']) return 'all';
  if (of['trigger-patterns'].length > 0) return 'patterns';
  return of['trigger-prefixes'].length > 0 ? 'prefixes' : 'directory';
}

/** Returns the attributes that decide which commits start runs. The kinds exclude each other, so all are sent. */
export function triggersOf({ kind, paths, regex, branch }: Followed) {
  const lines = linesOf(paths);
  return {
    'file-triggers-enabled': kind !== 'all' && kind !== 'tags',
    'trigger-patterns': kind === 'patterns' ? lines : [],
    'trigger-prefixes': kind === 'prefixes' ? lines : [],
    'vcs-repo': { branch: branch.trim(), 'tags-regex': kind === 'tags' ? regex : '' },
  };
}

/** Returns the attributes of a workspace that follows the repository, or that follows none. */
export function attributesOf(followed: Followed) {
  const { connection, identifier, submodules, speculative, queueAll } = followed;
  if (connection === '') return { 'vcs-repo': null };
  const triggers = triggersOf(followed);
  const repo = { identifier: identifier.trim(), 'ingress-submodules': submodules, ...inBody(connection) };
  return {
    ...triggers,
    'vcs-repo': { ...triggers['vcs-repo'], ...repo },
    'speculative-enabled': speculative,
    'queue-all-runs': queueAll,
  };
}

/** Whether both name the same repository by the same connection. */
export const isSameRepository = (one: Repository, other: Repository): boolean =>
  one.connection === other.connection && one.identifier.trim() === other.identifier.trim();

/** Whether a form says which repository is meant. */
export const isComplete = ({ connection, identifier }: Repository): boolean =>
  connection !== '' && /.\/./.test(identifier.trim());

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
