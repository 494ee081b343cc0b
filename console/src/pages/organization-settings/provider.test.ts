import { expect, it } from 'vitest';
import { readRules, rulesText } from './provider.ts';

it.each([
  ['', []],
  ['a = b', [{ group: 'a', team: 'b' }]],
  [
    '\n  a=b \n\nc-* = owners',
    [
      { group: 'a', team: 'b' },
      { group: 'c-*', team: 'owners' },
    ],
  ],
  // A group may have a sign of equality in its name, a team has none.
  ['cn=x,dc=y = readers', [{ group: 'cn=x,dc=y', team: 'readers' }]],
  ['a', undefined],
  ['a =', undefined],
  ['= b', undefined],
  ['a = b\nnothing', undefined],
])('%j is %j', (text, rules) => {
  expect(readRules(text)).toEqual(rules);
});

it('what is read is written as it was', () => {
  const rules = [
    { group: 'cn=x,dc=y', team: 'readers' },
    { group: 'c-*', team: 'owners' },
  ];
  expect(readRules(rulesText(rules))).toEqual(rules);
});
