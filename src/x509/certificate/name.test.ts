import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { type NameInput, nameDer } from '../../pki/index.ts';
import { attributeDer } from '../../pki/names.ts';
import { oidFromDotted } from '../asn1/oid.ts';
import { DerReader } from '../asn1/reader.ts';
import { ParseError } from '../parse-error.ts';
import { AttributeType } from './attribute.ts';
import { Name } from './name.ts';

const name = (input: NameInput): Name => Name.read(new DerReader(nameDer(input)));
const raw = (...rdns: Buffer[]): Name => name(der.sequence(...rdns));
const one = (attribute: string, value: Buffer): Name => raw(der.set(attributeDer(attribute, value)));
const bmp = (text: string) => der.tlv(0x1e, Buffer.from(text, 'utf16le').swap16());

describe('names that are equal', () => {
  test.each<[string, Name, Name]>([
    ['except for case', name('Device One'), name('dEVICE oNE')],
    ['except for spaces at the ends and double ones within', name('  Device   One '), name('Device One')],
    ['except for the string type', one('CN', der.utf8String('Acme')), one('CN', der.printableString('Acme'))],
    ['except for the encoding', one('CN', der.utf8String('Zürich')), one('CN', bmp('ZÜRICH'))],
    ['in Teletex, read as Latin 1', one('CN', der.tlv(0x14, Buffer.from('Zürich', 'latin1'))), name('Zürich')],
    ['except for the Unicode normal form', name('Zu\u0308rich'), name('Z\u00fcrich')],
    ['except for compatibility characters', name('\uff21\uff43\uff4d\uff45'), name('acme')],
    ['except for case that is not mapped one to one', name('STRASSE'), name('Straße')],
    ['except for a soft hyphen', name('de\u00advice'), name('device')],
    ['except for the kind of space', name('Device\u00a0One'), name('device one')],
    ['except for line ends', name('Device\tOne\r\n'), name('device one')],
    [
      'except for the order within one RDN',
      raw(der.set(attributeDer('CN', 'a'), attributeDer('OU', 'b'))),
      raw(der.set(attributeDer('OU', 'B'), attributeDer('CN', 'A'))),
    ],
  ])('%s', (_, one, other) => {
    expect(one.key).toBe(other.key);
  });
});

describe('names that differ', () => {
  test.each<[string, Name, Name]>([
    ['in a value', name('a'), name('b')],
    ['in a type', one('CN', der.utf8String('a')), one('OU', der.utf8String('a'))],
    [
      'in the order of RDNs',
      name([
        ['O', 'a'],
        ['CN', 'b'],
      ]),
      name([
        ['CN', 'b'],
        ['O', 'a'],
      ]),
    ],
    [
      'in the grouping into RDNs',
      raw(der.set(attributeDer('CN', 'a'), attributeDer('OU', 'b'))),
      name([
        ['CN', 'a'],
        ['OU', 'b'],
      ]),
    ],
    [
      'in their length',
      name([['O', 'a']]),
      name([
        ['O', 'a'],
        ['CN', 'b'],
      ]),
    ],
    ['in a space between words', name('device one'), name('deviceone')],
    [
      'in a value that looks like the next attribute',
      name([['O', 'a,550403=1:b']]),
      name([
        ['O', 'a'],
        ['CN', 'b'],
      ]),
    ],
    ['in a value that is not a string', one('CN', der.integer(1)), one('CN', der.integer(2))],
    ['in whether a value is a string', one('CN', der.integer(1)), one('CN', der.utf8String('020101'))],
  ])('%s', (_, one, other) => {
    expect(one.key).not.toBe(other.key);
  });
});

describe('a name', () => {
  test('returns values in order, and the last common name', () => {
    const subject = name([
      ['OU', 'first'],
      ['CN', 'old'],
      ['OU', 'second'],
      ['CN', 'new'],
    ]);
    expect(subject.values(AttributeType.organizationalUnit)).toEqual(['first', 'second']);
    expect(subject.commonName).toBe('new');
    expect(subject.values(oidFromDotted('2.5.4.5'))).toEqual([]);
  });

  test('may be empty', () => {
    const empty = name([]);
    expect(empty.isEmpty).toBe(true);
    expect(empty.commonName).toBeUndefined();
    expect(String(empty)).toBe('');
  });

  test.each<[string, NameInput]>([
    [
      'CN=device-1,OU=a,O=Acme',
      [
        ['O', 'Acme'],
        ['OU', 'a'],
        ['CN', 'device-1'],
      ],
    ],
    ['CN=a\\,b\\+c\\"d\\\\e\\<f\\>g\\;h', 'a,b+c"d\\e<f>g;h'],
    ['CN=\\ padded\\ ', ' padded '],
    ['CN=\\ ', ' '],
    ['CN=\\#1', '#1'],
    ['CN=two\\0Alines\\00', 'two\nlines\0'],
    ['CN=\\E2\\80\\AEgnp.exe', '\u202egnp.exe'],
    ['CN=Zürich', 'Zürich'],
    ['1.2.3.4=x', [['1.2.3.4', 'x']]],
    ['emailAddress=a@b.c', [['emailAddress', 'a@b.c']]],
    ['CN=#020105', [['CN', der.integer(5)]]],
  ])('is formatted as %s', (text, input) => {
    expect(String(name(input))).toBe(text);
  });

  test('is formatted with + between the attributes of one RDN', () => {
    expect(String(raw(der.set(attributeDer('CN', 'a'), attributeDer('OU', 'b'))))).toBe('CN=a+OU=b');
  });

  test.each([
    ['with an empty RDN', () => raw(der.set())],
    [
      'with an attribute of three parts',
      () => raw(der.set(der.sequence(der.oid('2.5.4.3'), der.utf8String('a'), der.nullValue()))),
    ],
    ['with invalid UTF-8', () => one('CN', der.tlv(0x0c, Buffer.from([0xff])))],
    ['that is not a sequence', () => Name.read(new DerReader(der.set()))],
    ['of more than 8 KiB', () => name('x'.repeat(8192))],
    ['of more than 128 attributes', () => name(Array.from({ length: 129 }, () => ['OU', 'x'] as const))],
  ])('%s is refused', (_, read) => {
    expect(read).toThrow(ParseError);
  });

  test('of 128 attributes is read', () => {
    expect(name(Array.from({ length: 128 }, () => ['OU', 'x'] as const)).rdns).toHaveLength(128);
  });
});
