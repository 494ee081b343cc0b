import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ParseError } from '../parse-error.ts';
import { dottedFromOid, oidFromBytes, oidFromDotted, readOid } from './oid.ts';
import { DerReader } from './reader.ts';

const read = (hex: string) => readOid(new DerReader(Buffer.from(hex, 'hex')));

describe('object identifiers', () => {
  test.each([
    ['2.5.4.3', '550403'],
    ['1.2.840.113549.1.1.11', '2a864886f70d01010b'],
    ['2.999.1', '883701'],
    ['0.39', '27'],
    ['2.16.840.1.113730.1.13', '6086480186f842010d'],
    ['1.3.6.1.4.1.99999999999999999999', '2b0601040181add8eb c5b5dcffff 1f'.replaceAll(' ', '')],
  ])('%s is %s', (dotted) => {
    expect(dottedFromOid(oidFromDotted(dotted))).toBe(dotted);
  });

  test('are formatted as the standard defines', () => {
    expect(oidFromDotted('1.2.840.113549.1.1.11')).toBe('2a864886f70d01010b');
    expect(oidFromDotted('2.999.1')).toBe('883701');
    expect(oidFromBytes(Buffer.from('550403', 'hex'))).toBe(oidFromDotted('2.5.4.3'));
  });

  test('survive the conversion to bytes and back', () => {
    const arcs = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 39 }), arcs, (root, second, rest) => {
        const dotted = [root, second, ...rest].join('.');
        expect(dottedFromOid(oidFromDotted(dotted))).toBe(dotted);
      }),
    );
  });

  test.each([
    '',
    '1',
    '3.1',
    '1.40',
    '1..2',
    '1.2.',
    '1.02',
    'a.b',
    '1.2.-3',
    `1.2.${'9'.repeat(300)}`,
    `1.2${'.999'.repeat(60)}`,
  ])('cannot be created from %j', (dotted) => {
    expect(() => oidFromDotted(dotted)).toThrow(ParseError);
  });

  test('are read from DER', () => {
    expect(read('0603550403')).toBe(oidFromDotted('2.5.4.3'));
  });

  test.each([
    ['empty', '0600'],
    ['longer than 64 bytes', `0641${'01'.repeat(65)}`],
    ['with a redundant octet at the start', '0603800103'],
    ['with a redundant octet within', '0604558001 03'.replaceAll(' ', '')],
    ['truncated within an arc', '0602 5584'.replaceAll(' ', '')],
    ['of another type', '0203550403'],
  ])('%s are refused', (_, hex) => {
    expect(() => read(hex)).toThrow(ParseError);
  });
});
