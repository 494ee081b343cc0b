import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { directoryName, dnsName, emailName, ipName, otherName, registeredId, uriName } from '../../pki/index.ts';
import { ParseError } from '../parse-error.ts';
import { generalNameToString, readGeneralNames } from './general-name.ts';
import { ipToString } from './ip-address.ts';

const read = (...names: Buffer[]) => readGeneralNames(der.sequence(...names));

describe('general names', () => {
  test('of every type are read, in their order', () => {
    const names = read(
      otherName('1.3.6.1.4.1.311.20.2.3', der.utf8String('user@example.com')),
      emailName('a@example.com'),
      dnsName('*.example.com'),
      der.constructed(3, der.sequence()),
      directoryName([
        ['O', 'Acme'],
        ['CN', 'x'],
      ]),
      der.constructed(5, der.utf8String('party')),
      uriName('spiffe://example.com/a'),
      ipName('10.0.0.1'),
      ipName('2001:db8::1'),
      registeredId('1.2.3.4'),
    );
    expect(names.map(generalNameToString)).toEqual([
      'otherName:1.3.6.1.4.1.311.20.2.3',
      'email:a@example.com',
      'dns:*.example.com',
      'x400Address',
      'directoryName:CN=x,O=Acme',
      'ediPartyName',
      'uri:spiffe://example.com/a',
      'ip:10.0.0.1',
      'ip:2001:db8::1',
      'registeredId:1.2.3.4',
    ]);
  });

  test('of type otherName keep the DER of their value', () => {
    const [name] = read(otherName('1.2.3', der.utf8String('hi')));
    expect(name).toMatchObject({ type: 'otherName', value: { der: der.utf8String('hi') } });
  });

  test.each([
    ['a NUL in a DNS name', [dnsName('good.example\0.evil.example')]],
    ['a line end in an e-mail address', [emailName('a@example.com\r\nx')]],
    ['a URI beyond ASCII', [uriName('https://exämple.com')]],
    ['an IP address of five bytes', [der.primitive(7, Buffer.alloc(5))]],
    ['an address and mask', [ipName('10.0.0.0/255.0.0.0')]],
    ['an unknown tag', [der.primitive(9, Buffer.from('x'))]],
    ['a directory name with trailing bytes', [der.constructed(4, der.sequence(), der.nullValue())]],
    ['an otherName without a value', [der.constructed(0, der.oid('1.2.3'))]],
    ['a truncated registered identifier', [der.primitive(8, Buffer.from([0x80]))]],
  ])('with %s are refused', (_, names) => {
    expect(() => read(...names)).toThrow(ParseError);
  });

  test('are limited to 2048', () => {
    const names = Array.from({ length: 2048 }, () => dnsName('a'));
    expect(read(...names)).toHaveLength(2048);
    expect(() => read(...names, dnsName('a'))).toThrow('more than 2048 names');
  });
});

describe('IP addresses', () => {
  test.each([
    ['0000000000000000', '0.0.0.0/0.0.0.0'],
    ['0a000000ff000000', '10.0.0.0/255.0.0.0'],
    ['00000000000000000000000000000000', '::'],
    ['00000000000000000000000000000001', '::1'],
    ['20010db8000000000000000000000000', '2001:db8::'],
    ['20010db8000000010000000000000001', '2001:db8:0:1::1'],
    ['20010db8000000000001000000000000', '2001:db8:0:0:1::'],
    ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
    ['00010002000300040005000600070000', '1:2:3:4:5:6:7:0'],
  ])('%s is %s', (hex, text) => {
    expect(ipToString(Buffer.from(hex, 'hex'))).toBe(text);
  });
});
