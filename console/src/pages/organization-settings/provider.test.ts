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
  // A group name may contain an equals sign, a team name may not.
  ['cn=x,dc=y = readers', [{ group: 'cn=x,dc=y', team: 'readers' }]],
  ['a', undefined],
  ['a =', undefined],
  ['= b', undefined],
  ['a = b\nnothing', undefined],
])('%j is %j', (text, rules) => {
  expect(readRules(text)).toEqual(rules);
});

it('rules are written as they were read', () => {
  const rules = [
    { group: 'cn=x,dc=y', team: 'readers' },
    { group: 'c-*', team: 'owners' },
  ];
  expect(readRules(rulesText(rules))).toEqual(rules);
});

it('the summary says whether users can sign in, and which checks fail', () => {
  const verdicts = [
    { check: 'keys', status: 'failure' },
    { check: 'scopes', status: 'warning' },
    { check: 'client', status: 'failure' },
    { check: 'claims', status: 'skipped' },
  ];
  expect(checkSays({ status: 'failure', verdicts })).toBe('Sign-in fails: keys, client');
  expect(checkSays({ status: 'warning', verdicts })).toBe('Sign-in may fail: scopes');
  expect(checkSays({ status: 'success', verdicts: [] })).toBe('The provider is ready for a sign-in');
});
