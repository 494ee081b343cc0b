/** `1.2.3` with an optional prerelease; missing numbers are 0. */
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
 * A version (`1.5.7`), a constraint (`~> 1.5, != 1.5.2`) or `latest`, as comparators that all have to hold; undefined
 * when the text is none of them. `~>` lets the last number that is written grow: `~> 1.0` is at least 1.0 and below 2.0,
 * which is not what npm's semver makes of it; `~> 1` has no upper bound.
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
