import { layout as dagre, Graph } from '@dagrejs/dagre';
import type { GraphNode } from './graph.ts';

const NODE_WIDTH = 232;
const NODE_HEIGHT = 28;
const GAP = 8;
/** Horizontal distance between a dependency and its dependents. */
const RANK_GAP = 40;
const PADDING = 12;
/** Height of a group's heading. */
const HEAD = 28;

interface Box {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];

/** Positions of all boxes and edges, in pixels from the top left corner. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly groups: readonly Box[];
  readonly nodes: readonly Box[];
  /** Edges from dependencies to dependents. */
  readonly lines: readonly { readonly from: string; readonly to: string; readonly points: readonly Point[] }[];
}

/**
 * Lays out the graph with dependencies on the left. Lays out each group first, and then the groups: one layout with
 * nested
 * groups takes minutes where this takes a second.
 */
export function layoutOf(nodes: readonly GraphNode[]): Layout {
  const members = Map.groupBy(nodes, ({ group }) => group);
  const groupOf = new Map(nodes.map(({ id, group }) => [id, group]));
  const inner = new Map([...members].map(([group, some]) => [group, arranged(some)]));
  const between = new Map<string, Set<string>>();
  for (const { group, needs } of nodes) {
    const others = needs.map((id) => groupOf.get(id)).filter((one) => one !== undefined && one !== group);
    between.set(group, new Set([...(between.get(group) ?? []), ...(others as string[])]));
  }
  const sizes = [...inner].map(([id, { width, height }]) => ({
    id,
    width: width + 2 * PADDING,
    height: height + PADDING + HEAD,
  }));
  const outer = fromTheTop(placed(sizes, (id) => [...(between.get(id) ?? [])], 2 * GAP));
  const all = outer.boxes.flatMap(({ id, x, y }) =>
    (inner.get(id)?.boxes ?? []).map((box) => ({ ...box, x: box.x + x + PADDING, y: box.y + y + HEAD })),
  );
  return {
    width: outer.width,
    height: outer.height,
    groups: outer.boxes,
    nodes: all,
    lines: linesOf(nodes, new Map(all.map((box) => [box.id, box]))),
  };
}

interface Arranged {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
}

/** Lays out one group: connected nodes first, and below them, in rows, nodes without edges. */
function arranged(nodes: readonly GraphNode[]): Arranged {
  const ids = new Set(nodes.map(({ id }) => id));
  const needs = new Map(nodes.map((node) => [node.id, node.needs.filter((id) => ids.has(id))]));
  const linked = new Set([...needs].flatMap(([id, some]) => (some.length > 0 ? [id, ...some] : [])));
  const [tied, alone] = [nodes.filter(({ id }) => linked.has(id)), nodes.filter(({ id }) => !linked.has(id))];
  const sized = tied.map(({ id }) => ({ id, width: NODE_WIDTH, height: NODE_HEIGHT }));
  const above = placed(sized, (id) => needs.get(id) ?? [], GAP);
  const perRow = Math.max(1, Math.round(Math.sqrt(alone.length / 4)));
  const top = above.height === 0 ? 0 : above.height + GAP;
  const rows = alone.map(({ id }, at) => ({
    id,
    x: (at % perRow) * (NODE_WIDTH + GAP),
    y: top + Math.floor(at / perRow) * (NODE_HEIGHT + GAP),
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
  }));
  const boxes = [...above.boxes, ...rows];
  return {
    boxes,
    width: Math.max(...boxes.map(({ x, width }) => x + width)),
    height: Math.max(...boxes.map(({ y, height }) => y + height)),
  };
}

function placed(
  boxes: readonly Omit<Box, 'x' | 'y'>[],
  needsOf: (id: string) => readonly string[],
  gap: number,
): Arranged {
  if (boxes.length === 0) return { width: 0, height: 0, boxes: [] };
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap, edgesep: GAP / 2, ranksep: RANK_GAP, ranker: 'longest-path' });
  graph.setDefaultEdgeLabel(() => ({}));
  // The layout uses generated names, because an id such as `__proto__` must not become a property name.
  const names = new Map(boxes.map(({ id }, at) => [id, `n${at}`]));
  const nameOf = (id: string) => names.get(id) ?? '';
  for (const { id, width, height } of boxes) graph.setNode(nameOf(id), { width, height });
  for (const { id } of boxes) for (const needed of needsOf(id)) graph.setEdge(nameOf(needed), nameOf(id));
  dagre(graph);
  const found = boxes.map((box) => {
    const { x, y } = graph.node(nameOf(box.id)) as { x: number; y: number };
    return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
  });
  const [left, top] = [Math.min(...found.map(({ x }) => x)), Math.min(...found.map(({ y }) => y))];
  const moved = found.map((box) => ({ ...box, x: box.x - left, y: box.y - top }));
  return {
    boxes: moved,
    width: Math.max(...moved.map(({ x, width }) => x + width)),
    height: Math.max(...moved.map(({ y, height }) => y + height)),
  };
}

/** Aligns every column to the top: a centred layout leaves the top left corner empty. */
function fromTheTop({ width, boxes }: Arranged): Arranged {
  const columns = Map.groupBy(boxes, (box) => Math.round(box.x + box.width / 2));
  const tops = new Map([...columns].map(([at, column]) => [at, Math.min(...column.map(({ y }) => y))]));
  const moved = boxes.map((box) => ({ ...box, y: box.y - (tops.get(Math.round(box.x + box.width / 2)) ?? 0) }));
  return { width, boxes: moved, height: Math.max(0, ...moved.map(({ y, height }) => y + height)) };
}

/** Edges from the right side of a dependency to the left side of its dependent. */
function linesOf(nodes: readonly GraphNode[], boxes: ReadonlyMap<string, Box>): Layout['lines'] {
  return nodes.flatMap(({ id, needs }) =>
    needs.flatMap((needed) => {
      const [from, to] = [boxes.get(needed), boxes.get(id)];
      if (!from || !to) return [];
      const start: Point = [from.x + from.width, from.y + from.height / 2];
      const end: Point = [to.x, to.y + to.height / 2];
      return [{ from: needed, to: id, points: [start, end] }];
    }),
  );
}
