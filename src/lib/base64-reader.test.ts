import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Base64Reader } from './base64-reader.ts';

/** Returns undefined for invalid base64. */
function read(parts: readonly string[]): string | undefined {
  const reader = new Base64Reader();
  const decoded = [...parts.map((part) => reader.write(Buffer.from(part))), reader.end()];
  return decoded.every((part) => part !== undefined) ? Buffer.concat(decoded).toString('hex') : undefined;
}

/** Decodes the whole text at once, and checks that only ignorable characters are ignored. */
function inOneGo(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  const expected = Math.floor((text.replace(/=+$/, '').length * 3) / 4);
  return bytes.length === expected ? bytes.toString('hex') : undefined;
}

describe('base64 in parts', () => {
  test('decodes to the same bytes however the text is cut', () => {
    const nearlyBase64 = fc.array(fc.constantFrom(...'ABcd09+/-_AAAA\n ==!'), { maxLength: 14 });
    fc.assert(
      fc.property(nearlyBase64, fc.integer({ min: 1, max: 9 }), (characters, size) => {
        const text = characters.join('');
        const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
          text.slice(i * size, (i + 1) * size),
        );
        expect(read(parts)).toBe(inOneGo(text));
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    [['AAAA', 'AAA=\n']],
    [['AA', '==', 'AAAA']],
    [['AAAA\n', 'AAAA\n']],
    [['AAA', '\n']],
    [['\u00e9\u00e9']],
  ])('refuses %j', (parts) => {
    expect(read(parts)).toBeUndefined();
  });

  test('accepts a line break at the end', () => {
    expect(read(['QUJD', 'REVG', '\n'])).toBe(Buffer.from('ABCDEF').toString('hex'));
  });
});
