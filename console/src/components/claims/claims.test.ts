import { describe, expect, test } from 'vitest';
import { claimLines, claimsIn, whyNoClaims } from './claims.ts';

describe('claims, one on each line', () => {
  test('are read back as they were written', () => {
    const claims = {
      repository: 'acme/shop',
      repository_id: '123456789',
      run_number: 7,
      ref_protected: 'true',
      first: true,
      ref: ['refs/heads/main', 'refs/tags/v*'],
      'https://acme.example/x?y=1': 'a = b',
      ' "odd = name ': ' spaces ',
      '/a/b': '["not", "a list"]',
      lines: 'a\nb',
      empty: '',
      quoted: '"x"',
      broken: '"x',
    };
    expect(claimsIn(claimLines(claims))).toEqual(claims);
    expect(claimLines(claims).split('\n').slice(0, 4)).toEqual([
      'repository = acme/shop',
      'repository_id = "123456789"',
      'run_number = 7',
      'ref_protected = "true"',
    ]);
  });

  test('are read as a user types them', () => {
    expect(claimsIn('a=b\n\n  sub =repo:acme/infra:environment:prod \nn = -7\nlist = []')).toEqual({
      a: 'b',
      sub: 'repo:acme/infra:environment:prod',
      n: -7,
      list: '[]',
    });
    expect(claimLines(null)).toBe('');
    expect(claimsIn('')).toEqual({});
  });

  test.each(['sub', '= b', 'a =', '"" = b', '"a = b'])('%s is not a claim', (line) => {
    // An unclosed quote is part of the name.
    if (line === '"a = b') return expect(claimsIn(line)).toEqual({ '"a': 'b' });
    return expect(whyNoClaims(line)).toContain('name = value');
  });

  test('contain each claim only once', () => expect(whyNoClaims('a = 1\na = 2')).toContain('twice'));
});
