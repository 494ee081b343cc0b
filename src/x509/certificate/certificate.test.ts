import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { type CertificateOptions, createRoot, directoryName, OID, otherName, selfSigned } from '../../pki/index.ts';
import { ParseError } from '../parse-error.ts';
import { Certificate } from './certificate.ts';

const root = createRoot();
const issue = (options: CertificateOptions) => Certificate.parse(root.issue(options).der);
const withExtension = (oid: string, value: Uint8Array, critical = false) =>
  issue({ extensions: [{ oid, value, critical }] });

describe('a certificate', () => {
  test('has all data that a login needs', () => {
    const notBefore = new Date('2026-01-02T03:04:05Z');
    const notAfter = new Date('2051-01-02T03:04:05Z');
    const minted = root.issue({
      subject: [
        ['O', 'Acme'],
        ['OU', 'first'],
        ['OU', 'second'],
        ['CN', 'old'],
        ['CN', 'device-1'],
      ],
      dns: ['a.example.com', 'b.example.com'],
      emails: ['a@example.com'],
      uris: ['spiffe://example.com/device'],
      ips: ['10.0.0.1', '2001:db8::1'],
      otherNames: [directoryName('elsewhere'), otherName('1.2.3', der.utf8String('x'))],
      serial: 1234n,
      notBefore,
      notAfter,
    });
    const certificate = Certificate.parse(minted.der);
    expect(certificate).toMatchObject({
      version: 3,
      commonName: 'device-1',
      organizations: ['Acme'],
      organizationalUnits: ['first', 'second'],
      dnsNames: ['a.example.com', 'b.example.com'],
      emailAddresses: ['a@example.com'],
      uris: ['spiffe://example.com/device'],
      ipAddresses: ['10.0.0.1', '2001:db8::1'],
      serialNumber: 1234n,
      serialHex: '04d2',
      notBefore: notBefore.getTime(),
      notAfter: notAfter.getTime(),
      isCa: false,
      isSelfIssued: false,
      authorityKeyId: Certificate.parse(root.der).subjectKeyId,
      fingerprint: createHash('sha256').update(minted.der).digest('hex'),
    });
    expect(String(certificate.issuer)).toBe('CN=Test Root');
    expect(certificate.alternativeNames).toHaveLength(8);
    expect(certificate.der).toEqual(minted.der);
  });

  test('keeps a copy of its bytes', () => {
    const bytes = Buffer.from(root.der);
    const certificate = Certificate.parse(bytes);
    bytes.fill(0);
    expect(certificate.der).toEqual(root.der);
    expect(certificate.commonName).toBe('Test Root');
  });

  test('is self-issued if issuer and subject are the same name, however they are encoded', () => {
    expect(issue({ subject: ' test ROOT' }).isSelfIssued).toBe(true);
    expect(issue({ subject: 'Test Root 2' }).isSelfIssued).toBe(false);
  });

  test('equals another one of the same bytes', () => {
    expect(Certificate.parse(root.der).equals(Certificate.parse(root.der))).toBe(true);
    expect(issue({}).equals(issue({}))).toBe(false);
  });

  test('without alternative names has none, whatever its subject contains', () => {
    const certificate = issue({
      subject: [
        ['emailAddress', 'a@example.com'],
        ['CN', 'host.example.com'],
      ],
    });
    expect(certificate).toMatchObject({ dnsNames: [], emailAddresses: [], alternativeNames: [] });
  });

  test('of version 1 is read', () => {
    const certificate = Certificate.parse(selfSigned({ subject: 'old', version: 1 }).der);
    expect(certificate).toMatchObject({
      version: 1,
      commonName: 'old',
      isCa: false,
      isSelfIssued: true,
      subjectKeyId: undefined,
    });
    expect(certificate.extensions.size).toBe(0);
  });

  test.each([0n, 1n, 128n, -1n, -129n, 2n ** 64n, 2n ** 200n, -(2n ** 200n)])('has the serial number %s', (serial) => {
    const certificate = issue({ serial });
    expect(certificate.serialNumber).toBe(serial);
    expect(String(certificate.serialNumber)).toBe(String(serial));
  });

  test('returns extensions by dotted identifier and by bytes', () => {
    const certificate = withExtension('1.3.6.1.4.1.99999.1', der.utf8String('blue'), true);
    const bytes = der.oid('1.3.6.1.4.1.99999.1').subarray(2);
    expect(certificate.extension('1.3.6.1.4.1.99999.1')).toMatchObject({
      critical: true,
      value: der.utf8String('blue'),
    });
    expect(certificate.extension(bytes)).toBe(certificate.extension('1.3.6.1.4.1.99999.1'));
    expect(certificate.extension('1.3.6.1.4.1.99999.2')).toBeUndefined();
  });

  test.each<[string, Uint8Array, string]>([
    ['a UTF8String', der.utf8String('blü'), 'blü'],
    ['an IA5String', der.ia5String('blue'), 'blue'],
    ['an empty string', der.utf8String(''), ''],
    ['an INTEGER', der.integer(5), ''],
    ['a string with trailing bytes', Buffer.concat([der.utf8String('a'), der.nullValue()]), ''],
    ['a truncated string', der.utf8String('blue').subarray(0, 4), ''],
    ['a string with invalid UTF-8', der.tlv(0x0c, Buffer.from([0xff])), ''],
    ['no ASN.1', Buffer.from('blue'), ''],
    ['nothing', Buffer.alloc(0), ''],
  ])('returns an extension that is %s as text', (_, value, text) => {
    expect(withExtension('1.2.3.4', value).extensionText('1.2.3.4')).toBe(text);
  });

  test('returns no text for a missing extension', () => {
    expect(issue({}).extensionText('1.2.3.4')).toBeUndefined();
  });

  test('of another library is read the same way', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
    const minted = await X509CertificateGenerator.createSelfSigned({
      serialNumber: '00ff01',
      name: 'O=Acme, OU=a, CN=elsewhere',
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2027-01-01T00:00:00Z'),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 2, true),
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'a.example.com' },
          { type: 'ip', value: '10.0.0.1' },
        ]),
      ],
    });
    const certificate = Certificate.parse(new Uint8Array(minted.rawData));
    expect(certificate).toMatchObject({
      commonName: 'elsewhere',
      serialNumber: 0xff01n,
      isCa: true,
      dnsNames: ['a.example.com'],
      ipAddresses: ['10.0.0.1'],
    });
    expect(certificate.known.basicConstraints).toEqual({ isCa: true, pathLength: 2 });
    expect(String(certificate.subject)).toBe('CN=elsewhere,OU=a,O=Acme');
  });
});

describe('a certificate is refused', () => {
  const refused = (bytes: Uint8Array, text?: string) =>
    expect(() => Certificate.parse(bytes)).toThrow(text ?? ParseError);

  test('with trailing bytes', () => refused(Buffer.concat([root.der, Buffer.from([0])])));

  test('if it is truncated', () => refused(root.der.subarray(0, -1)));

  test('if it is not a certificate', () => {
    refused(Buffer.alloc(0));
    refused(Buffer.from(root.pem));
    refused(der.sequence());
  });

  test('above 64 KiB, and read up to there', () => {
    const large = (size: number) => root.issue({ extensions: [{ oid: '1.2.3', value: Buffer.alloc(size) }] }).der;
    const overhead = large(60_000).length - 60_000;
    expect(Certificate.parse(large(65_530 - overhead)).der.length).toBeGreaterThan(65_500);
    refused(large(65_600 - overhead), 'more than 65536 bytes');
  });

  test('if the two signature algorithms differ', () => {
    const replace = { outerAlgorithm: der.sequence(der.oid('1.2.840.10045.4.3.3')) };
    refused(
      root.issue({ replace }).der,
      'signature algorithm: the one in the signed content differs from the one beside the signature',
    );
  });

  test('with more than 64 extensions', () => {
    const extensions = Array.from({ length: 65 }, (_, i) => ({ oid: `1.2.3.${i}`, value: der.nullValue() }));
    refused(root.issue({ extensions }).der, 'more than 64 extensions');
  });

  test.each<[string, string, Uint8Array]>([
    [
      'an IP constraint without a mask',
      OID.nameConstraints,
      der.sequence(der.constructed(0, der.sequence(der.primitive(7, Buffer.alloc(4))))),
    ],
    ['a negative inhibitAnyPolicy', OID.inhibitAnyPolicy, der.integer(-1)],
    ['a subject key identifier of another type', OID.subjectKeyIdentifier, der.utf8String('x')],
    [
      'trailing bytes after a key identifier',
      OID.subjectKeyIdentifier,
      Buffer.concat([der.octetString(Buffer.from('x')), der.nullValue()]),
    ],
  ])('with %s', (_, oid, value) => {
    refused(root.issue({ extensions: [{ oid, value }] }).der);
  });

  /**
   * Replaces the bytes of `from`, which must occur once, by `to` of the same length, so that all lengths stay right.
   */
  const patched = (bytes: Buffer, from: Buffer, to: Buffer): Buffer => {
    const at = bytes.indexOf(from);
    expect(at).toBeGreaterThan(0);
    return Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)]);
  };

  test('with a signature that is not a whole number of bytes', () => {
    const { der: bytes } = selfSigned({ key: 'Ed25519' });
    refused(patched(bytes, Buffer.from('034100', 'hex'), Buffer.from('034101', 'hex')), 'not a whole number of bytes');
  });
});
