import { expect, it } from 'vitest';
import { longText, textOf } from './value.ts';

it('a text stands as it is, anything else as JSON, and a long one by its beginning', () => {
  expect(textOf('<script>')).toBe('<script>');
  expect(textOf(['a', 1])).toBe('[\n  "a",\n  1\n]');
  expect(textOf(false)).toBe('false');
  expect(textOf(null)).toBe('');
  expect(longText('x'.repeat(5_000)).more).toBe(0);
  expect(longText('x'.repeat(6_000))).toEqual({ shown: 'x'.repeat(5_000), more: 1_000 });
});
