import { describe, expect, it } from 'vitest';
import { policyText } from './policy-text.ts';

const TEXT = 'path "a" { capabilities = ["read"] } # é';

describe('the text of a policy', () => {
  it('is accepted as it is, or base64-encoded with or without line breaks', () => {
    const encoded = Buffer.from(TEXT).toString('base64');
    expect([TEXT, encoded, `${encoded.slice(0, 20)}\r\n${encoded.slice(20)}\n`].map(policyText)).toEqual([
      TEXT,
      TEXT,
      TEXT,
    ]);
  });

  it('can be long', () => {
    const long = '# comment\n'.repeat(70_000);
    expect(policyText(Buffer.from(long).toString('base64'))).toBe(long);
    const broken = `${'A'.repeat(900_000)}!`;
    expect(policyText(broken)).toBe(broken);
  });

  it.each(['', 'abc', '!abc', '////', 'path "a" {}'])('%j is not base64 of a text', (text) => {
    expect(policyText(text)).toBe(text);
  });
});
