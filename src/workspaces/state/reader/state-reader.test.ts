import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf } from './resource-address.ts';
import { StateReader, type StateSummary } from './state-reader.ts';

function read(text: string | Uint8Array, size = 1_000_000): StateSummary {
  const bytes = Buffer.from(text);
  const reader = new StateReader();
  for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
  return reader.end();
}

const instance = (index: unknown, attributes: unknown, more = {}) => ({
  ...(index === undefined ? {} : { index_key: index }),
  schema_version: 0,
  attributes,
  sensitive_attributes: [],
  ...more,
});
const STATE = {
  version: 4,
  terraform_version: '1.10.0',
  serial: 12,
  lineage: 'a-b',
  outputs: {
    'quo"te\\d': { value: { a: ['}', '"', '\\'] }, type: ['object', { a: ['list', 'string'] }] },
    secret: { value: 's3cret', type: 'string', sensitive: true },
  },
  resources: [
    {
      mode: 'data',
      type: 'aws_ami',
      name: 'base',
      provider: 'provider["registry.terraform.io/hashicorp/aws"]',
      instances: [instance(undefined, { id: 'ami-1' })],
    },
    {
      module: 'module.net["a.b"].module.sub',
      instances: [instance('x', { id: '1' }), instance('y', { id: '2' }, { deposed: 'd1' })],
      mode: 'managed',
      type: 'aws_subnet',
      name: 'this',
      provider: 'module.net.provider["registry.opentofu.org/hashicorp/aws"].west',
    },
    { mode: 'managed', type: 'null_resource', name: 'empty', provider: 'provider.null', instances: [] },
  ],
  check_results: [{ object_kind: 'x', status: 'pass' }],
};

describe('a state', () => {
  it('returns its resources, counts and outputs, whatever the order of its members', () => {
    const summary = read(JSON.stringify(STATE));
    expect(summary).toMatchObject({
      format: 4,
      isEncrypted: false,
      serial: 12,
      lineage: 'a-b',
      engineVersion: '1.10.0',
      resourceCount: 2,
    });
    expect(summary.instances.map((one) => [addressOf(one), one.index])).toEqual([
      ['module.net["a.b"].module.sub.aws_subnet.this["x"]', 'x'],
      ['module.net["a.b"].module.sub.aws_subnet.this["y"] (deposed d1)', 'y'],
    ]);
    expect(summary.overview.modules).toEqual({
      root: { 'data.aws-ami': 1, 'null-resource': 0 },
      'net["a.b"].sub': { 'aws-subnet': 2 },
    });
    expect(summary.overview.resources[0]).toMatchObject({
      name: 'base',
      type: 'data.aws_ami',
      count: 1,
      module: 'root',
    });
    expect(summary.outputs).toEqual([
      {
        name: 'quo"te\\d',
        sensitive: false,
        value: { a: ['}', '"', '\\'] },
        detailedType: ['object', { a: ['list', 'string'] }],
      },
      { name: 'secret', sensitive: true, value: 's3cret', detailedType: 'string' },
    ]);
  });

  it('gives the same result for any split into chunks and any indentation', () => {
    const [short, long] = [JSON.stringify(STATE), JSON.stringify(STATE, null, 2)];
    const expected = read(short);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        expect(read(short, size)).toEqual(expected);
        const { serialAt, instances, ...rest } = read(long, size);
        const { serialAt: _, instances: others, ...expectedRest } = expected;
        expect(rest).toEqual(expectedRest);
        expect(instances.map(addressOf)).toEqual(others.map(addressOf));
        expect(Buffer.from(long).toString('latin1', serialAt?.start, serialAt?.end)).toBe('12');
      }),
    );
  });

  it('has a digest for each instance, of its attributes and its status', () => {
    const digest = (attributes: unknown, more = {}) => {
      const resources = [{ mode: 'managed', type: 't', name: 'n', instances: [instance(0, attributes, more)] }];
      return read(JSON.stringify({ ...STATE, resources })).instances[0]?.digest;
    };
    expect(digest({ a: 1 })).toBe(digest({ a: 1 }, { private: 'x', dependencies: ['y'] }));
    expect(digest({ a: 1 })).not.toBe(digest({ a: 2 }));
    expect(digest({ a: 1 })).not.toBe(digest({ a: 1 }, { status: 'tainted' }));
  });

  it('that is encrypted, of another format, or no JSON is opaque', () => {
    const encrypted = { serial: 3, lineage: 'l', meta: {}, encrypted_data: 'AAAA', encryption_version: 'v0' };
    expect(read(JSON.stringify(encrypted))).toMatchObject({ format: null, isEncrypted: true, outputs: [] });
    for (const text of [
      '',
      'x',
      '{',
      '{"version":4',
      '{"version":4}}',
      '{"version":4]',
      '{"version":4,}',
      '{"version" 4}',
      '[',
      '[]',
      'null',
      '{"version":"3"}',
      '{"version":3.5}',
      '{"version":-1}',
      '{"version":1e19}',
      '{}',
      '\u0000\u0001',
      JSON.stringify(STATE).slice(0, -1),
      `${JSON.stringify(STATE)}x`,
    ]) {
      expect(read(text), text).toMatchObject({ format: null, isEncrypted: false, resourceCount: 0, instances: [] });
    }
    expect(read('{"version":4}')).toMatchObject({ format: 4, serial: null, lineage: null });
    const old = read('{"version":3,"terraform_version":"0.11.14","serial":1,"modules":[]}');
    expect(old).toMatchObject({ format: 3, engineVersion: '0.11.14', serial: null, instances: [] });
  });

  it('of arbitrary bytes is at most opaque and never an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(Buffer.from)), (bytes) => {
        const { format } = read(bytes, 7);
        if (format !== null) expect(JSON.parse(Buffer.from(bytes).toString()).version).toBe(format);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(JSON.stringify({ version: 4, junk: value, serial: 5 }), 3)).toMatchObject({ format: 4, serial: 5 });
      }),
    );
  });

  it('keeps the name of an output that is too large, but neither its value nor its type', () => {
    const outputs = { big: { value: 'x'.repeat(300_000), type: 'string' }, small: { value: 1, type: 'number' } };
    expect(read(JSON.stringify({ ...STATE, outputs })).outputs).toEqual([
      { name: 'big', sensitive: true, value: null },
      { name: 'small', sensitive: false, value: 1, detailedType: 'number' },
    ]);
  });
});
