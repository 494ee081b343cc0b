import { describe, expect, it } from 'vitest';
import { graphNodes } from './changed-graph.ts';
import { moduleTree } from './modules.ts';

it('modules form a tree', () => {
  const tree = moduleTree({
    'net["a.b"].sub': { 'aws-subnet': 2, 'data.aws-ami': 5 },
    dns: { 'aws-zone': 1 },
    root: { 'aws-vpc': 1 },
    'net["a.b"]': { 'aws-vpc': 3 },
    'net-2': {},
  });
  expect(tree.map(({ label, depth, count }) => [label, depth, count])).toEqual([
    ['root', 0, 1],
    ['dns', 1, 1],
    ['net-2', 1, 0],
    ['net["a.b"]', 1, 3],
    ['sub', 2, 2],
  ]);
});

describe('the graph between two states', () => {
  const of = (...resources: (readonly [address: string, needs: readonly number[], instances?: number])[]) => ({
    reason: null,
    'resource-count': resources.length,
    resources: resources.map(([address, dependencies, instances = 1]) => {
      const [, module = '', type = '', name = ''] = /^(?:(module\..+)\.)?([^.]+)\.([^.]+)$/.exec(address) ?? [];
      return { address, module, type, name, provider: 'p', instances, dependencies };
    }),
  });
  const at = (...addresses: string[]) =>
    addresses.map((address) => ({ address, module: '', type: '', name: '', provider: '' }));

  it('contains removed resources, and the change of each', () => {
    const before = of(['t.vpc', []], ['module.m.t.gone', [0]], ['t.kept', [0]]);
    const after = of(['t.vpc', []], ['module.m.t.new', [0]], ['t.kept', [0, 1]], ['t.grown', [], 2]);
    const diff = {
      added: at('module.m["k"].t.new["a"]', 't.grown[1]'),
      changed: at('t.kept (deposed abc)'),
      removed: at('module.m[0].t.gone'),
    };
    const older = of(...before.resources.map(({ address, dependencies }) => [address, dependencies] as const), [
      't.grown',
      [],
    ]);
    expect(graphNodes(after, older, diff).map(({ id, change, needs, label }) => [id, change, needs, label])).toEqual([
      ['t.vpc', undefined, [], 't.vpc'],
      ['module.m.t.new', 'added', ['t.vpc'], 't.new'],
      ['t.kept', 'changed', ['module.m.t.new'], 't.kept'],
      ['t.grown', 'changed', [], 't.grown ×2'],
      ['module.m.t.gone', 'removed', ['t.vpc'], 't.gone'],
    ]);
    expect(graphNodes(after).every(({ change }) => change === undefined)).toBe(true);
  });
});
