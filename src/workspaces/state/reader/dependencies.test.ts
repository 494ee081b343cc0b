import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../lib/slices.ts';
import { type Dependencies, DependencyReader, dependenciesText, unpackingDependencies } from './dependencies.ts';
import { graphing, MAX_RESOURCES } from './resource-graph.ts';
import { selecting } from './resource-selection.ts';
import type { ResourceRecord } from './resources.ts';

const record = (type: string, name: string, more: Partial<ResourceRecord> = {}): ResourceRecord => ({
  module: '',
  type,
  name,
  provider: 'provider["registry.terraform.io/hashicorp/aws"]',
  index: null,
  deposed: null,
  digest: '',
  createdAt: 1,
  modifiedAt: 1,
  modifiedBy: 'sv-1',
  ...more,
});

describe('dependencies of instances', () => {
  it('share equal lists, and are unknown if they are too many', () => {
    const reader = new DependencyReader();
    const text = JSON.stringify(['aws_vpc.a', 'module.b.aws_x.c']);
    expect(reader.read(text)).toEqual(['aws_vpc.a', 'module.b.aws_x.c']);
    expect(reader.read(text)).toBe(reader.read(text));
    expect(reader.read('["a", 5, null]')).toEqual(['a']);
    expect(reader.read('{"a":1}')).toEqual([]);
    expect(reader.read('["a"')).toBeNull();
    expect(reader.read(undefined)).toBeNull();
    expect(reader.read(JSON.stringify(['x'.repeat(65_536)]))).toBeNull();
    const many = Array.from({ length: 70 }, (_, at) => reader.read(JSON.stringify([`${at}${'x'.repeat(65_000)}`])));
    expect(many.filter((list) => list === null).length).toBeGreaterThan(0);
    expect(many[0]).not.toBeNull();
  });

  it('are the same after packing and unpacking, whatever their addresses', () => {
    const [a, b]: Dependencies[] = [['x.y', 'list', '<script>'], ['x.y']];
    const lists: Dependencies[] = [a ?? [], a ?? [], null, [], b ?? [], a ?? [], null];
    const text = Buffer.from(dependenciesText(lists));
    expect(runAtOnce(unpackingDependencies(text))).toEqual(lists);
    expect(text.toString().match(/script/g)).toHaveLength(1);
    expect(runAtOnce(unpackingDependencies(Buffer.from(dependenciesText([]))))).toEqual([]);
  });
});

describe('the graph of a state', () => {
  it('has a node for each managed resource, with all instances of its modules', () => {
    const inModule = (key: string) => record('t', 'b', { module: `module.m["${key}"].module.n[0]`, index: key });
    const records = [record('t', 'a'), inModule('x.module.y'), inModule('z')];
    const needs = ['t.a', 'data.t.c', 'module.m.module.n.t.b'];
    const { missing, resources } = runAtOnce(graphing(records, [[], needs, needs]));
    expect(missing).toBeNull();
    expect(resources.map(({ address, instances, dependencies }) => [address, instances, dependencies])).toEqual([
      ['t.a', 1, []],
      ['module.m.module.n.t.b', 2, [0]],
    ]);
  });

  it('is absent if the state is too large, or some dependencies are unknown', () => {
    const many = Array.from({ length: MAX_RESOURCES + 1 }, (_, at) => record('t', `n${at}`));
    expect(runAtOnce(graphing(many, [])).missing).toBe('many');
    expect(runAtOnce(graphing(many, []))).toMatchObject({ total: MAX_RESOURCES + 1, resources: [] });
    expect(runAtOnce(graphing([record('t', 'a')], [null])).missing).toBe('many');
  });
});

it('resources are selected by module, provider, type and a part of their address', () => {
  const records = [
    record('aws_a', 'Web', { index: 'k' }),
    record('aws_b', 'x', { module: 'module.net' }),
    record('g_b', 'x', { module: 'module.net', provider: 'provider["registry.opentofu.org/hashicorp/google"]' }),
  ];
  expect(runAtOnce(selecting(records, {}))).toEqual([0, 1, 2]);
  expect(runAtOnce(selecting(records, { text: 'WEB["K' }))).toEqual([0]);
  for (const address of ['module.net.aws_b.x', 'net.aws_b.x']) {
    expect(runAtOnce(selecting(records, { address }))).toEqual([1]);
  }
  expect(runAtOnce(selecting(records, { address: 'aws_a.Web["k"]' }))).toEqual([0]);
  for (const address of ['aws_b.x', 'aws_a.Web', 'AWS_A.WEB["K"]']) {
    expect(runAtOnce(selecting(records, { address }))).toEqual([]);
  }
  expect(runAtOnce(selecting(records, { module: 'root' }))).toEqual([0]);
  expect(runAtOnce(selecting(records, { module: 'net', provider: 'hashicorp/google' }))).toEqual([2]);
  expect(runAtOnce(selecting(records, { type: 'aws_b' }))).toEqual([1]);
});
