import { describe, expect, it } from 'vitest';
import { type GraphNode, neededBy, withoutDetours } from './graph.ts';
import { layoutOf } from './layout.ts';

const node = (id: string, needs: readonly string[] = [], group = ''): GraphNode => ({ id, label: id, group, needs });

describe('a graph', () => {
  it('has no edge for a transitive dependency', () => {
    const nodes = withoutDetours([
      node('vpc'),
      node('subnet', ['vpc']),
      node('instance', ['vpc', 'subnet', 'gone', 'instance']),
      node('dns', ['vpc', 'subnet', 'instance']),
    ]);
    expect(nodes.map(({ needs }) => needs)).toEqual([[], ['vpc'], ['subnet'], ['instance']]);
    expect(neededBy(nodes).get('subnet')).toEqual(['instance']);
    expect(neededBy(nodes).get('dns')).toEqual([]);
  });

  it('keeps the edges of two nodes that depend on each other', () => {
    const nodes = withoutDetours([node('a', ['b']), node('b', ['a']), node('c', ['a', 'b'])]);
    expect(nodes.map(({ needs }) => needs)).toEqual([['b'], ['a'], ['a', 'b']]);
  });

  it('is laid out with dependencies on the left, each node in the box of its group, without overlaps', () => {
    const nodes = withoutDetours([
      node('vpc'),
      node('m.subnet', ['vpc'], 'm'),
      node('m.instance', ['vpc', 'm.subnet'], 'm'),
      ...Array.from({ length: 40 }, (_, at) => node(`m.alone-${at}`, ['vpc'], 'm')),
      node('dns', [
        'm.instance',
        'is laid out with dependencies on the left, each node in the box of its group, without overlaps',
        'vpc',
      ]),
      node('constructor', ['__proto__']),
      node('__proto__'),
    ]);
    const { groups, nodes: boxes, lines, width, height } = layoutOf(nodes);
    const box = (id: string) => {
      const found = boxes.find((one) => one.id === id);
      if (!found) throw new Error(`${id} is nowhere`);
      return found;
    };
    expect(boxes).toHaveLength(nodes.length);
    expect(box('m.subnet').x).toBeLessThan(box('m.instance').x);
    expect(lines).toHaveLength(nodes.reduce((total, { needs }) => total + needs.length, 0));
    for (const { id, group } of nodes) {
      const [inner, outer] = [box(id), groups.find((one) => one.id === group)];
      if (!outer) throw new Error(`${group} is nowhere`);
      expect(inner.x).toBeGreaterThanOrEqual(outer.x);
      expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
      expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
      expect(outer.x + outer.width).toBeLessThanOrEqual(width);
      expect(outer.y + outer.height).toBeLessThanOrEqual(height);
    }
    const places = new Set(boxes.map(({ x, y }) => `${x} ${y}`));
    expect(places.size).toBe(boxes.length);
  });

  it('without nodes has no size', () => {
    expect(layoutOf([])).toMatchObject({ width: 0, height: 0, nodes: [] });
  });
});
