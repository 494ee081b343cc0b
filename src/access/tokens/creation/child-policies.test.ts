import { describe, expect, it } from 'vitest';
import { mergeRole } from '../role/token-role.ts';
import { childPolicies, type PolicyQuestion } from './child-policies.ts';

const ask = (more: Partial<PolicyQuestion>) =>
  childPolicies({
    requested: [],
    withoutDefault: false,
    parent: ['a', 'default'],
    role: undefined,
    sudo: false,
    ...more,
  });
const role = (settings: Record<string, unknown>) => mergeRole(undefined, settings).role;

/** Every spelling in which a policy name could be taken for another one, or for root. */
const ROOTS = ['root', 'Root', 'ROOT', ' root', 'root ', '\troot\n', ' rOoT ', '\u00a0root', '\ufeffroot'];

describe('the policies of a child', () => {
  it.each(ROOTS)('are never root in any spelling (%j)', (name) => {
    const subset = 'child policies must be subset of parent';
    const noRoot = 'root tokens may not be created without parent token being root';
    expect(() => ask({ requested: [name] })).toThrow(subset);
    expect(() => ask({ requested: ['a', name] })).toThrow(subset);
    expect(() => ask({ requested: [name], sudo: true })).toThrow(noRoot);
    const open = [{ allowed_policies_glob: '*' }, { disallowed_policies: 'b' }, { allowed_policies: [name] }];
    for (const settings of open) expect(() => ask({ requested: [name], role: role(settings) })).toThrow(noRoot);
    expect(() => ask({ role: role({ allowed_policies: ['a', name] }) })).toThrow(noRoot);
  });

  it('are only root if they contain root', () => {
    expect(ask({ parent: ['root'], requested: ['a', 'Root'], sudo: true })).toEqual(['root']);
    expect(ask({ parent: ['root'] })).toEqual(['root']);
  });

  it('are those of the parent, or a subset', () => {
    expect(ask({})).toEqual(['a', 'default']);
    expect(ask({ withoutDefault: true })).toEqual(['a']);
    expect(ask({ requested: ['A '] })).toEqual(['a', 'default']);
    expect(ask({ requested: ['a'], parent: ['a', 'b'] })).toEqual(['a']);
    expect(ask({ requested: ['default'] })).toEqual(['default']);
    expect(ask({ requested: ['', ' '], parent: ['a'] })).toEqual(['a']);
  });

  it('are any policies if the parent has sudo', () => {
    expect(ask({ requested: ['b'], sudo: true })).toEqual(['b', 'default']);
    expect(ask({ requested: ['b'], sudo: true, withoutDefault: true })).toEqual(['b']);
  });

  it('disallowed by a role are refused in any spelling', () => {
    const settings = { disallowed_policies: ' Admin', disallowed_policies_glob: 'OPS-*' };
    for (const name of ['admin', 'ADMIN ', 'ops-1', ' Ops-2']) {
      expect(() => ask({ requested: [name], role: role(settings) })).toThrow('is disallowed by this role');
    }
    expect(() => ask({ parent: ['admin'], role: role(settings) })).toThrow('is disallowed by this role');
  });

  it('with a role without policies are those of the parent', () => {
    expect(() => ask({ requested: ['b'], role: role({ orphan: true }) })).toThrow('child policies must be subset');
  });
});
