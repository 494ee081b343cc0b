import { expect, test } from 'vitest';
import { SignInLink } from './sign-in-link.ts';

test('a sign-in link works once, and for a quarter of an hour', () => {
  let now = 0;
  const link = new SignInLink(() => now);
  expect(link.redeem('')).toBeUndefined();
  const first = link.issue(['a', 'b']);
  expect(link.redeem(`${first}x`)).toBeUndefined();
  expect(link.redeem(first)).toEqual(['a', 'b']);
  expect(link.redeem(first)).toBeUndefined();
  const second = link.issue(['a']);
  now += 15 * 60_000 - 1;
  expect(link.redeem(second)).toEqual(['a']);
  const third = link.issue(['a']);
  now += 15 * 60_000;
  expect(link.redeem(third)).toBeUndefined();
  expect(link.redeem(third)).toBeUndefined();
});

test('a new link replaces the one before', () => {
  const link = new SignInLink(() => 0);
  const before = link.issue(['a']);
  const after = link.issue(['b']);
  expect(before).not.toBe(after);
  expect(link.redeem(before)).toBeUndefined();
  expect(link.redeem(after)).toEqual(['b']);
});
