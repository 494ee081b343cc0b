import { describe, expect, test } from 'vitest';
import { ParseError } from '../parse-error.ts';
import { DerReader, Tag } from './reader.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('DerReader', () => {
  test('reads elements in order, with content, element and length', () => {
    const reader = new DerReader(bytes('0201 05 0402 abcd'));
    expect(reader.at(Tag.integer)).toBe(true);
    reader.expect(Tag.integer);
    expect(reader.octet(0)).toBe(5);
    expect(reader.next()).toBe(Tag.octetString);
    expect(reader.length).toBe(2);
    expect(reader.content).toEqual(bytes('abcd'));
    expect(reader.element).toEqual(bytes('0402abcd'));
    expect(reader.text('hex')).toBe('abcd');
    expect(reader.more).toBe(false);
    reader.finish();
  });

  test('reads long lengths', () => {
    const reader = new DerReader(Buffer.concat([bytes('0482 0100'), Buffer.alloc(256, 7)]));
    reader.expect(Tag.octetString);
    expect(reader.length).toBe(256);
  });

  test('skips an optional element only if it is present', () => {
    const reader = new DerReader(bytes('0500'));
    expect(reader.skipOptional(Tag.integer)).toBe(false);
    expect(reader.skipOptional(Tag.null)).toBe(true);
    expect(reader.skipOptional(Tag.null)).toBe(false);
  });

  test.each([
    ['no bytes at all', ''],
    ['a tag alone', '04'],
    ['truncated content', '0403 0102'],
    ['a truncated length', '0482 01'],
    ['an indefinite length', '0480 0102 0000'],
    ['a long length that would fit the short form', '0481 01 00'],
    ['a length with a leading zero', '0482 0080'.concat('00'.repeat(128))],
    ['a length of five octets', '0485 0000000001 00'],
    ['a long-form tag number', '1f81 0100'],
  ])('refuses %s', (_, hex) => {
    expect(() => new DerReader(bytes(hex)).next()).toThrow(ParseError);
  });

  test('refuses another tag, and names both', () => {
    expect(() => new DerReader(bytes('0500')).expect(Tag.integer)).toThrow('tag 0x5 instead of 0x2 (byte 0)');
  });

  test('refuses bytes behind the end', () => {
    expect(() => DerReader.inside(bytes('3000 00'), Tag.sequence)).toThrow('bytes after the end');
    expect(() => DerReader.inside(bytes('3002 0500'), Tag.sequence).finish()).toThrow('bytes after the end');
  });

  test('does not read beyond the enclosing element', () => {
    const inner = new DerReader(bytes('3002 0403 000000')).enter(Tag.sequence);
    expect(() => inner.next()).toThrow('longer than the enclosing element');
  });

  test('enters sixteen levels and no more', () => {
    let nested = bytes('3000');
    for (let i = 0; i < 20; i++) nested = Buffer.concat([Buffer.from([0x30, nested.length]), nested]);
    const enterAll = () => {
      let reader = new DerReader(nested);
      for (let i = 0; i < 20; i++) reader = reader.enter(Tag.sequence);
    };
    expect(enterAll).toThrow('more than 16 levels');
  });
});
