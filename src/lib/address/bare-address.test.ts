import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bareAddress, withBareAddresses } from './bare-address.ts';

it('redaction of URLs in a text keeps scheme, host and port', () => {
  const cases: Readonly<Record<string, string>> = {
    'sent to https://c.example.com:8443/in/TOKEN?x=1, in vain': 'sent to https://c.example.com:8443/[redacted] in vain',
    '"http://[::1]:4318/TOKEN"': '"http://[::1]:4318/[redacted]"',
    '"https://c?TOKEN" "https://c#TOKEN"': '"https://c/[redacted]" "https://c/[redacted]"',
    'postgres://user:pass@db:5432/TOKEN': 'postgres://[redacted]@db:5432/[redacted]',
    '{"msg":"{\\"url\\":\\"https://c/TOKEN\\"}"}': '{"msg":"{\\"url\\":\\"https://c/[redacted]\\"}"}',
  };
  for (const [text, shown] of Object.entries(cases)) {
    expect(withBareAddresses(text)).toBe(shown);
    expect(withBareAddresses(shown)).toBe(shown);
  }
});

it.each(['https://c.example.com', 'https://c.example.com/', 'unix:///run/log.sock', '/v1/auth/token', 'tls://c:6514'])(
  'leaves %s unchanged',
  (text) => {
    expect(withBareAddresses(`"${text}"`)).toBe(`"${text}"`);
    if (!text.endsWith('/')) expect(bareAddress(text)).toBeUndefined();
  },
);

it('bareAddress never shows anything behind the host of a URL', () => {
  const end = fc
    .string({ minLength: 1, unit: 'binary' })
    .filter((text) => !'https://c.example/[redacted]'.includes(text));
  fc.assert(
    fc.property(fc.constantFrom('/', '?', '#'), end, (begin, text) => {
      expect(bareAddress(`https://c.example${begin}${text}`)?.shown).toMatch(/^https:\/\/(c\.example\/)?\[redacted\]$/);
    }),
  );
  expect(bareAddress('https://user:pa/ss@c.example/x')?.shown).toBe('https://[redacted]');
  expect(bareAddress('https://user:pass@c.example/x')?.shown).toBe('https://c.example/[redacted]');
});
