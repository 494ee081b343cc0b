import { describe, expect, it } from 'vitest';
import { readHead } from './state-head.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

describe('serial and lineage of a state', () => {
  const HEAD = { serial: 12, lineage: 'a-1' };

  it.each([
    ['as Terraform writes it', '{"version": 4,\n "serial": 12, "lineage": "a-1", "outputs": {}}'],
    [
      'at the end, with the names in other places',
      '{"outputs": {"serial": {"value": 7}}, "resources": [{"lineage": "x"}], "lineage":"a-1","serial":12}',
    ],
    ['with escapes', '{"a": "\\"serial\\": 3", "\\u0073erial": 12, "lineage": "a\\u002d1"}'],
    [
      'of an encrypted state',
      '{"serial":12,"lineage":"a-1","meta":{"key":"x"},"encrypted_data":"AAAA","encryption_version":"v0"}',
    ],
  ])('are found %s', async (_name, text) => {
    for (const size of [1, 7, 1000]) expect(await readHead(pieces(text, size))).toEqual(HEAD);
  });

  it.each([
    ['another document', '[{"serial": 1, "lineage": "a"}]'],
    ['text', 'serial: 1'],
    ['values of other types', '{"serial": "1", "lineage": 7}'],
    ['a serial that is no number of a version', '{"serial": -1.5}'],
  ])('are not found in %s', async (_name, text) => {
    expect(await readHead(pieces(text, 3))).toEqual({ serial: undefined, lineage: undefined });
  });
});
