import { describe, expect, it } from 'vitest';
import { ProviderError } from '../provider-error.ts';
import { deliveryMembers } from './delivery-json.ts';

const read = (text: string, ...wanted: string[]) => deliveryMembers(Buffer.from(text), new Set(wanted));
const WHOLE = {
  ref: 'refs/heads/main',
  commits: [{ id: 'a', "it's": '{"ref": 1}, ]' }],
  text: 'a "quoted\\" }{][, text',
  n: -1.5e3,
};

describe('the members of a delivery', () => {
  it('are those of JSON.parse', () => {
    for (const space of [0, 2]) expect(read(JSON.stringify(WHOLE, null, space), ...Object.keys(WHOLE))).toEqual(WHOLE);
    expect(read('{}', 'ref')).toEqual({});
    expect(read(' { } ', 'ref')).toEqual({});
  });

  it('are only the wanted ones of the outermost object', () => {
    expect(read(JSON.stringify(WHOLE), 'n')).toEqual({ n: -1500 });
    expect(read('{"a":{"ref":1},"ref":2}', 'ref')).toEqual({ ref: 2 });
  });

  it('may be beside members that are too large to be parsed', () => {
    const commits = Array.from({ length: 200_000 }, (_, i) => ({ id: i }));
    expect(read(JSON.stringify({ commits, ref: 'x' }), 'ref')).toEqual({ ref: 'x' });
    expect(() => read(JSON.stringify({ commits, ref: 'x' }), 'commits')).toThrow(ProviderError);
  });

  it.each([
    ...[
      '',
      'null',
      '[]',
      '"ref"',
      '{"ref":',
      '{"ref":}',
      '{"ref":1',
      '{"ref":1}}',
      '}{',
      '{"ref":1]',
      '[{"ref":1}]',
      '{"ref":"a',
    ],
    ...['{"ref":1}{"ref":2}', '{"ref":1},{"ref":2}', '{"__proto__":{"a":1}}'],
  ])('of %s are not read', (text) => {
    expect(() => read(text, 'ref', '__proto__')).toThrow(ProviderError);
  });

  it('are not read if the body is not UTF-8', () => {
    expect(() => deliveryMembers(Buffer.from([0x7b, 0xff, 0x7d]), new Set())).toThrow(ProviderError);
  });
});
