import { describe, expect, test } from 'vitest';
import { integer, namedBits, time } from '../../pki/der.ts';
import { ParseError } from '../parse-error.ts';
import { DerReader } from './reader.ts';
import { readBitString, readBoolean, readCount, readInteger, readNamedBits, readTime } from './values.ts';

const over = (hex: string) => new DerReader(Buffer.from(hex, 'hex'));
const utcTime = (text: string) => new DerReader(Buffer.concat([Buffer.from([0x17, text.length]), Buffer.from(text)]));
const generalizedTime = (text: string) =>
  new DerReader(Buffer.concat([Buffer.from([0x18, text.length]), Buffer.from(text)]));

describe('BOOLEAN', () => {
  test('is all ones or all zeros', () => {
    expect(readBoolean(over('0101ff'))).toBe(true);
    expect(readBoolean(over('010100'))).toBe(false);
  });

  test.each(['010101', '0100', '0102ffff', '0201ff'])('%s is refused', (hex) => {
    expect(() => readBoolean(over(hex))).toThrow(ParseError);
  });
});

describe('INTEGER', () => {
  test.each([0n, 127n, 128n, -1n, -128n, -129n, 2n ** 160n])('%s is read whatever its sign and size', (value) => {
    const content = readInteger(new DerReader(integer(value)));
    expect(BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`))).toBe(value);
  });

  test.each([
    ['without content', '0200'],
    ['with a redundant zero', '0202007f'],
    ['with redundant ones', '0202ff80'],
  ])('%s is refused', (_, hex) => {
    expect(() => readInteger(over(hex))).toThrow(ParseError);
  });

  test('is refused above 4096 bytes', () => {
    expect(readInteger(new DerReader(integer(2n ** 32_760n)))).toHaveLength(4096);
    expect(() => readInteger(new DerReader(integer(2n ** 32_768n)))).toThrow('INTEGER of 4097 bytes');
  });

  test('as a count is not negative, and saturates above 32 bits', () => {
    expect(readCount(new DerReader(integer(0)))).toBe(0);
    expect(readCount(new DerReader(integer(70_000)))).toBe(70_000);
    expect(readCount(new DerReader(integer(2n ** 40n)))).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => readCount(new DerReader(integer(-1)))).toThrow(ParseError);
  });
});

describe('BIT STRING', () => {
  test('is read if it is a whole number of bytes', () => {
    expect(readBitString(over('030300abcd'))).toEqual(Buffer.from('abcd', 'hex'));
    expect(() => readBitString(over('030301abcc'))).toThrow(ParseError);
    expect(() => readBitString(over('0300'))).toThrow(ParseError);
  });

  test('of named bits has the first bit lowest', () => {
    expect(readNamedBits(new DerReader(namedBits([0, 5, 8])))).toBe(0b1_0010_0001);
    expect(readNamedBits(over('030100'))).toBe(0);
  });

  test('of named bits may end with zero bits, and with bits that have no name', () => {
    expect(readNamedBits(over('03020006'))).toBe(readNamedBits(over('03020106')));
    expect(readNamedBits(over('0303050600'))).toBe(readNamedBits(over('03020106')));
    expect(readNamedBits(over('03020400'))).toBe(0);
    expect(readNamedBits(over('030600ffffffffff'))).toBe(2 ** 31 - 1);
  });

  test.each([
    '0300',
    '03020900',
    '030101',
    // Unused bits that are set (X.690 §11.2.1).
    '03020501',
    '030205a1',
    '030307ffff',
  ])('%s is not a set of named bits', (hex) => {
    expect(() => readNamedBits(over(hex))).toThrow(ParseError);
  });
});

describe('time', () => {
  test.each([
    '1950-01-01T00:00:00Z',
    '1999-12-31T23:59:59Z',
    '2024-02-29T12:00:00Z',
    '2049-12-31T23:59:59Z',
    '2050-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('%s is read', (text) => {
    expect(readTime(new DerReader(time(new Date(text))))).toBe(Date.parse(text));
  });

  test('before 2050 may be written as GeneralizedTime', () => {
    expect(readTime(generalizedTime('20020101120000Z'))).toBe(Date.parse('2002-01-01T12:00:00Z'));
  });

  test('of the first century is not moved to the twentieth', () => {
    expect(readTime(generalizedTime('00500301000000Z'))).toBe(Date.parse('0050-03-01T00:00:00Z'));
  });

  test.each(['2501010000Z', '250101000000+0100', '25010100000Z0', '251301000000Z', '250001000000Z', '250230000000Z'])(
    'UTCTime %s is refused',
    (text) => {
      expect(() => readTime(utcTime(text))).toThrow(ParseError);
    },
  );

  test.each([
    '20250101240000Z',
    '20250101006000Z',
    '20250101000060Z',
    '20250101000000.5Z',
    '2025010100000aZ',
    '20230229000000Z',
  ])('GeneralizedTime %s is refused', (text) => {
    expect(() => readTime(generalizedTime(text))).toThrow(ParseError);
  });

  test('of another type is refused', () => {
    expect(() => readTime(over('020101'))).toThrow('malformed time');
  });
});
