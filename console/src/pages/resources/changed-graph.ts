import type { Resources } from '../../api/client.ts';
import { type Change, type GraphNode, withoutDetours } from '../../components/graph/graph.ts';

type Graph = Resources['state-version-graphs']['attributes'];
type Diff = Resources['state-version-diffs']['attributes']['resources'];

/** Keys of instances, of modules and of resources. */
const KEYS = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g;
const DEPOSED = / \(deposed [^)]*\)$/;

/** The graph of a state; beside another one also with what is gone, and with what became of each. */
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

/** By resource: what became of its instances. */
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

/** Of a resource that is there: new as a whole, or changed where anything happened to its instances. */
function changeOf(changes: ReadonlySet<Change> | undefined, isNew: boolean | undefined): Change | undefined {
  if (isNew) return 'added';
  return changes === undefined ? undefined : 'changed';
}
