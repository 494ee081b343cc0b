import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePolicies, policyName, tokenPolicies } from './policy-names.ts';

describe('the names of policies', () => {
  it('are trimmed, lower-cased, each once, sorted', () => {
    expect(normalizePolicies([' Web', 'web', '', '  ', 'DB'])).toEqual(['db', 'web']);
    expect(tokenPolicies(['b'], false)).toEqual(['b', 'default']);
    expect(tokenPolicies(['b'], true)).toEqual(['b']);
  });

  it('cannot be told apart by how a letter is put together', () => {
    expect(policyName('cafe\u0301')).toBe(policyName('caf\u00e9'));
  });

  it('are the same however often they are normalized', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(policyName(policyName(name))).toBe(policyName(name));
      }),
    );
  });
});
