/** Change of a resource between two states. */
export type Change = 'added' | 'removed' | 'changed';

/** One node of a graph. */
export interface GraphNode {
  /** Unique name of the node. */
  readonly id: string;
  /** Text in the box: the last part of the name. */
  readonly label: string;
  /** Group that the node belongs to; empty for the root. */
  readonly group: string;
  readonly change?: Change | undefined;
  /** Ids of dependencies. Unknown ids are ignored. */
  readonly needs: readonly string[];
}

/** Maximum number of nodes of a drawn graph. Larger ones would not be readable. */
export const MOST_DRAWN = 2_000;

/** Removes edges that other edges imply (transitive reduction). State files list transitive dependencies too. */
export function withoutDetours(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const needs = new Map(nodes.map(({ id, needs: all }) => [id, new Set(all)]));
  return nodes.map((node) => {
    const kept = new Set([...(needs.get(node.id) ?? [])].filter((id) => id !== node.id && needs.has(id)));
    for (const direct of [...kept]) {
      for (const further of needs.get(direct) ?? []) {
        // In a cycle both edges stay; otherwise each would remove the other.
        if (further !== direct && !needs.get(further)?.has(direct)) kept.delete(further);
      }
    }
    return { ...node, needs: [...kept] };
  });
}

/** Returns the dependents of each node. */
export function neededBy(nodes: readonly GraphNode[]): ReadonlyMap<string, readonly string[]> {
  const by = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { id, needs } of nodes) for (const one of needs) by.get(one)?.push(id);
  return by;
}
