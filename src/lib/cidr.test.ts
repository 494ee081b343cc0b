import { describe, expect, it } from 'vitest';
import { blockOf, CidrError, canonicalBlocks, withinBlocks } from './cidr.ts';

describe('withinBlocks', () => {
  it('an empty list allows every IP address', () => {
    expect(withinBlocks('203.0.113.9', [])).toBe(true);
  });

  it.each([
    ['127.0.0.1', ['127.0.0.1'], true],
    ['127.0.0.2', ['127.0.0.1'], false],
    ['10.1.2.3', ['192.168.0.0/16', '10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['::1', ['::1/128'], true],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['::1', ['127.0.0.1'], false],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['not an address', ['0.0.0.0/0'], false],
    ['', ['::/0'], false],
  ])('%s in %j is %s', (address, blocks, expected) => {
    expect(withinBlocks(address, blocks)).toBe(expected);
  });
});

describe('blockOf', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3', '10.1.2.4'],
    ['::ffff:10.1.2.3', '10.1.2.3', '::ffff:10.1.2.4'],
    ['2001:db8::5', '2001:db8::5', '2001:db8::6'],
  ])('%s is %s and nothing else', (address, block, other) => {
    expect(blockOf(address)).toBe(block);
    expect(withinBlocks(address, [block])).toBe(true);
    expect(withinBlocks(other, [block])).toBe(false);
  });

  it.each(['', 'somewhere'])('returns none for %j', (text) => {
    expect(() => blockOf(text)).toThrow(CidrError);
  });
});

describe('canonicalBlocks', () => {
  it('shows a single host without its mask', () => {
    expect(canonicalBlocks(['127.0.0.1/32', '128.252.0.0/16', '::1/128'])).toEqual([
      '127.0.0.1',
      '128.252.0.0/16',
      '::1',
    ]);
  });

  it.each(['', 'x', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '::/129'])('refuses %j', (text) => {
    expect(() => canonicalBlocks([text])).toThrow(CidrError);
  });
});
