import { expect, it } from 'vitest';
import { checkSays, readRules, rulesText } from './provider.ts';

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

it('a check says first of all whether people could sign in, and what is in the way', () => {
  const verdicts = [
    { check: 'keys', status: 'failure' },
    { check: 'scopes', status: 'warning' },
    { check: 'client', status: 'failure' },
    { check: 'claims', status: 'skipped' },
  ];
  expect(checkSays({ status: 'failure', verdicts })).toBe('Nobody can sign in with it: keys, client');
  expect(checkSays({ status: 'warning', verdicts })).toBe('People may not get in: scopes');
  expect(checkSays({ status: 'success', verdicts: [] })).toBe('It is ready for people to try');
});
