import type { Steps } from '../../../lib/slices.ts';
import type { Dependencies } from './dependencies.ts';
import { providerSource } from './resource-address.ts';
import type { ResourceRecord } from './resources.ts';

/**
 * @limit resources of a dependency graph, resources -> the graph is empty; `/resources` returns the dependencies in
 * pages
 */
export const MAX_RESOURCES = 2_000;
/**
 * @limit dependencies in a dependency graph, entries -> the graph is empty; `/resources` returns the dependencies in
 * pages
 */
const MAX_DEPENDENCIES = 50_000;

/** A resource of the configuration, with all of its instances in all instances of its modules. */
export interface ResourceNode {
  /** Address of the resource, for example `module.a.aws_instance.web`. */
  readonly address: string;
  /** Address of the module, for example `module.a`; empty for the root module. */
  readonly module: string;
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly instances: number;
  /** Indexes of resources in the same list. The list includes transitive dependencies. */
  readonly dependencies: readonly number[];
}

/** Reason why a state has no graph. */
export type Missing = 'older' | 'unreadable' | 'many';

/** Dependency graph of a state. */
export interface ResourceGraph {
  readonly missing: Missing | null;
  /** Number of resources, if known. */
  readonly total: number;
  readonly resources: readonly ResourceNode[];
}

export const without = (missing: Missing, total: number): ResourceGraph => ({ missing, total, resources: [] });

/** Keys of module instances. Dependencies do not contain them. */
const KEYS = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g;

interface Node extends Omit<ResourceNode, 'instances' | 'dependencies'> {
  instances: number;
  readonly lists: Set<Dependencies>;
}

/** Only managed resources; other dependencies are left out. */
export function* graphing(
  records: readonly ResourceRecord[],
  dependencies: readonly Dependencies[],
): Steps<ResourceGraph> {
  const nodes = new Map<string, Node>();
  for (const [at, record] of records.entries()) {
    if (at % 100 === 99) yield;
    const node = nodeOf(nodes, record);
    node.instances++;
    node.lists.add(dependencies[at] ?? null);
  }
  if (nodes.size > MAX_RESOURCES) return without('many', nodes.size);
  const numbers = new Map([...nodes.keys()].map((address, number) => [address, number]));
  const resources: ResourceNode[] = [];
  let total = 0;
  for (const { lists, ...node } of nodes.values()) {
    if (lists.has(null)) return without('many', nodes.size);
    const found = new Set<number>();
    for (const address of [...lists].flatMap((list) => list ?? [])) {
      const number = numbers.get(address);
      if (number !== undefined && number !== resources.length) found.add(number);
    }
    total += found.size;
    if (total > MAX_DEPENDENCIES) return without('many', nodes.size);
    resources.push({ ...node, dependencies: [...found].toSorted((one, other) => one - other) });
    yield;
  }
  return { missing: null, total: nodes.size, resources };
}

function nodeOf(nodes: Map<string, Node>, record: ResourceRecord): Node {
  const module = record.module.replace(KEYS, '');
  const address = `${module === '' ? '' : `${module}.`}${record.type}.${record.name}`;
  const known = nodes.get(address);
  if (known) return known;
  const { type, name, provider } = record;
  const node = {
    address,
    module,
    type,
    name,
    provider: providerSource(provider),
    instances: 0,
    lists: new Set<Dependencies>(),
  };
  nodes.set(address, node);
  return node;
}
