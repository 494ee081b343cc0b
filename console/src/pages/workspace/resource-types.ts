/** Resources of one type in one module, as a state version counts them. */
interface Counted {
  readonly type: string;
  readonly count: number;
}

export interface ResourceType extends Counted {
  /** Stands for all those that have no line of their own. */
  readonly isRest?: true;
}

/** Types that have a line of their own. */
const MOST = 6;

/** The most frequent types, then all others in one line. */
export function resourceTypes(resources: readonly Counted[]): readonly ResourceType[] {
  const counts = [...Map.groupBy(resources, ({ type }) => type)].map(([type, all]) => ({ type, count: sum(all) }));
  const sorted = counts.toSorted((a, b) => b.count - a.count || a.type.localeCompare(b.type));
  const rest = sorted.slice(MOST);
  if (rest.length === 0) return sorted;
  const name = rest.length === 1 ? '1 other type' : `${rest.length} other types`;
  return [...sorted.slice(0, MOST), { type: name, count: sum(rest), isRest: true }];
}

const sum = (counted: readonly Counted[]): number => counted.reduce((total, { count }) => total + count, 0);
