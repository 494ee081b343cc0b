import type { Variable } from '../variable/variable.ts';

/** A set that applies to a workspace, and why: it may do so in more ways than one. */
export interface AppliedSet {
  readonly id: string;
  readonly priority: boolean;
  readonly global: boolean;
  readonly ofProject: boolean;
  readonly onWorkspace: boolean;
  readonly onProject: boolean;
}

type Named = Pick<Variable, 'category' | 'key' | 'owner'>;

/** What a run gets, secrets included. */
export interface OpenVariable extends Pick<Variable, 'id' | 'owner' | 'key' | 'category' | 'hcl' | 'sensitive'> {
  readonly value: string;
}

/** Where those that the run itself was given stand among those of sets, and where those of the workspace. */
const GIVEN = 5;
const OWN = 6;

/**
 * Which of two sets wins (facts of the original, §6.9): the lower one. Priority turns the order of the scopes around; the
 * original has arguments and the environment of a command between the priority sets and the workspace's own.
 */
function rankOf({ priority, global, ofProject, onWorkspace, onProject }: AppliedSet): number {
  if (priority) {
    if (global) return 0;
    return (onProject ? 1 : 3) + (ofProject ? 1 : 0);
  }
  if (onWorkspace) return OWN + (ofProject ? 1 : 2);
  return onProject ? OWN + (ofProject ? 3 : 4) : OWN + 5;
}

/**
 * The variables that a run of a workspace gets: of several with the same category and key, the one that wins.
 * @param sets by name: of those with the same scope and owner, the first wins
 * @param given what the run itself was given
 */
export function effectiveVariables<V extends Named>(
  own: readonly V[],
  sets: readonly AppliedSet[],
  ofSets: readonly V[],
  given: readonly V[] = [],
): V[] {
  const bySet = Map.groupBy(ofSets, ({ owner }) => owner.id);
  const ranked = [
    { rank: GIVEN, variables: given },
    { rank: OWN, variables: own },
    ...sets.map((set) => ({ rank: rankOf(set), variables: bySet.get(set.id) ?? [] })),
  ].toSorted((one, other) => one.rank - other.rank);
  const winners = new Map<string, V>();
  for (const variable of ranked.flatMap(({ variables }) => variables)) {
    const name = `${variable.category}/${variable.key}`;
    if (!winners.has(name)) winners.set(name, variable);
  }
  return [...winners.values()];
}
