import { describe, expect, it } from 'vitest';
import { matchesGroup, teamsFor, usernameLike } from './mapping.ts';

describe('a group', () => {
  it.each([
    [['platform'], 'platform', true],
    [['platform-eu'], 'platform', false],
    [['Platform'], 'platform', false],
    [['platform-eu'], 'platform-*', true],
    [['platform'], 'platform-*', false],
    [['eu-platform-'], 'platform-*', false],
    [['anything'], '*', true],
    [[], '*', false],
    // A star is a wildcard only at the end. There are no other wildcards.
    [['ab'], 'a*b', false],
    [['a*b'], 'a*b', true],
    [['abc'], 'a.c', false],
    [['a.c'], 'a.*', true],
    [['abc'], 'a.*', false],
    [['x**'], 'x**', true],
    [['x'], 'x**', false],
  ])('%j by %j: %j', (groups, pattern, expected) => {
    expect(matchesGroup(groups, pattern)).toBe(expected);
  });

  it('are the teams of the matching rules', () => {
    const rule = (group: string, team: string) => ({ group, organization: 'acme', team });
    const rules = [rule('a', 'one'), rule('a*', 'two'), rule('b', 'three'), rule('a', 'owners')];
    expect(teamsFor(rules, ['a']).map(({ team }) => team)).toEqual(['one', 'two', 'owners']);
    expect(teamsFor(rules, [])).toEqual([]);
  });
});

describe('a username', () => {
  it.each([
    ['ada', 'ada'],
    ['ada@example.com', 'ada'],
    ['@example.com', 'user'],
    ['Zoë Müller', 'Zoe-Muller'],
    ['  ada  ', 'ada'],
    ['--ada--', 'ada'],
    ['a/../b', 'a-..-b'],
    ['<script>', 'script'],
    ['日本', 'user'],
    ['', 'user'],
    ['...', 'user'],
    // Service accounts use this prefix.
    ['api-org-acme', 'user'],
    ['\u202Eada', 'ada'],
    ['x'.repeat(90), 'x'.repeat(50)],
  ])('like %j is %j', (name, expected) => {
    expect(usernameLike(name)).toBe(expected);
  });
});
