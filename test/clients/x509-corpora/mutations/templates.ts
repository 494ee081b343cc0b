import * as der from '../../../../src/pki/der.ts';
import {
  directoryName,
  dnsName,
  emailName,
  ipName,
  nameDer,
  OID,
  otherName,
  registeredId,
  uriName,
} from '../../../support/pki.ts';
import type { Kind } from '../inputs.ts';

export interface Template {
  readonly name: string;
  readonly kind: Kind;
  readonly der: Buffer;
}

const FROM = new Date('2024-01-02T03:04:05Z');
const TO = new Date('2060-01-02T03:04:05Z');
export const ECDSA_SHA256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));
export const RSA_SHA256 = der.sequence(der.oid('1.2.840.113549.1.1.11'), der.nullValue());
const SHA1 = der.sequence(der.oid('1.3.14.3.2.26'), der.nullValue());
export const ISSUER = nameDer([
  ['C', 'AQ'],
  ['O', 'Acme'],
  ['CN', 'Acme CA'],
]);
export const SUBJECT = nameDer([
  ['O', 'Acme'],
  ['OU', 'Field'],
  ['CN', 'device-1'],
]);
/** The base point of the curve: parsers accept it as a normal public key. */
const EC_KEY = der.sequence(
  der.sequence(der.oid('1.2.840.10045.2.1'), der.oid('1.2.840.10045.3.1.7')),
  der.bitString(
    Buffer.from(
      '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
      'hex',
    ),
  ),
);
const RSA_KEY = der.sequence(
  der.sequence(der.oid('1.2.840.113549.1.1.1'), der.nullValue()),
  der.bitString(der.sequence(der.integer((1n << 2047n) + 12345n), der.integer(65537))),
);
const KEY_ID = Buffer.alloc(20, 7);
/** Parsers do not check the signature. */
const SIGNATURE = der.bitString(der.sequence(der.integer(12345), der.integer(67891)));

/**
 * A client certificate, a CA certificate, a CRL and an OCSP response. Together they contain every structure that we
 * parse. The bytes are always the same.
 */
export const TEMPLATES: readonly Template[] = [
  { name: 'client', kind: 'certificate', der: certificate(ECDSA_SHA256, EC_KEY, clientExtensions()) },
  { name: 'authority', kind: 'certificate', der: certificate(RSA_SHA256, RSA_KEY, authorityExtensions()) },
  { name: 'list', kind: 'crl', der: list() },
  { name: 'answer', kind: 'ocsp', der: answer() },
];

function certificate(algorithm: Buffer, key: Buffer, extensions: readonly Buffer[]): Buffer {
  return der.sequence(certificateBody(algorithm, key, SUBJECT, extensions), algorithm, SIGNATURE);
}

/** TBSCertificate. */
export function certificateBody(
  algorithm: Buffer,
  key: Uint8Array,
  subject: Buffer,
  extensions: readonly Buffer[],
): Buffer {
  return der.sequence(
    der.constructed(0, der.integer(2)),
    der.integer(0x1234),
    algorithm,
    ISSUER,
    der.sequence(der.time(FROM), der.time(TO)),
    subject,
    key,
    der.constructed(3, der.sequence(...extensions)),
  );
}

export function clientExtensions(): Buffer[] {
  const names = [
    dnsName('device-1.example.com'),
    emailName('device-1@example.com'),
    uriName('spiffe://example.com/device-1'),
    ipName('192.0.2.1'),
    directoryName([['CN', 'device-1']]),
    otherName('1.3.6.1.4.1.311.20.2.3', der.utf8String('device-1@example.com')),
    registeredId('1.2.3.4'),
  ];
  const point = der.constructed(0, der.constructed(0, uriName('http://crl.example.com/a.crl')));
  const policy = der.sequence(
    der.oid('1.2.3.4.5'),
    der.sequence(der.sequence(der.oid('1.3.6.1.5.5.7.2.1'), der.ia5String('http://cps.example.com'))),
  );
  return [
    extension(OID.keyUsage, der.namedBits([0, 2]), true),
    extension(OID.extendedKeyUsage, der.sequence(der.oid('1.3.6.1.5.5.7.3.2'), der.oid('1.3.6.1.5.5.7.3.1'))),
    extension(OID.basicConstraints, der.sequence(), true),
    extension(OID.subjectKeyIdentifier, der.octetString(KEY_ID)),
    extension(OID.authorityKeyIdentifier, der.sequence(der.primitive(0, KEY_ID))),
    extension(OID.subjectAltName, der.sequence(...names)),
    extension(OID.certificatePolicies, der.sequence(policy)),
    extension('2.5.29.31', der.sequence(der.sequence(point))),
    extension('1.2.3.4.6', der.utf8String('a value')),
  ];
}

/** @param directoryNames adds constraints on directory names, which Go does not support */
export function authorityExtensions(directoryNames = true): Buffer[] {
  const subtree = (base: Buffer): Buffer => der.sequence(base);
  const permitted = [
    dnsName('example.com'),
    emailName('example.com'),
    uriName('example.com'),
    der.primitive(7, Buffer.from([192, 0, 2, 0, 255, 255, 255, 0])),
  ];
  const excluded = [dnsName('secret.example.com'), ...(directoryNames ? [directoryName([['O', 'Other']])] : [])];
  return [
    extension(OID.basicConstraints, der.sequence(der.boolean(true), der.integer(1)), true),
    extension(OID.keyUsage, der.namedBits([5, 6]), true),
    extension(
      OID.nameConstraints,
      der.sequence(der.constructed(0, ...permitted.map(subtree)), der.constructed(1, ...excluded.map(subtree))),
      true,
    ),
    extension(OID.certificatePolicies, der.sequence(der.sequence(der.oid('1.2.3.4.5')))),
    extension(OID.policyMappings, der.sequence(der.sequence(der.oid('1.2.3.4.5'), der.oid('1.2.3.4.6')))),
    extension(
      OID.policyConstraints,
      der.sequence(der.primitive(0, Buffer.from([3])), der.primitive(1, Buffer.from([2]))),
      true,
    ),
    extension(OID.inhibitAnyPolicy, der.integer(4), true),
  ];
}

function list(): Buffer {
  const entry = (serial: number, ...extensions: readonly Buffer[]): Buffer =>
    der.sequence(der.integer(serial), der.time(FROM), ...(extensions.length > 0 ? [der.sequence(...extensions)] : []));
  const reason = extension('2.5.29.21', der.tlv(0x0a, Buffer.from([1])));
  const since = extension('2.5.29.24', der.tlv(0x18, Buffer.from('20240101000000Z')));
  const point = der.constructed(0, der.constructed(0, uriName('http://crl.example.com/a.crl')));
  const extensions = [
    extension(OID.authorityKeyIdentifier, der.sequence(der.primitive(0, KEY_ID))),
    extension(OID.crlNumber, der.integer(77)),
    extension('2.5.29.28', der.sequence(point, der.primitive(1, Buffer.from([0xff]))), true),
  ];
  const body = der.sequence(
    der.integer(1),
    ECDSA_SHA256,
    ISSUER,
    der.time(FROM),
    der.time(TO),
    der.sequence(entry(5), entry(300, reason, since)),
    der.constructed(0, der.sequence(...extensions)),
  );
  return der.sequence(body, ECDSA_SHA256, SIGNATURE);
}

/** Go parses only OCSP responses about one certificate. */
function answer(): Buffer {
  const time = (text: string): Buffer => der.tlv(0x18, Buffer.from(text));
  const enumerated = (value: number): Buffer => der.tlv(0x0a, Buffer.from([value]));
  const nonce = extension('1.3.6.1.5.5.7.48.1.2', der.octetString(Buffer.alloc(16, 3)));
  const single = der.sequence(
    der.sequence(SHA1, der.octetString(KEY_ID), der.octetString(KEY_ID), der.integer(0x1234)),
    der.constructed(1, time('20240101000000Z'), der.constructed(0, enumerated(1))),
    time('20240102000000Z'),
    der.constructed(0, time('20240103000000Z')),
    der.constructed(1, der.sequence(extension('1.2.3.4.6', der.utf8String('a value')))),
  );
  const data = der.sequence(
    der.constructed(2, der.octetString(KEY_ID)),
    time('20240102000000Z'),
    der.sequence(single),
    der.constructed(1, der.sequence(nonce)),
  );
  const basic = der.sequence(data, ECDSA_SHA256, SIGNATURE);
  const bytes = der.sequence(der.oid('1.3.6.1.5.5.7.48.1.1'), der.octetString(basic));
  return der.sequence(enumerated(0), der.constructed(0, bytes));
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}
