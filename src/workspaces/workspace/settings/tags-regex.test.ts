import { expect, test } from 'vitest';
import { isTagsRegex } from './tags-regex.ts';

test.each([
  ...['', '^v\\d+\\.\\d+$', 'v.*', '^(?:a|b)+?$', '\\p{Lu}', '[[:alpha:]]+', '[]a]', 'a{', 'x{1000}'],
  // Only RE2 has these.
  ...[
    '(?i)^V',
    '(?i:v)1',
    '(?U)a+',
    '(?P<major>\\d+)\\.(?P<minor>\\d+)',
    '\\Av\\z',
    '\\Qv1.(\\E.*',
    '\\Q(',
    '(?i-s)v',
    '^*v',
    '[](]',
  ],
  // Only JavaScript has these.
  ...['^v(?=1)', '(?<!rc)$', '(a)\\1', '(?<major>\\d)\\k<major>'],
])('%j is a regular expression', (text) => {
  expect(isTagsRegex(text)).toBe(true);
});

test.each([
  ...['(', ')', '[', '[z-a]', 'a**', '*', '+v', 'a{2,1}', '\\', '(?', '(?P<1>a)', '(?P<a', '(?i', '(?z)a', '\\Q\\E('],
  ...['(?i)(', '\\(?P<a>)', '(?P<a>x)(?P<a>y)'],
])('%j is not a regular expression', (text) => {
  expect(isTagsRegex(text)).toBe(false);
});
