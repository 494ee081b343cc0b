import { describe, expect, test } from 'vitest';
import { tlv } from '../../pki/der.ts';
import { ParseError } from '../parse-error.ts';
import { DerReader, Tag } from './reader.ts';
import { isStringTag, stringInContent } from './strings.ts';

function decode(tag: number, hex: string): string {
  const reader = new DerReader(tlv(tag, Buffer.from(hex, 'hex')));
  return stringInContent(reader, reader.next());
}

describe('strings', () => {
  test.each([
    ['UTF8String', Tag.utf8String, '4dc3bc6c6c6572', 'Müller'],
    ['PrintableString', Tag.printableString, '41636d65', 'Acme'],
    ['IA5String', Tag.ia5String, '614062', 'a@b'],
    ['NumericString', Tag.numericString, '3432', '42'],
    ['VisibleString', Tag.visibleString, '7e', '~'],
    ['TeletexString', Tag.teletexString, '4dfc6c6c6572', 'Müller'],
    ['BMPString', Tag.bmpString, '004d00fc', 'Mü'],
    ['BMPString with a surrogate pair', Tag.bmpString, 'd83dde00', '😀'],
    ['UniversalString', Tag.universalString, '0000004d0001f600', 'M😀'],
  ])('%s is decoded', (_, tag, hex, text) => {
    expect(isStringTag(tag)).toBe(true);
    expect(decode(tag, hex)).toBe(text);
  });

  test.each([
    ['UTF8String with invalid UTF-8', Tag.utf8String, '4dfc'],
    ['UTF8String with an overlong form', Tag.utf8String, 'c080'],
    ['PrintableString above ASCII', Tag.printableString, '4dfc'],
    ['IA5String above ASCII', Tag.ia5String, 'c3bc'],
    ['BMPString of an odd length', Tag.bmpString, '004d00'],
    ['BMPString with half a surrogate pair', Tag.bmpString, 'd83d004d'],
    ['UniversalString of an odd length', Tag.universalString, '00004d'],
    ['UniversalString beyond Unicode', Tag.universalString, '00110000'],
    ['UniversalString with a surrogate', Tag.universalString, '0000d83d'],
  ])('%s is refused', (_, tag, hex) => {
    expect(() => decode(tag, hex)).toThrow(ParseError);
  });

  test('are no other types', () => {
    expect(isStringTag(Tag.octetString)).toBe(false);
    expect(isStringTag(Tag.sequence)).toBe(false);
  });
});
