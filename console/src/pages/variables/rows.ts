import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

export type Variable = Resources['vars'];
type VariableSet = Pick<Resources['varsets'], 'id' | 'attributes'>;

/** A variable as a run would get it, or an overridden variable of the workspace. */
export interface Row {
  readonly variable: Variable;
  readonly isOwn: boolean;
  /** Name of its variable set; undefined for a variable of the workspace, or if the set was not read. */
  readonly set: string | undefined;
  /** Name of the variable set whose variable overrides this one. */
  readonly hiddenBy: string | undefined;
}

/**
 * Returns the variables of the workspace first, each with the set that overrides it, then those of variable sets. The
 * server decides which variables a run gets: `effective` contains its decision.
 * @param own the variables of the workspace
 */
export function rowsOf(
  own: readonly Variable[],
  effective: readonly Variable[],
  sets: readonly VariableSet[],
): readonly Row[] {
  const names = new Map(sets.map(({ id, attributes }) => [id, attributes.name]));
  const setOf = (variable: Variable) => names.get(variable.relationships.varset?.data?.id ?? '');
  const nameOf = (variable: Variable) => JSON.stringify([variable.attributes.category, variable.attributes.key]);
  const given = new Map(effective.map((variable) => [nameOf(variable), variable]));
  const byKey = (one: Row, other: Row) =>
    one.variable.attributes.key.localeCompare(other.variable.attributes.key, 'en');
  const owned = own.map((variable): Row => {
    const winner = given.get(nameOf(variable));
    const isHidden = winner !== undefined && winner.id !== variable.id;
    return {
      variable,
      isOwn: true,
      set: undefined,
      hiddenBy: isHidden ? (setOf(winner) ?? texts.aVariableSet) : undefined,
    };
  });
  const isOwn = new Set(own.map(({ id }) => id));
  const brought = effective
    .filter(({ id }) => !isOwn.has(id))
    .map((variable): Row => ({ variable, isOwn: false, set: setOf(variable), hiddenBy: undefined }));
  return [...owned.toSorted(byKey), ...brought.toSorted(byKey)];
}
