import type { Resources } from '../../api/client.ts';
import { type Change, type GraphNode, withoutDetours } from '../../components/graph/graph.ts';

type Graph = Resources['state-version-graphs']['attributes'];
type Diff = Resources['state-version-diffs']['attributes']['resources'];

/** Instance keys in addresses of modules and resources. */
const KEYS = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g;
const DEPOSED = / \(deposed [^)]*\)$/;

/** Nodes of a state's graph. With an older state, includes removed resources and the change of each. */
export function graphNodes(after: Graph, before?: Graph, diff?: Diff): readonly GraphNode[] {
  const changes = diff ? changesOf(diff) : new Map<string, Set<Change>>();
  const now = nodesOf(after);
  const there = new Set(now.map(({ id }) => id));
  const old = before ? nodesOf(before) : [];
  const oldIds = new Set(old.map(({ id }) => id));
  const nodes = [
    ...now.map((node) => ({ ...node, change: changeOf(changes.get(node.id), before && !oldIds.has(node.id)) })),
    ...old.filter(({ id }) => !there.has(id)).map((node) => ({ ...node, change: 'removed' as const })),
  ];
  return withoutDetours(nodes);
}

function nodesOf({ resources }: Graph): GraphNode[] {
  return resources.map(({ address, module, type, name, instances, dependencies }) => ({
    id: address,
    label: `${type}.${name}${instances > 1 ? ` ×${instances}` : ''}`,
    group: module,
    needs: dependencies.map((number) => resources[number]?.address ?? ''),
  }));
}

/** Changes of instances, by resource. */
function changesOf(diff: Diff): Map<string, Set<Change>> {
  const changes = new Map<string, Set<Change>>();
  for (const kind of ['added', 'changed', 'removed'] as const) {
    for (const { address } of diff[kind]) {
      const resource = address.replace(DEPOSED, '').replace(KEYS, '');
      changes.set(resource, new Set([...(changes.get(resource) ?? []), kind]));
    }
  }
  return changes;
}

/** Change of an existing resource: added if it is new, changed if any of its instances changed. */
function changeOf(changes: ReadonlySet<Change> | undefined, isNew: boolean | undefined): Change | undefined {
  if (isNew) return 'added';
  return changes === undefined ? undefined : 'changed';
}
