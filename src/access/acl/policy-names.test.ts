import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePolicies, policyName, tokenPolicies } from './policy-names.ts';

describe('policy names', () => {
  it('are trimmed, lower-cased, sorted and unique', () => {
    expect(normalizePolicies([' Web', 'web', '', '  ', 'DB'])).toEqual(['db', 'web']);
    expect(tokenPolicies(['b'], false)).toEqual(['b', 'default']);
    expect(tokenPolicies(['b'], true)).toEqual(['b']);
  });

  it('are equal in every Unicode normalization form', () => {
    expect(policyName('cafe\u0301')).toBe(policyName('caf\u00e9'));
  });

  it('do not change when they are normalized again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(policyName(policyName(name))).toBe(policyName(name));
      }),
    );
  });
});
