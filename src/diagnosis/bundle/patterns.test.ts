import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPatterns } from './patterns.ts';

const secret = fc.stringMatching(/^[A-Za-z0-9]{16,40}$/);

/** Places at which a secret may appear in a text. */
const PLACES: Readonly<Record<string, (secret: string) => string>> = {
  'a URL': (text) => `see postgres://user:${text}@db.example.com/x for it`,
  'a URL with a slash in the password': (text) => `postgres://user:a/${text}@db/x`,
  'the path of a URL': (text) => `sent to https://collector.example.com:8443/in/${text}`,
  'a query': (text) => `GET /x?a=b&access_token=${text}&c=d`,
  'a header': (text) => `Authorization: Bearer ${text}`,
  JSON: (text) => JSON.stringify({ level: 30, client_secret: text, msg: 'x' }),
  'JSON in JSON': (text) => JSON.stringify({ msg: JSON.stringify({ password: text }) }),
  YAML: (text) => `oidc:\n  client_secret: ${text}\n  name: x`,
  'a variable': (text) => `AWS_SECRET_ACCESS_KEY=${text}`,
  'a token of this server': (text) => `the token lks.${text} was used`,
  'a token of a team': (text) => `${text}.atlasv1.${text}`,
  'a private key': (text) => `-----BEGIN EC PRIVATE KEY-----\n${text}\n-----END EC PRIVATE KEY-----`,
  'a truncated private key': (text) => `-----BEGIN PRIVATE KEY-----\\n${text}`,
};

describe('text that looks like a secret', () => {
  it.each(Object.entries(PLACES))('is redacted from %s', (_, place) => {
    fc.assert(fc.property(secret, (text) => !withoutPatterns(place(text)).includes(text)));
  });

  it('leaves other text unchanged', () => {
    const text =
      '{"level":30,"msg":"ready","addresses":["https://127.0.0.1:8200"],"milliseconds":12}\nhttp_requests_total{route="/v1/x"} 3';
    expect(withoutPatterns(text)).toBe(text);
  });

  it('is found in linear time in a hostile text', () => {
    const text = `${'https://'.repeat(5_000)}${'secret'.repeat(5_000)}${'a'.repeat(100_000)}${'?token'.repeat(5_000)}`;
    expect(withoutPatterns(text).length).toBeLessThan(text.length);
  });
});
