import { describe, expect, it } from 'vitest';
import { type CaseRule, compileCase, DNS_CASE, EMAIL_CASE, EXACT, URI_CASE } from './name-case.ts';

const matches = (rule: CaseRule, pattern: string, name: string): boolean => compileCase(rule, pattern)(name);

describe.each([
  [DNS_CASE, '*.Example.com', 'WEB.eXample.com', true],
  [DNS_CASE, 'web.example.com', 'WEB.EXAMPLE.COM', true],
  [DNS_CASE, 'web.example.com', 'web.example.org', false],
  [DNS_CASE, 'k.example.com', '\u212a.example.com', false],
  [EMAIL_CASE, 'Jane@Example.com', 'Jane@EXAMPLE.com', true],
  [EMAIL_CASE, 'Jane@example.com', 'jane@example.com', false],
  [EMAIL_CASE, '*@Example.com', 'a@example.COM', true],
  [EMAIL_CASE, '*.Example.com', 'a@b.example.com', true],
  [EMAIL_CASE, 'Jane*', 'jane@example.com', false],
  [EMAIL_CASE, 'Jane*', 'Jane@Example.com', true],
  [EMAIL_CASE, '*Foo*', 'foo@example.com', false],
  [EMAIL_CASE, '*Foo*', 'x@Foo.example', true],
  [EMAIL_CASE, '*Smith', 'blacksmith', false],
  [EMAIL_CASE, '*"A@b"@Example.com', '"A@b"@example.com', true],
  [EMAIL_CASE, '"A@b"@example.com', '"a@b"@example.com', false],
  [URI_CASE, 'SPIFFE://Example.org/Team/*', 'spiffe://example.ORG/Team/a', true],
  [URI_CASE, 'spiffe://example.org/Team/*', 'spiffe://example.org/team/a', false],
  [URI_CASE, 'spiffe://*Team/a', 'spiffe://example.org/team/a', false],
  [URI_CASE, 'spiffe://*/Team', 'spiffe://Example.org/Team', true],
  [URI_CASE, 'https://User@example.com', 'https://user@example.com', false],
  [URI_CASE, 'https://User*', 'https://user@example.com', false],
  [URI_CASE, 'https://Example.com:443/A?B#C', 'https://example.com:443/A?B#C', true],
  [URI_CASE, 'https://example.com?Q', 'https://example.com?q', false],
  [URI_CASE, 'urn:Example:a', 'URN:Example:a', true],
  [URI_CASE, 'urn:Example:a', 'urn:example:a', false],
  [URI_CASE, '*', 'no URI', true],
  [EXACT, 'A*', 'abc', false],
] as const)('case in names', (rule, pattern, name, expected) => {
  it(`${pattern} ${expected ? 'matches' : 'does not match'} ${name}`, () => {
    expect(matches(rule, pattern, name)).toBe(expected);
  });
});
