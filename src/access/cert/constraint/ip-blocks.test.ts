import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { canonicalBlocks } from '../../../lib/cidr.ts';
import { IpBlocks } from './ip-blocks.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

it.each([
  ['10.0.0.0/8', '0a010203', true],
  ['10.0.0.0/8', '0b010203', false],
  ['10.1.2.3', '0a010203', true],
  ['10.1.2.3', '0a010204', false],
  ['10.1.2.99/26', '0a01027f', true],
  ['10.1.2.99/26', '0a010280', false],
  ['0.0.0.0/0', 'ffffffff', true],
  ['0.0.0.0/0', '00'.repeat(16), false],
  ['::/0', 'ff'.repeat(16), true],
  ['2001:db8::/33', `20010db87fff${'00'.repeat(10)}`, true],
  ['2001:db8::/33', `20010db88000${'00'.repeat(10)}`, false],
  ['2001:DB8:0:0:0:0:0:1', `20010db8${'00'.repeat(11)}01`, true],
  ['::1', `${'00'.repeat(15)}01`, true],
  ['::', '00'.repeat(16), true],
  ['1::', `0001${'00'.repeat(14)}`, true],
  ['::ffff:10.1.2.3', `${'00'.repeat(10)}ffff0a010203`, true],
  ['10.1.2.3', `${'00'.repeat(10)}ffff0a010203`, false],
  ['::ffff:10.1.2.3', '0a010203', false],
  ['1:2:3:4:5:6:7.8.9.10', '000100020003000400050006070809 0a'.replace(' ', ''), true],
])('the block %s contains %s: %s', (block, address, expected) => {
  expect(new IpBlocks(canonicalBlocks([block])).has(hex(address))).toBe(expected);
});
