/** A version such as `1.2.3`, with an optional prerelease; missing numbers are 0. */
export interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly prerelease: string;
}

/** One condition on a version. */
export interface Comparator {
  readonly operator: '=' | '!=' | '>' | '>=' | '<' | '<=';
  readonly version: Version;
}

const TERM =
  /^(=|!=|>=|<=|>|<|~>)? *(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Parses a version (`1.5.7`), a constraint (`~> 1.5, != 1.5.2`) or `latest` into comparators that must all hold.
 * Returns undefined if the text is none of them. `~>` lets the last written number grow: `~> 1.0` is at least 1.0 and
 * below 2.0, unlike in npm's semver; `~> 1` has no upper bound.
 */
export function parseEngineVersion(text: string): readonly Comparator[] | undefined {
  if (text === 'latest') return [];
  const comparators: Comparator[] = [];
  for (const term of text.split(',')) {
    const parsed = parseTerm(term.trim());
    if (parsed === undefined) return undefined;
    comparators.push(...parsed);
  }
  return comparators;
}

function parseTerm(term: string): Comparator[] | undefined {
  const match = TERM.exec(term);
  if (match === null) return undefined;
  const [, operator = '=', major, minor, patch, prerelease = ''] = match;
  const numbers = [Number(major), Number(minor ?? 0), Number(patch ?? 0)] as const;
  const version = { numbers, prerelease };
  if (operator !== '~>') return [{ operator: operator as Comparator['operator'], version }];

  const lower = { operator: '>=', version } as const;
  if (minor === undefined) return [lower];
  const end = patch === undefined ? ([numbers[0] + 1, 0, 0] as const) : ([numbers[0], numbers[1] + 1, 0] as const);
  return [lower, { operator: '<', version: { numbers: end, prerelease: '' } }];
}

/** Returns less than 0 when `one` is older than `other`; a prerelease is older than its release. */
export function compareVersions(one: Version, other: Version): number {
  const numbers = compareNumbers(one.numbers, other.numbers);
  if (numbers !== 0 || one.prerelease === other.prerelease) return numbers;
  if (one.prerelease === '' || other.prerelease === '') return one.prerelease === '' ? 1 : -1;
  return one.prerelease < other.prerelease ? -1 : 1;
}

/** Compares versions without their prereleases. */
export function compareNumbers(left: Version['numbers'], right: Version['numbers']): number {
  const differing = left.findIndex((number, index) => number !== right[index]);
  return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

const HOLDS: Readonly<Record<Comparator['operator'], (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** Returns whether a release satisfies a constraint. A prerelease never does. */
export const isSatisfied = (comparators: readonly Comparator[], release: Version): boolean =>
  release.prerelease === '' &&
  comparators.every(({ operator, version }) => HOLDS[operator](compareVersions(release, version)));

/** Returns a predicate for versions that satisfy a constraint. An invalid constraint accepts no version. */
export function satisfying(constraint: string): (version: string) => boolean {
  const comparators = parseEngineVersion(constraint);
  return (version) => {
    const release = exactVersion(version);
    return comparators !== undefined && release !== undefined && isSatisfied(comparators, release);
  };
}

/** Returns the exact version of a text (`1.5.7`, `=1.5`); undefined for a constraint, `latest` and anything else. */
export function exactVersion(text: string): Version | undefined {
  const [first, ...others] = parseEngineVersion(text) ?? [];
  return first?.operator === '=' && others.length === 0 ? first.version : undefined;
}
