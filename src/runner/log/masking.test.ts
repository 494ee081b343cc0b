import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Masking } from './masking.ts';
import { secretForms } from './secret-forms.ts';

/** Returns the output for input in these pieces. */
function masked(secrets: readonly string[], ...pieces: (string | Buffer)[]): string {
  const masking = new Masking(secretForms(secrets));
  return Buffer.concat([...pieces.map((piece) => masking.next(Buffer.from(piece))), masking.end()]).toString();
}

const SECRET = 'pä55 "horse"/+<&>\\x';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['unchanged', SECRET],
  ['in JSON', JSON.stringify({ password: SECRET })],
  ['in JSON in JSON', JSON.stringify(JSON.stringify({ password: SECRET }))],
  [
    'in JSON of engines',
    JSON.stringify(SECRET).replace('<', '\\u003c').replace('>', '\\u003e').replace('&', '\\u0026'),
  ],
  ['in JSON of Python', JSON.stringify({ password: SECRET }).replace('ä', '\\u00e4')],
  ['in JSON of PHP', JSON.stringify(SECRET).replace('ä', '\\u00e4').replace('/', '\\/')],
  ['in JSON of Python in JSON', JSON.stringify(JSON.stringify({ password: SECRET }).replace('ä', '\\u00e4'))],
  ['in single quotes of Python', `'${SECRET.replaceAll('\\', '\\\\')}'`],
  ['in a URL', `https://x/?p=${encodeURIComponent(SECRET)}`],
  ['in a form', new URLSearchParams({ p: SECRET }).toString()],
  ['in base64', base64(SECRET)],
  ['in URL-safe base64', Buffer.from(SECRET).toString('base64url')],
  ['in base64 with a line end', base64(`${SECRET}\n`)],
  ['in a header', `Authorization: Basic ${base64(`user:${SECRET}`)}`],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ['in upper hexadecimal', Buffer.from(SECRET).toString('hex').toUpperCase()],
])('a secret %s is masked', (_, text) => {
  const out = masked([SECRET], `before ${text} after`);
  expect(out).toContain('***');
  for (const part of [
    SECRET,
    'horse',
    Buffer.from('horse').toString('hex').toUpperCase(),
    encodeURIComponent('"horse"'),
    base64(SECRET).slice(4, 12),
  ]) {
    expect(out).not.toContain(part);
  }
  expect(out.startsWith('before ') && out.endsWith(' after')).toBe(true);
});

test('a secret is masked if engines compose its characters', () => {
  expect(masked(['pa\u0308ssword'], 'p\u00e4ssword, pa\u0308ssword')).toBe('***, ***');
});

test('the lines of a secret are masked, and base64 with line breaks', () => {
  const key = `-----BEGIN KEY-----\n${'abcdefgh'.repeat(8)}\n  ${'ijklmnop'.repeat(8)}\n-----END KEY-----\n`;
  const indented = key.replaceAll('\n', '\n    ');
  expect(masked([key], indented)).not.toMatch(/abcd|ijkl/);
  const broken = base64(key).replaceAll(/.{76}/g, '$&\n');
  expect(masked([key], broken)).not.toMatch(/[\w+/]{8}/);
});

test('values shorter than four characters are not masked', () => {
  expect(masked(['abc', ''], 'abc abcd')).toBe('abc abcd');
});

test('overlapping secrets are masked completely', () => {
  expect(masked(['abcdef', 'defghi'], 'xabcdefghix')).toBe('x***x');
  expect(masked(['abcdef', 'defghi'], 'xabcde', 'fghix')).toBe('x***x');
  expect(masked(['abcd', 'abcdefgh'], 'abcdefgh abcdef')).toBe('*** ***ef');
});

test('only a possible start of a secret is held back', () => {
  const masking = new Masking(secretForms(['secret-value']));
  expect(masking.next(Buffer.from('all of it\n')).toString()).toBe('all of it\n');
  expect(masking.next(Buffer.from('a secret-v')).toString()).toBe('a ');
  expect(masking.next(Buffer.from('oid')).toString()).toBe('secret-void');
  expect(masking.next(Buffer.from('secret-value')).toString()).toBe('***');
});

test('the result does not depend on the size of the pieces, and other text is unchanged', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 9 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 3 }),
      text,
      fc.array(fc.nat(60), { maxLength: 6 }),
      (secrets, all, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
        const pieces = at.slice(1).map((end, n) => all.slice(at[n], end));
        const bytes = secrets.map((secret) => Buffer.from(secret));
        const inPieces = new Masking(bytes);
        const out = Buffer.concat([...pieces.map((piece) => inPieces.next(Buffer.from(piece))), inPieces.end()]);
        const whole = new Masking(bytes);
        expect(out.toString()).toBe(Buffer.concat([whole.next(Buffer.from(all)), whole.end()]).toString());
        for (const secret of secrets) expect(out.toString()).not.toContain(secret);
        if (!secrets.some((secret) => all.includes(secret))) expect(out.toString()).toBe(all);
      },
    ),
  );
});

test('a long secret is masked completely', () => {
  const long = 'x1y2'.repeat(5000);
  expect(masked([long], `<${long.slice(0, 7000)}`, `${long.slice(7000)}>`)).toBe('<***>');
});
