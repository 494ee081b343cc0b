import type { Variable } from '../variable/variable.ts';

/** A set that applies to a workspace, with the reasons, of which there may be several. */
export interface AppliedSet {
  readonly id: string;
  readonly priority: boolean;
  readonly global: boolean;
  readonly ofProject: boolean;
  readonly onWorkspace: boolean;
  readonly onProject: boolean;
}

type Named = Pick<Variable, 'category' | 'key' | 'owner'>;

/** A variable of a run with its value, secrets included. */
export interface OpenVariable
  extends Pick<Variable, 'id' | 'owner' | 'key' | 'category' | 'hcl' | 'sensitive' | 'applyOnly'> {
  readonly value: string;
}

/** Ranks of the variables of the run itself and of the workspace, among the ranks of sets. */
const GIVEN = 5;
const OWN = 6;

/**
 * Returns the rank of a set; the lowest wins. Priority reverses the order of the scopes. In HCP
 * Terraform, command-line arguments and environment rank between the priority sets and the workspace's own variables.
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
 * Returns the variables of a run. Among variables with the same category and key, the one with the best rank wins.
 * @param sets by name: of those with the same scope and owner, the first wins
 * @param given variables of the run itself
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
