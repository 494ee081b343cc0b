import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as der from '../pki/der.ts';
import { type CertificateOptions, createRoot, dnsName, type ExtensionInput, nameDer, OID } from '../pki/index.ts';
import { Certificate } from './certificate/certificate.ts';
import { ParseError } from './parse-error.ts';
import { AnchorSet } from './path/anchors.ts';
import { KeyPurpose } from './path/key-usage.ts';
import { validate } from './path/validate.ts';

/*
 * Encodings other than the canonical form of DER or than RFC 5280 requires. The rule: a certificate is accepted if Go
 * (crypto/x509), OpenSSL and pyca/cryptography accept it and agree on its meaning; an explicit DEFAULT value if Go and
 * OpenSSL do. All outcomes were measured with Go 1.26, OpenSSL 3.0 and pyca/cryptography 48.
 */
const root = createRoot({ subject: 'Encodings CA' });
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const extension = (oid: string, value: Uint8Array, critical = false): CertificateOptions => ({
  extensions: [{ oid, value, critical }],
});
const extensionDer = ({ oid, value }: ExtensionInput, ...critical: Uint8Array[]): Buffer =>
  der.sequence(der.oid(oid), ...critical, der.octetString(value));
const usage = (bits: string): CertificateOptions => extension(OID.keyUsage, hex(bits), true);
const names = (...list: Uint8Array[]): CertificateOptions => extension(OID.subjectAltName, der.sequence(...list));
const policies = (...list: Uint8Array[]): CertificateOptions =>
  extension(OID.certificatePolicies, der.sequence(...list));
const policy = (...rest: Uint8Array[]): Buffer => der.sequence(der.oid('1.2.3.4'), ...rest);
const constraints = (...subtrees: Uint8Array[]): CertificateOptions =>
  extension(OID.nameConstraints, der.sequence(...subtrees), true);
const subtree = (...rest: Uint8Array[]): Buffer => der.sequence(dnsName('example.com'), ...rest);
const basic = (...members: Uint8Array[]): CertificateOptions =>
  extension(OID.basicConstraints, der.sequence(...members), true);
const version = (number: number): Buffer => der.constructed(0, der.integer(number - 1));
const uniqueId = der.primitive(1, hex('00 01'));
const replace = (parts: NonNullable<CertificateOptions['replace']>): CertificateOptions => ({ replace: parts });
const EXTENSIONS = der.constructed(3, der.sequence(extensionDer({ oid: '1.2.3', value: der.nullValue() })));
const NO_EXTENSIONS = der.constructed(3, der.sequence());
const ECDSA_NULL = der.sequence(der.oid('1.2.840.10045.4.3.2'), der.nullValue());
const time = (text: string): Buffer => der.tlv(0x17, Buffer.from(text));
const until = (notBefore: Uint8Array) => replace({ validity: der.sequence(notBefore, time('491231235959Z')) });
const subject = (tag: number, bytes: string): CertificateOptions => ({
  subject: der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.tlv(tag, hex(bytes))))),
});

const parse = (options: CertificateOptions): Certificate => Certificate.parse(root.issue(options).der);
const isValid = (leaf: Certificate): boolean =>
  validate(leaf, {
    anchors: AnchorSet.fromCertificates([Certificate.parse(root.der)]),
    time: Date.now(),
    extendedKeyUsage: KeyPurpose.clientAuth,
  }).path !== undefined;

describe('a certificate is read, and valid,', () => {
  test.each<[string, CertificateOptions]>([
    ['key usage with a zero bit at its end', usage('03 02 00 a0')],
    ['key usage with a zero byte at its end', usage('03 03 07 80 00')],
    ['key usage of four bytes', usage('03 05 00 80 00 00 00')],
    ['key usage with a bit that has no name', usage('03 07 00 80 00 00 00 00 80')],
    ['key usage of zero bits alone', usage('03 02 07 00')],
    ['no alternative name', names()],
    ['no policy', policies()],
    ['no policy in a critical extension', extension(OID.certificatePolicies, der.sequence(), true)],
    ['a policy without qualifiers in their list', policies(policy(der.sequence()))],
    ['no policy mapping', extension(OID.policyMappings, der.sequence())],
    ['no extension in their list', replace({ afterKey: [NO_EXTENSIONS] })],
    ['no extension in their list, of version 1', { version: 1, ...replace({ afterKey: [NO_EXTENSIONS] }) }],
    ['version 1 written out', { version: 1, ...replace({ version: version(1) }) }],
    ['unique identifiers', replace({ afterKey: [uniqueId, der.primitive(2, hex('00 02')), EXTENSIONS] })],
    ['a unique identifier in version 1', { version: 1, ...replace({ afterKey: [uniqueId] }) }],
    ['basic constraints with cA FALSE written out', basic(der.boolean(false))],
    ['a path length without cA', basic(der.integer(0))],
    ['a path length with cA FALSE', basic(der.boolean(false), der.integer(1))],
    [
      'critical FALSE written out',
      replace({
        afterKey: [
          der.constructed(
            3,
            der.sequence(extensionDer({ oid: OID.keyUsage, value: der.namedBits([0]) }, der.boolean(false))),
          ),
        ],
      }),
    ],
    ['ECDSA with NULL', replace({ innerAlgorithm: ECDSA_NULL, outerAlgorithm: ECDSA_NULL })],
    ['serial number 0', { serial: 0n }],
    ['a serial number of 40 bytes', { serial: 2n ** 310n }],
    ['a GeneralizedTime before 2050', until(der.tlv(0x18, Buffer.from('20260101000000Z')))],
    ['an empty subject', { subject: [] }],
    ['PrintableString with @ * _', subject(0x13, '61 40 2a 5f')],
    ['TeletexString beyond ASCII', subject(0x14, '61 e9')],
    ['BMPString', subject(0x1e, '00 61 00 e9')],
    ['UniversalString', subject(0x1c, '00 00 00 61')],
    ['NumericString', subject(0x12, '31 20 32')],
  ])('with %s', (_, options) => {
    expect(isValid(parse(options))).toBe(true);
  });
});

describe('an unusual encoding has the same meaning:', () => {
  test('key usage', () => {
    const bits = (text: string) => parse(usage(text)).known.keyUsage;
    expect(bits('03 02 00 a0')).toBe(bits('03 02 05 a0'));
    expect(bits('03 03 07 06 00')).toBe(bits('03 02 01 06'));
    expect(bits('03 07 00 80 40 00 00 00 80')).toBe(bits('03 02 07 80'));
    expect(bits('03 02 07 00')).toBe(bits('03 01 00'));
  });

  test('lists of nothing', () => {
    expect(parse(names()).alternativeNames).toEqual([]);
    expect(parse(policies()).known.policies?.ids.size).toBe(0);
    expect(parse(policies(policy(der.sequence()))).known.policies).toMatchObject({ hasUnknownQualifier: false });
    expect(parse(extension(OID.policyMappings, der.sequence())).known.policyMappings).toEqual([]);
    expect(parse(replace({ afterKey: [NO_EXTENSIONS] })).extensions.size).toBe(0);
  });

  test('a path length where no certificate can follow', () => {
    const { isCa, known } = parse(basic(der.boolean(false), der.integer(1)));
    expect({ isCa, ...known.basicConstraints }).toEqual({ isCa: false, pathLength: undefined });
  });

  test('the minimum of a constraint, 0 as the default', () => {
    const read = (...rest: Uint8Array[]) => parse(constraints(der.constructed(0, subtree(...rest))));
    expect(read(der.primitive(0, hex('00'))).known.nameConstraints).toEqual(read().known.nameConstraints);
    const excluded = parse(constraints(der.constructed(1, subtree(der.primitive(0, hex('00'))))));
    expect(excluded.known.nameConstraints?.excluded).toHaveLength(1);
  });

  test('version 1', () => {
    expect(parse({ version: 1, ...replace({ version: version(1) }) }).version).toBe(1);
  });
});

describe('a certificate is not read', () => {
  test.each<[string, CertificateOptions, string]>([
    [
      'key usage with padding bits set',
      usage('03 02 07 ff'),
      'key usage: BIT STRING with unused bits that are not zero',
    ],
    ['key usage of nothing', usage('03 00'), 'key usage: malformed BIT STRING'],
    ['key usage with 8 unused bits', usage('03 02 08 80'), 'key usage: malformed BIT STRING'],
    ['key usage of another type', usage('04 01 80'), 'key usage: not DER: tag 0x4 instead of 0x3 (byte 0)'],
    ['key usage with more behind it', usage('03 02 07 80 05 00'), 'key usage: not DER: bytes after the end (byte 4)'],
    [
      'alternative names of nothing',
      extension(OID.subjectAltName, Buffer.alloc(0)),
      'subject alternative name: not DER: an element is missing (byte 0)',
    ],
    ['a NUL in a name', names(dnsName('a\0b')), 'subject alternative name: a name that is not printable ASCII'],
    ['a line end in a name', names(dnsName('a\n')), 'subject alternative name: a name that is not printable ASCII'],
    ['UTF-8 in a name', names(dnsName('\xc3\xa9')), 'subject alternative name: a name that is not printable ASCII'],
    [
      'a policy qualifier without a value',
      policies(policy(der.sequence(der.sequence(der.oid('1.3.6.1.5.5.7.2.1'))))),
      'certificate policies: not DER: an element is missing (byte 23)',
    ],
    [
      'policy constraints without any',
      extension(OID.policyConstraints, der.sequence(), true),
      'policy constraints: neither requireExplicitPolicy nor inhibitPolicyMapping',
    ],
    [
      'no key purpose',
      extension(OID.extendedKeyUsage, der.sequence()),
      'extended key usage: an empty list of key purposes',
    ],
    ['name constraints without any', constraints(), 'name constraints: neither permitted nor excluded subtrees'],
    [
      'no permitted subtree',
      constraints(der.constructed(0), der.constructed(1, subtree())),
      'name constraints: an empty list of subtrees',
    ],
    [
      'a minimum other than 0',
      constraints(der.constructed(0, subtree(der.primitive(0, hex('01'))))),
      'name constraints: a subtree with a minimum of 1',
    ],
    [
      'a minimum in two bytes',
      constraints(der.constructed(0, subtree(der.primitive(0, hex('00 00'))))),
      'name constraints: INTEGER not in its shortest form',
    ],
    [
      'a maximum',
      constraints(der.constructed(0, subtree(der.primitive(0, hex('00')), der.primitive(1, hex('05'))))),
      'name constraints: a subtree with a maximum',
    ],
    [
      'extensions in version 1',
      { version: 1, ...replace({ afterKey: [EXTENSIONS] }) },
      'extensions in a certificate of version 1',
    ],
    ['extensions in version 2', replace({ version: version(2) }), 'extensions in a certificate of version 2'],
    ['version 4', replace({ version: version(4) }), 'version: not one of 1 to 3'],
    [
      'a unique identifier with padding bits set',
      replace({ afterKey: [der.primitive(1, hex('04 ff'))] }),
      'unique identifiers: BIT STRING with unused bits that are not zero',
    ],
    ['a BOOLEAN of 1', basic(hex('01 01 01')), 'basic constraints: malformed BOOLEAN'],
    ['a negative path length', basic(der.boolean(true), der.integer(-1)), 'basic constraints: negative INTEGER'],
    ['more in basic constraints', basic(der.boolean(true), der.nullValue()), 'basic constraints: not DER: tag 0x5'],
    [
      'critical of 1',
      replace({
        afterKey: [
          der.constructed(3, der.sequence(extensionDer({ oid: '1.2.3', value: der.nullValue() }, hex('01 01 01')))),
        ],
      }),
      'extensions: malformed BOOLEAN',
    ],
    [
      'NULL in one algorithm only',
      replace({ innerAlgorithm: ECDSA_NULL }),
      'signature algorithm: the one in the signed content differs',
    ],
    [
      'a long serial number',
      replace({ serial: hex('02 02 00 01') }),
      'serial number: INTEGER not in its shortest form',
    ],
    ['an empty RDN', { subject: der.sequence(der.set()) }, 'subject: an empty list of attributes'],
    ['PrintableString beyond ASCII', subject(0x13, '61 e9'), 'subject: a string has bytes that its type does not'],
    ['IA5String beyond ASCII', subject(0x16, '61 e9'), 'subject: a string has bytes that its type does not allow'],
    ['UTF8String that is none', subject(0x0c, '61 ff'), 'subject: a string has bytes that its type does not allow'],
    ['UTCTime without seconds', until(time('2601010000Z')), 'validity: malformed time'],
    ['UTCTime with an offset', until(time('260101000000+0100')), 'validity: malformed time'],
    [
      'GeneralizedTime with a fraction',
      until(der.tlv(0x18, Buffer.from('20260101000000.5Z'))),
      'validity: malformed time',
    ],
  ])('with %s, and the error names it', (_, options, message) => {
    expect(() => parse(options)).toThrow(ParseError);
    expect(() => parse(options)).toThrow(message);
  });

  test('with an extension twice', () => {
    const two = { oid: '1.2.3', value: der.nullValue() };
    expect(() => parse({ extensions: [two, two] })).toThrow('extensions: the same extension twice, 1.2.3');
  });

  test('with bytes behind it, an indefinite length, or a length not in its shortest form', () => {
    const { der: bytes } = root.issue();
    const content = bytes.subarray(4);
    expect(() => Certificate.parse(Buffer.concat([bytes, hex('00')]))).toThrow('bytes after the end');
    expect(() => Certificate.parse(Buffer.concat([hex('30 80'), content, hex('00 00')]))).toThrow('indefinite length');
    const long = Buffer.concat([hex('30 83 00'), bytes.subarray(2, 4), content]);
    expect(() => Certificate.parse(long)).toThrow('length not in its shortest form');
  });

  test('and the error names the field with the fault', () => {
    const parsed = () => parse(usage('03 02 07 ff'));
    expect(parsed).toThrow(
      expect.objectContaining({ fields: ['key usage'], fault: expect.stringContaining('unused') }),
    );
  });
});

describe('a certificate is read and not valid', () => {
  const rsa = (...parameters: Uint8Array[]) => {
    const { privateKey } = createRoot({ key: 'RSA-2048' });
    const bytes = createPublicKey(privateKey).export({ format: 'der', type: 'pkcs1' });
    const algorithm = der.sequence(der.oid('1.2.840.113549.1.1.1'), ...parameters);
    return replace({ subjectPublicKeyInfo: der.sequence(algorithm, der.bitString(bytes)) });
  };

  test.each<[string, CertificateOptions]>([
    ['no name in critical alternative names', extension(OID.subjectAltName, der.sequence(), true)],
    ['a negative serial number', { serial: -5n }],
    ['an RSA key without NULL', rsa()],
  ])('with %s', (_, options) => {
    expect(isValid(parse(options))).toBe(false);
  });

  test('an RSA key with NULL is valid', () => {
    expect(isValid(parse(rsa(der.nullValue())))).toBe(true);
  });
});

describe('critical CRL distribution points', () => {
  const points = (...list: Uint8Array[]) => extension('2.5.29.31', der.sequence(...list), true);
  const url = der.constructed(0, der.primitive(6, Buffer.from('http://crl.example/')));
  const fullName = der.constructed(0, url);

  test.each<[string, CertificateOptions]>([
    ['a URL', points(der.sequence(fullName))],
    ['none', points()],
    ['the issuer of the CRL', points(der.sequence(der.constructed(2, der.constructed(4, nameDer('CRL CA')))))],
    ['reasons', points(der.sequence(fullName, der.primitive(1, hex('06 40'))))],
    ['reasons with zero bits at their end', points(der.sequence(fullName, der.primitive(1, hex('00 40'))))],
  ])('are valid with %s', (_, options) => {
    expect(isValid(parse(options))).toBe(true);
  });

  test.each<[string, CertificateOptions]>([
    ['a point without a name', points(der.sequence())],
    ['reasons alone', points(der.sequence(der.primitive(1, hex('06 40'))))],
    ['reasons with padding bits set', points(der.sequence(fullName, der.primitive(1, hex('06 7f'))))],
    ['a full name of no name', points(der.sequence(der.constructed(0, der.constructed(0))))],
    ['a relative name', points(der.sequence(der.constructed(0, der.constructed(1, hex('05 00')))))],
    ['another type', extension('2.5.29.31', der.nullValue(), true)],
    ['more behind them', extension('2.5.29.31', Buffer.concat([der.sequence(), hex('00')]), true)],
  ])('are refused with %s', (_, options) => {
    expect(isValid(parse(options))).toBe(false);
  });

  test('are ignored if they are not critical', () => {
    expect(isValid(parse(extension('2.5.29.31', der.nullValue())))).toBe(true);
  });
});
