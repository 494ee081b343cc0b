/** Parsed path of a policy: a text, `+` for any one segment, and optionally a `*` at the end. */
export interface PathShape {
  /** The path without the trailing `*`. */
  readonly text: string;
  readonly isPrefix: boolean;
  /** Number of `+` segments. */
  readonly wildcards: number;
  /** Offset of the first `+` or of the `*`. The length of the text if there is neither. */
  readonly firstWildcard: number;
}

export function pathShape(path: string): PathShape {
  const isPrefix = path.endsWith('*');
  const text = isPrefix ? path.slice(0, -1) : path;
  const wildcards = text.includes('+') ? text.split('/').filter((part) => part === '+').length : 0;
  const firstWildcard = wildcards > 0 ? `/${text}/`.indexOf('/+/') : text.length;
  return { text, isPrefix, wildcards, firstWildcard };
}

export const isExact = (shape: PathShape): boolean => !shape.isPrefix && shape.wildcards === 0;

interface Criterion {
  /** Reason why the less specific path was not chosen. */
  readonly because: string;
  compare(a: PathShape, b: PathShape): number;
}

/** Criteria in order of precedence. Together they order any two different paths. */
const CRITERIA: readonly Criterion[] = [
  { because: 'its first wildcard comes earlier', compare: (a, b) => a.firstWildcard - b.firstWildcard },
  { because: 'it ends in a *', compare: (a, b) => Number(b.isPrefix) - Number(a.isPrefix) },
  { because: 'it has more +', compare: (a, b) => b.wildcards - a.wildcards },
  { because: 'it is shorter', compare: (a, b) => a.text.length - b.text.length },
  { because: 'it sorts before the other', compare: (a, b) => Number(a.text > b.text) - Number(a.text < b.text) },
];

/** Returns a positive number if `a` is more specific than `b`. Both have wildcards. */
export function compareShapes(a: PathShape, b: PathShape): number {
  for (const { compare } of CRITERIA) {
    const order = compare(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns why a path is less specific than another. */
export function whyLess(loser: PathShape, winner: PathShape): string {
  if (isExact(winner)) return isExact(loser) ? 'it is written without the trailing slash' : 'the other is exact';
  return CRITERIA.find(({ compare }) => compare(loser, winner) !== 0)?.because ?? 'it is the same';
}
