import { expect, it } from 'vitest';
import { longText, textOf } from './value.ts';

it('a text is shown as it is, other values as JSON, and long ones in part', () => {
  expect(textOf('<script>')).toBe('<script>');
  expect(textOf(['a', 1])).toBe('[\n  "a",\n  1\n]');
  expect(textOf(false)).toBe('false');
  expect(textOf(null)).toBe('');
  expect(longText('x'.repeat(5_000)).more).toBe(0);
  expect(longText('x'.repeat(6_000))).toEqual({ shown: 'x'.repeat(5_000), more: 1_000 });
});
