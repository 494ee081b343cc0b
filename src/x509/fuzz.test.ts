import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as der from '../pki/der.ts';
import {
  createRoot,
  directoryName,
  dnsName,
  emailName,
  ipName,
  OID,
  otherName,
  registeredId,
  uriName,
} from '../pki/index.ts';
import { AnchorSet, Certificate, certificatesInPem, ParseError, validate } from './index.ts';

const policies = der.sequence(der.sequence(der.oid('1.2.3')), der.sequence(der.oid(OID.anyPolicy)));
const root = createRoot({
  permitted: [dnsName('example.com'), emailName('example.com'), uriName('.example.com'), directoryName('x')],
  excluded: [ipName('10.0.0.0/255.0.0.0'), otherName('1.2.3', der.utf8String('x'))],
  extensions: [
    { oid: OID.certificatePolicies, value: policies },
    { oid: OID.policyMappings, value: der.sequence(der.sequence(der.oid('1.2.3'), der.oid('1.2.4'))) },
    { oid: OID.policyConstraints, critical: true, value: der.sequence(der.primitive(0, Buffer.from([3]))) },
    { oid: OID.inhibitAnyPolicy, critical: true, value: der.integer(1) },
  ],
});
const leaf = root.issue({
  subject: [
    ['O', 'Zürich'],
    ['emailAddress', 'a@example.com'],
    ['CN', 'x'],
  ],
  dns: ['a.example.com', '*.example.com'],
  emails: ['a@example.com'],
  uris: ['https://a.example.com/x'],
  ips: ['192.168.0.1', '2001:db8::1'],
  otherNames: [otherName('1.2.3', der.utf8String('x')), registeredId('1.2.3'), directoryName([['O', 'Acme']])],
});
const rsa = createRoot({ key: 'RSA-2048', pss: true });
const edwards = createRoot({ key: 'Ed25519', version: 1 });
const samples = [root.der, leaf.der, rsa.der, edwards.der];
const anchors = AnchorSet.fromCertificates([root.der, rsa.der].map((bytes) => Certificate.parse(bytes)));

/** Parses, reads all properties, and validates. Any error other than a `ParseError` fails the test. */
function exercise(bytes: Uint8Array): void {
  let certificate: Certificate;
  try {
    certificate = Certificate.parse(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
    return;
  }
  for (const property of Object.keys(Object.getOwnPropertyDescriptors(Certificate.prototype)))
    Reflect.get(certificate, property);
  for (const extension of certificate.extensions.values()) certificate.extensionText(Buffer.from(extension.oid, 'hex'));
  expect(`${certificate.subject}${certificate.issuer}${certificate.subject.key}`).toBeTypeOf('string');
  expect(certificate.publicKey.fault ?? '').toBeTypeOf('string');
  const decision = validate(certificate, { anchors, intermediates: [certificate], time: Date.now() });
  expect(decision.refusals.length).toBeLessThanOrEqual(100);
  expect(decision.path?.verdicts() ?? decision.refusals).not.toEqual([]);
}

/** Bytes overwritten, inserted, or removed at random positions. */
const mutation = fc.oneof(
  fc.record({ at: fc.nat(), remove: fc.constant(1), insert: fc.uint8Array({ minLength: 1, maxLength: 1 }) }),
  fc.record({ at: fc.nat(), remove: fc.nat(8), insert: fc.uint8Array({ maxLength: 8 }) }),
);

describe('for any bytes, the parser', () => {
  test('either parses them or throws a ParseError', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), exercise), { numRuns: 3000 });
  });

  test('survives real certificates that were tampered with', () => {
    const tampered = fc
      .tuple(fc.constantFrom(...samples), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([sample, mutations]) =>
        mutations.reduce((bytes, { at, remove, insert }) => {
          const start = at % bytes.length;
          return Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(start + remove)]);
        }, sample),
      );
    fc.assert(fc.property(tampered, exercise), { numRuns: 5000 });
  });

  test('survives every changed byte of a certificate', () => {
    for (const sample of samples) {
      for (let i = 0; i < sample.length; i++) {
        const bytes = Buffer.from(sample);
        bytes[i] = (bytes[i] ?? 0) ^ (1 << (i % 8));
        exercise(bytes);
      }
    }
  });

  test('survives the deepest nesting that 64 KiB allows', () => {
    let nested = der.sequence();
    while (nested.length < 65_000) nested = der.sequence(nested);
    exercise(nested);
    exercise(root.issue({ extensions: [{ oid: OID.subjectAltName, value: nested.subarray(-60_000) }] }).der);
  });

  test('accepts any text as PEM', () => {
    const piece = fc.constantFrom('-----BEGIN ', '-----END ', 'CERTIFICATE', '-----', '\n', 'TUlJ', '=', ' ', '\0');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 }), (pieces) => {
        try {
          certificatesInPem(pieces.join('')).forEach(exercise);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
