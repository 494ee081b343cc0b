import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bareAddress, withBareAddresses } from './bare-address.ts';

it('of addresses in a text scheme, host and port are left', () => {
  const cases: Readonly<Record<string, string>> = {
    'sent to https://c.example.com:8443/in/TOKEN?x=1, in vain':
      'sent to https://c.example.com:8443/[taken out] in vain',
    '"http://[::1]:4318/TOKEN"': '"http://[::1]:4318/[taken out]"',
    '"https://c?TOKEN" "https://c#TOKEN"': '"https://c/[taken out]" "https://c/[taken out]"',
    'postgres://user:pass@db:5432/TOKEN': 'postgres://[taken out]@db:5432/[taken out]',
    '{"msg":"{\\"url\\":\\"https://c/TOKEN\\"}"}': '{"msg":"{\\"url\\":\\"https://c/[taken out]\\"}"}',
  };
  for (const [text, shown] of Object.entries(cases)) {
    expect(withBareAddresses(text)).toBe(shown);
    expect(withBareAddresses(shown)).toBe(shown);
  }
});

it.each(['https://c.example.com', 'https://c.example.com/', 'unix:///run/log.sock', '/v1/auth/token', 'tls://c:6514'])(
  'nothing is taken out of %s',
  (text) => {
    expect(withBareAddresses(`"${text}"`)).toBe(`"${text}"`);
    if (!text.endsWith('/')) expect(bareAddress(text)).toBeUndefined();
  },
);

it('of a text that is an address nothing behind its host is shown, whatever is in it', () => {
  const end = fc
    .string({ minLength: 1, unit: 'binary' })
    .filter((text) => !'https://c.example/[taken out]'.includes(text));
  fc.assert(
    fc.property(fc.constantFrom('/', '?', '#'), end, (begin, text) => {
      expect(bareAddress(`https://c.example${begin}${text}`)?.shown).toMatch(
        /^https:\/\/(c\.example\/)?\[taken out\]$/,
      );
    }),
  );
  expect(bareAddress('https://user:pa/ss@c.example/x')?.shown).toBe('https://[taken out]');
  expect(bareAddress('https://user:pass@c.example/x')?.shown).toBe('https://c.example/[taken out]');
});
