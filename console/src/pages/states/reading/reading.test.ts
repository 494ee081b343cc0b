import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../../../src/lib/exact-json/exact-json.ts';
import { Md5 } from './md5.ts';
import { compareValues, type StateFile } from './state-file.ts';

/** Digests of the first `length` bytes of the test data below, computed with OpenSSL. */
const DIGESTS: readonly (readonly [length: number, digest: string])[] = [
  [0, 'd41d8cd98f00b204e9800998ecf8427e'],
  [1, '93b885adfe0da089cdf634904fd59f71'],
  [55, '6250f93da3ffd08711433c3ee6916881'],
  [56, '4e541b3628dfbf8b4e1362d3fa547cda'],
  [57, 'e1a2fc0401c7ee3cdad33e26d5004116'],
  [63, '2614a69def3975c78a7991e64b4ed0d9'],
  [64, '236b0fb91175705c57b1de690cee3f44'],
  [65, '735cdf2dcd3fc37b450a14effb4012cd'],
  [119, '72c493d8a83d16d32f62f07fd288f024'],
  [120, '0b164d50b21ad1715c25fc158ff0d422'],
  [127, 'f4ac2c8c8e232952dbbb9feccdc5a723'],
  [128, '5bb365af868932fb9f9ab0af617c1a0d'],
  [1000, 'd676565de2976219305a8e7e6698b024'],
];

it.each(DIGESTS)('MD5 of %i bytes equals the digest of OpenSSL, for any chunk size', (length, digest) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 251);
  for (const cut of [1, 7, 64, 100, 1_000]) {
    const md5 = new Md5();
    for (let at = 0; at < length; at += cut) md5.update(bytes.subarray(at, at + cut));
    expect(md5.end(), `by ${cut}`).toBe(digest);
  }
});

const file = (attributes: object, more: object = {}): StateFile => ({
  resources: [
    { mode: 'data', type: 'aws_x', name: 'y', instances: [{ attributes: { id: 'data' } }] },
    { module: 'module.m["k"]', type: 'aws_x', name: 'y', instances: [{ index_key: 'a"b', attributes, ...more }] },
  ],
});
const named = { kind: 'resource', name: 'module.m["k"].aws_x.y["a\\"b"]' } as const;

describe('values of two state files', () => {
  it('the paths of changed values are listed', () => {
    const { changes, more } = compareValues(
      file({ id: 'x', tags: { Name: 'a', 'kubernetes.io/x': 1 }, list: [1, 2], gone: null, kept: { a: [1] } }),
      file({ id: 'x', tags: { Name: 'b', 'kubernetes.io/x': 2 }, list: [1, 3, 4], here: true, kept: { a: [1] } }),
      named,
    );
    expect(more).toBe(0);
    expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual([
      ['tags.Name', '"a"', '"b"'],
      ['tags["kubernetes.io/x"]', '1', '2'],
      ['list[1]', '2', '3'],
      ['list[2]', undefined, '4'],
      ['gone', 'null', undefined],
      ['here', undefined, 'true'],
    ]);
  });

  it('a value is hidden if either file marks it, or a value around or within it, as sensitive', () => {
    const secret = (...values: unknown[]) => ({
      sensitive_attributes: [values.map((value) => ({ type: 'get_attr', value }))],
    });
    const { changes } = compareValues(
      file({ password: 'old', nested: { key: 'k1', open: 1 }, list: ['s'] }, secret('nested', 'key')),
      file(
        { password: 'new', nested: { key: 'k2', open: 2 }, list: 'whole' },
        secret('list', { value: 0, type: 'number' }),
      ),
      named,
    );
    expect(changes).toMatchObject([
      { path: 'password', before: '"old"', isSensitive: false },
      { path: 'nested.key', before: '', after: '', isSensitive: true },
      { path: 'nested.open', isSensitive: false },
      { path: 'list', before: '', after: '', isSensitive: true },
    ]);
    const whole = compareValues(file({ password: 'a' }, secret('password')), file({ password: 'b' }), named);
    expect(JSON.stringify(whole)).not.toMatch(/"a"|"b"/);
  });

  it('outputs are compared, and resources that only one file contains', () => {
    const outputs = (value: unknown, sensitive = false): StateFile => ({ outputs: { o: { value, sensitive } } });
    const output = { kind: 'output', name: 'o' } as const;
    expect(compareValues(outputs([1]), outputs([2]), output).changes).toMatchObject([{ path: '[0]', before: '1' }]);
    expect(compareValues(outputs(1, true), outputs(2), output).changes).toMatchObject([{ path: '', before: '' }]);
    expect(compareValues({}, outputs('x'), output).changes).toMatchObject([
      { path: '', before: undefined, after: '"x"' },
    ]);
    expect(compareValues({}, {}, { kind: 'output', name: 'constructor' }).changes).toEqual([]);
    expect(compareValues({}, file({ id: 'x' }), named).changes).toMatchObject([
      { path: 'id', before: undefined, after: '"x"' },
    ]);
  });

  it('numbers keep their digits', () => {
    const numbers = (text: string) => parseExactJson(`{"outputs": {"o": {"value": ${text}}}}`) as StateFile;
    const compared = (one: string, other: string) =>
      compareValues(numbers(one), numbers(other), { kind: 'output', name: 'o' }).changes;
    expect(compared('[9007199254740992, 1]', '[9007199254740993, 1.0]')).toMatchObject([
      { path: '[0]', before: '9007199254740992', after: '9007199254740993' },
    ]);
    expect(compared('1e400', '2e400')).toMatchObject([{ path: '', before: '1e400', after: '2e400' }]);
  });

  it('the number and length of values are limited', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
    const { changes, more } = compareValues(file({}), file({ ...many, long: 'x'.repeat(5_000) }), named);
    expect([changes.length, more]).toEqual([200, 301]);
    const long = compareValues(file({}), file({ long: 'x'.repeat(5_000) }), named).changes[0]?.after ?? '';
    expect(long.length).toBe(2_001);
    expect(long.endsWith('…')).toBe(true);
  });
});
