import { describe, expect, test } from 'vitest';
import { changesOf, FIELDS, filledOf } from './fields.ts';

describe('a role in a form', () => {
  test('is written as far as it was changed', () => {
    const before = filledOf({ allowed_common_names: ['*.example'], token_ttl: 90, ocsp_enabled: false });
    expect(before).toMatchObject({ allowed_common_names: '*.example', token_ttl: '90', ocsp_enabled: false });
    expect(changesOf(before, before)).toEqual({});
    const after = { ...before, allowed_common_names: ' a \n\nb', token_ttl: '', ocsp_enabled: true };
    expect(changesOf(before, after)).toEqual({ allowed_common_names: ['a', 'b'], token_ttl: '0', ocsp_enabled: true });
    expect(changesOf(before, { ...before, allowed_common_names: '' })).toEqual({ allowed_common_names: [] });
  });

  test('has each field once', () => {
    expect(new Set(FIELDS.map(({ name }) => name)).size).toBe(FIELDS.length);
  });
});
