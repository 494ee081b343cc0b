import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pem } from '../../pki/der.ts';
import { createRoot } from '../../pki/index.ts';
import { ParseError } from '../parse-error.ts';
import { decoderFor } from './decoder.ts';

const { der, pem: text } = createRoot().crl({ revoked: [1n, 2n, 3n] });

function decode(file: string | Uint8Array, pieceLength = file.length): Buffer {
  const bytes = Buffer.from(file);
  const decoder = decoderFor(bytes);
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += pieceLength) {
    pieces.push(decoder.write(bytes.subarray(start, start + pieceLength)));
  }
  decoder.end();
  return Buffer.concat(pieces);
}

describe('the DER of a CRL', () => {
  test('is passed on unchanged', () => {
    expect(decode(der, 7)).toEqual(der);
  });

  test('is extracted from PEM, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length }), (pieceLength) => {
        expect(decode(text, pieceLength)).toEqual(der);
      }),
    );
  });

  test('is found between other text', () => {
    const other = pem('CERTIFICATE', Buffer.from('something else'));
    for (const file of [
      `Certificate Revocation List (CRL):\n  - Version\n${text}`,
      `${other}${text}${other}`,
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '').replace('CRL-----', 'CRL-----\n\n  '),
      `0 lists before\n${text}`,
    ]) {
      expect(decode(file, 5)).toEqual(der);
      expect(decode(file)).toEqual(der);
    }
  });

  test.each([
    ['a text without a list', 'no list in here'],
    ['an empty text', ''],
    ['another kind of block', pem('CERTIFICATE', der)],
    ['a block without an end', text.slice(0, -5)],
    ['a block that ends as another', text.replace('END X509', 'END X508')],
    ['a block with a header', text.replace('CRL-----\n', 'CRL-----\nProc-Type: 4,ENCRYPTED\n\n')],
    ['a block with a character that is not base64', text.replace('\nM', '\n*M')],
    ['a block with one character too few', text.replace('\nM', '\n')],
    ['a block with data behind its padding', text.replace('\n-----END', '====\nAAAA\n-----END')],
    ['two CRLs', text + text],
  ])('is not extracted from %s', (_, file) => {
    for (const pieceLength of [1, 3, 64, file.length + 1]) expect(() => decode(file, pieceLength)).toThrow(ParseError);
  });
});
