import { expect, test } from 'vitest';
import { createRoot } from '../../../pki/index.ts';
import { ParseError } from '../../../x509/index.ts';
import { KnownLeaves } from './known-leaves.ts';

test('caches the parsed certificate of a successful login, and no other one', () => {
  const root = createRoot();
  const [mine, sibling] = [root.issue({ subject: 'machine' }).der, root.issue({ subject: 'machine' }).der];
  const leaves = new KnownLeaves();
  const leaf = leaves.read(mine);
  expect(leaves.read(mine)).not.toBe(leaf);
  leaves.remember(leaf);
  expect(leaves.read(Uint8Array.from(mine))).toBe(leaf);
  expect(leaves.read(sibling).equals(leaf)).toBe(false);
  const bent = Uint8Array.from(mine);
  bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
  expect(leaves.read(bent)).not.toBe(leaf);
  expect(() => leaves.read(mine.subarray(1))).toThrow(ParseError);
});
