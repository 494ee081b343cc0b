import * as texts from './texts.ts';

/** Number of resources of one type in one module, as a state version contains it. */
interface Counted {
  readonly type: string;
  readonly count: number;
}

export interface ResourceType extends Counted {
  /** True for the line that summarizes the remaining types. */
  readonly isRest?: true;
}

/** Maximum number of types with their own line. */
const MOST = 6;

/** Returns the most frequent types, and all others in one line. */
export function resourceTypes(resources: readonly Counted[]): readonly ResourceType[] {
  const counts = [...Map.groupBy(resources, ({ type }) => type)].map(([type, all]) => ({ type, count: sum(all) }));
  const sorted = counts.toSorted((a, b) => b.count - a.count || a.type.localeCompare(b.type));
  const rest = sorted.slice(MOST);
  if (rest.length === 0) return sorted;
  const name = rest.length === 1 ? texts.n1OtherType : texts.otherTypes(rest.length);
  return [...sorted.slice(0, MOST), { type: name, count: sum(rest), isRest: true }];
}

const sum = (counted: readonly Counted[]): number => counted.reduce((total, { count }) => total + count, 0);
