import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mintOcspFailure, mintOcspResponse, wrap } from '../../../test/support/ocsp.ts';
import * as der from '../../pki/der.ts';
import { createRoot } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { ParseError } from '../parse-error.ts';
import { parseOcspResponse } from './response.ts';
import { verifyOcspResponse } from './verify.ts';

const issuer = createRoot();
const leaf = issuer.issue();
const delegate = issuer.issue({ extendedKeyUsage: ['ocspSigning'] });
const extension = { oid: '1.2.3', value: der.utf8String('x') };
const samples = [
  mintOcspResponse({ issuer, certificate: leaf, nonce: Buffer.alloc(32), extensions: [extension] }),
  mintOcspResponse({
    issuer,
    certificate: leaf,
    signer: delegate,
    embedded: [delegate],
    responderId: 'key',
    status: { revokedAt: new Date(), reason: 1 },
    after: [{ issuer, certificate: delegate, status: 'unknown', nextUpdate: null }],
  }),
  mintOcspFailure(3),
];
const certificate = Certificate.parse(leaf.der);
const authority = Certificate.parse(issuer.der);

/** Parses and verifies. Any error other than a `ParseError` fails the test. */
function exercise(bytes: Uint8Array): void {
  try {
    const { verdicts } = verifyOcspResponse(parseOcspResponse(bytes), certificate, authority, { time: Date.now() });
    expect(verdicts.length).toBeGreaterThan(0);
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
  }
}

describe('a response', () => {
  test('is read with everything in it', () => {
    const response = parseOcspResponse(samples[1] as Buffer);
    if (response.status !== 'successful') throw new Error(response.status);
    expect(response.basic.responderId.type).toBe('key');
    expect(response.basic.certificates).toEqual([delegate.der]);
    expect(response.basic.responses.map(({ status }) => status.type)).toEqual(['revoked', 'unknown']);
    expect(response.basic.responses[1]?.nextUpdate).toBeUndefined();
  });

  test('may have lists of no extensions', () => {
    const bytes = mintOcspResponse({ issuer, certificate: leaf, extensions: [], responseExtensions: [] });
    expect(bytes.includes(Buffer.from('a1023000', 'hex'))).toBe(true);
    const { answer } = verifyOcspResponse(parseOcspResponse(bytes), certificate, authority, { time: Date.now() });
    expect(answer?.status.type).toBe('good');
  });

  test('that cannot be read names the field', () => {
    const twice = { issuer, certificate: leaf, extensions: [extension, extension] };
    expect(() => parseOcspResponse(mintOcspResponse(twice))).toThrow('single response: extensions: the same extension');
  });

  test('keeps a copy of the bytes that it was read from', () => {
    const bytes = Buffer.from(samples[0] as Buffer);
    const response = parseOcspResponse(bytes);
    bytes.fill(0);
    expect(verifyOcspResponse(response, certificate, authority, { time: Date.now() }).answer).toBeDefined();
  });

  test.each([
    ['with trailing bytes', Buffer.concat([samples[0] as Buffer, Buffer.from([0])])],
    ['of more than 64 KiB', Buffer.alloc(65_537)],
    ['of no bytes', Buffer.alloc(0)],
    ['that is HTML', Buffer.from('<html>not found</html>')],
    ['with status 4, which does not exist', mintOcspFailure(4)],
    ['with status 7, which does not exist', mintOcspFailure(7)],
    ['with status 255, which does not exist', mintOcspFailure(255)],
    ['that is successful and empty', mintOcspFailure(0)],
    ['that fails and has content', der.sequence(der.tlv(10, Buffer.from([1])), der.constructed(0, der.sequence()))],
    ['around nothing', wrap(der.sequence())],
    [
      'of another type',
      der.sequence(
        der.tlv(10, Buffer.from([0])),
        der.constructed(0, der.sequence(der.oid('1.2.3'), der.octetString(der.sequence()))),
      ),
    ],
    [
      'with more than 64 answers',
      mintOcspResponse({ issuer, certificate: leaf, after: Array(64).fill({ issuer, certificate: delegate }) }),
    ],
    [
      'with more than 8 certificates',
      mintOcspResponse({ issuer, certificate: leaf, embedded: Array(9).fill({ der: der.sequence() }) }),
    ],
    [
      'with an extension twice',
      mintOcspResponse({ issuer, certificate: leaf, responseExtensions: [extension, extension] }),
    ],
  ])('%s is refused', (_, bytes) => {
    expect(() => parseOcspResponse(bytes)).toThrow(ParseError);
  });

  test('is parsed or refused, for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), exercise), { numRuns: 3000 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => exercise(wrap(bytes))),
      { numRuns: 3000 },
    );
  });

  test('is parsed or refused, however it was tampered with', () => {
    const mutation = fc.record({ at: fc.nat(), remove: fc.nat(8), insert: fc.uint8Array({ maxLength: 8 }) });
    const tampered = fc
      .tuple(fc.constantFrom(...samples), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([sample, mutations]) =>
        mutations.reduce((bytes, { at, remove, insert }) => {
          const start = at % (bytes.length + 1);
          return Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(start + remove)]);
        }, sample),
      );
    fc.assert(fc.property(tampered, exercise), { numRuns: 5000 });
  });

  test('is parsed or refused with any of its bytes changed', () => {
    for (const sample of samples) for (let i = 0; i < sample.length; i++) exercise(withBitChanged(sample, i));
  });

  test('never passes verification with any of its bytes changed', () => {
    const [good] = samples as [Buffer, ...Buffer[]];
    expect(isBelieved(good)).toBe(true);
    for (let i = 0; i < good.length; i++) expect(isBelieved(withBitChanged(good, i))).toBe(false);
  });
});

function withBitChanged(sample: Buffer, index: number): Buffer {
  const bytes = Buffer.from(sample);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
  return bytes;
}

function isBelieved(bytes: Buffer): boolean {
  try {
    return (
      verifyOcspResponse(parseOcspResponse(bytes), certificate, authority, { time: Date.now() }).answer !== undefined
    );
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
    return false;
  }
}
