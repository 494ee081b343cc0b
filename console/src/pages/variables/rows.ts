import type { Resources } from '../../api/client.ts';

export type Variable = Resources['vars'];
type VariableSet = Pick<Resources['varsets'], 'id' | 'attributes'>;

/** A variable of a workspace as a run would get it, or one of its own that another hides. */
export interface Row {
  readonly variable: Variable;
  readonly isOwn: boolean;
  /** The set that it comes from; undefined for one of its own, or where the set is not among those that were read. */
  readonly set: string | undefined;
  /** What a run gets in its place. */
  readonly hiddenBy: string | undefined;
}

/**
 * Own ones first, each with what hides it, then those that sets bring. The server decides what a run gets: `effective` is its answer.
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
      hiddenBy: isHidden ? (setOf(winner) ?? 'a variable set') : undefined,
    };
  });
  const isOwn = new Set(own.map(({ id }) => id));
  const brought = effective
    .filter(({ id }) => !isOwn.has(id))
    .map((variable): Row => ({ variable, isOwn: false, set: setOf(variable), hiddenBy: undefined }));
  return [...owned.toSorted(byKey), ...brought.toSorted(byKey)];
}
