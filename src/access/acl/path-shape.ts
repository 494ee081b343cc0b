/** What a path in a policy means: a text, places that stand for any one part, and perhaps a `*` at the end. */
export interface PathShape {
  /** Without the `*` at its end. */
  readonly text: string;
  readonly isPrefix: boolean;
  /** The number of `+`. */
  readonly wildcards: number;
  /** Where the first `+` stands, or the `*`; behind the end when there is neither. */
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
  /** Of the one that lost. */
  readonly because: string;
  compare(a: PathShape, b: PathShape): number;
}

/** In this order; together they leave no two different paths equal. */
const CRITERIA: readonly Criterion[] = [
  { because: 'its first wildcard comes earlier', compare: (a, b) => a.firstWildcard - b.firstWildcard },
  { because: 'it ends in a *', compare: (a, b) => Number(b.isPrefix) - Number(a.isPrefix) },
  { because: 'it has more +', compare: (a, b) => b.wildcards - a.wildcards },
  { because: 'it is shorter', compare: (a, b) => a.text.length - b.text.length },
  { because: 'it sorts before the other', compare: (a, b) => Number(a.text > b.text) - Number(a.text < b.text) },
];

/** Positive when `a` is the more specific of two paths with wildcards. */
export function compareShapes(a: PathShape, b: PathShape): number {
  for (const { compare } of CRITERIA) {
    const order = compare(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

/** Why a path gives way to a more specific one. */
export function whyLess(loser: PathShape, winner: PathShape): string {
  if (isExact(winner)) return isExact(loser) ? 'it is written without the slash at the end' : 'the other is exact';
  return CRITERIA.find(({ compare }) => compare(loser, winner) !== 0)?.because ?? 'it is the same';
}
