import { randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packResources, partsOf, unpackResources } from './packed-resources.ts';
import { type ResourceRecord, withHistory } from './resources.ts';
import type { Instance } from './state-reader.ts';

function opened(packed: Uint8Array): ResourceRecord[] {
  const { digests, text } = partsOf(packed);
  return unpackResources(digests, inflateRawSync(text));
}

const digest = () => randomBytes(16).toString('latin1');
const word = fc.constantFrom('a', 'b', 'ü"');
const record: fc.Arbitrary<ResourceRecord> = fc.record({
  module: word,
  type: word,
  name: word,
  provider: word,
  index: fc.oneof(fc.constant(null), fc.nat(), fc.string()),
  deposed: fc.oneof(fc.constant(null), word),
  digest: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  createdAt: fc.nat(2),
  modifiedAt: fc.nat(2),
  modifiedBy: word,
});

describe('resources', () => {
  it('are the same after packing and unpacking', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => {
        expect(opened(packResources(records))).toEqual(records);
      }),
    );
  });

  it('of the older format are still readable', () => {
    const bytes = randomBytes(17);
    const [createdAt, modifiedAt, modifiedBy] = [1, 2, 'sv-1'];
    const common = { module: '', type: 't', name: 'n', provider: 'p' };
    const text = bytes.toString('base64url').slice(0, 22);
    const old = [{ ...common, instances: [['a', 'key', text, createdAt, modifiedAt, modifiedBy]] }];
    const expected = bytes.toString('latin1', 0, 16);
    expect(opened(deflateRawSync(JSON.stringify(old)))).toEqual([
      { ...common, index: 'a', deposed: 'key', digest: expected, createdAt, modifiedAt, modifiedBy },
    ]);
    expect(opened(deflateRawSync('[]'))).toEqual([]);
  });

  it('are found again at any position', () => {
    const common = { module: '', type: 't', name: 'n', provider: 'p', deposed: null };
    const instances: Instance[] = Array.from({ length: 30 }, (_, index) => ({ ...common, index, digest: digest() }));
    const first = [...withHistory(instances, [], { id: 'sv-1', createdAt: 1 })];
    fc.assert(
      fc.property(fc.shuffledSubarray(instances), fc.nat(30), (some, at) => {
        const added = { ...common, index: 'new', digest: digest() };
        const second = [...withHistory(some.toSpliced(at, 0, added), first, { id: 'sv-2', createdAt: 2 })];
        const expected = some.map((instance) => ({ ...instance, createdAt: 1, modifiedAt: 1, modifiedBy: 'sv-1' }));
        const own = { ...added, createdAt: 2, modifiedAt: 2, modifiedBy: 'sv-2' };
        expect(second).toEqual(expected.toSpliced(at, 0, own));
      }),
    );
  });
});
