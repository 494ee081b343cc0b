/** What became of something between two states. */
export type Change = 'added' | 'removed' | 'changed';

/** One thing of a graph. */
export interface GraphNode {
  /** Its name, and what it is told by. */
  readonly id: string;
  /** What stands in its box: the end of the name. */
  readonly label: string;
  /** What it is part of; empty for the whole. */
  readonly group: string;
  readonly change?: Change | undefined;
  /** Names of what it needs; those that are none are left out. */
  readonly needs: readonly string[];
}

/** More than this is laid out in a thread beside the page. */
export const LAID_OUT_HERE = 300;
/** More than this is not drawn: nobody could read it. */
export const MOST_DRAWN = 2_000;

/**
 * The same graph with the lines that say something: what is needed by something that is needed already has no line of its own.
 * Lists of states name all of that.
 */
export function withoutDetours(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const needs = new Map(nodes.map(({ id, needs: all }) => [id, new Set(all)]));
  return nodes.map((node) => {
    const kept = new Set([...(needs.get(node.id) ?? [])].filter((id) => id !== node.id && needs.has(id)));
    for (const direct of [...kept]) {
      for (const further of needs.get(direct) ?? []) {
        // Two that need each other would both go.
        if (further !== direct && !needs.get(further)?.has(direct)) kept.delete(further);
      }
    }
    return { ...node, needs: [...kept] };
  });
}

/** What needs each of them, the other way round. */
export function neededBy(nodes: readonly GraphNode[]): ReadonlyMap<string, readonly string[]> {
  const by = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { id, needs } of nodes) for (const one of needs) by.get(one)?.push(id);
  return by;
}
