import { describe, expect, test } from 'vitest';
import {
  type AnswerOptions,
  mintOcspFailure,
  mintOcspResponse,
  OCSP_OID,
  type OcspResponseOptions,
} from '../../../test/support/ocsp.ts';
import * as der from '../../pki/der.ts';
import { type CertificateOptions, createRoot } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { parseOcspResponse } from './response.ts';
import { type OcspDecision, type OcspVerifyOptions, verifyOcspResponse } from './verify.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Math.floor(Date.now() / 1000) * 1000;
const at = (offset: number) => new Date(now + offset);

const root = createRoot({ subject: 'Root' });
const issuer = root.issueAuthority({ subject: 'Issuing CA' });
const otherCa = createRoot({ subject: 'Other CA' });
const leaf = issuer.issue({ subject: 'device' });
const forSigning: CertificateOptions = { subject: 'Responder', extendedKeyUsage: ['ocspSigning'] };
const delegate = issuer.issue(forSigning);

/** Verifies a response with these options. */
function verify(options: Partial<OcspResponseOptions> = {}, verifyOptions: Partial<OcspVerifyOptions> = {}) {
  const current = { thisUpdate: at(-MINUTE), nextUpdate: at(DAY) };
  return verifyBytes(mintOcspResponse({ issuer, certificate: leaf, ...current, ...options }), verifyOptions);
}

function verifyBytes(bytes: Uint8Array, options: Partial<OcspVerifyOptions> = {}): OcspDecision {
  const [certificate, by] = [Certificate.parse(leaf.der), Certificate.parse(issuer.der)];
  return verifyOcspResponse(parseOcspResponse(bytes), certificate, by, { time: now, ...options });
}

/** Returns the names of the failed checks. */
function refusals(...args: Parameters<typeof verify>): string[] {
  return refusedChecks(verify(...args));
}

function refusalsOf(bytes: Uint8Array): string[] {
  return refusedChecks(verifyBytes(bytes));
}

function refusedChecks({ verdicts, answer }: OcspDecision): string[] {
  const refused = verdicts.filter(({ outcome }) => outcome === 'refused');
  expect(answer === undefined).toBe(refused.length > 0);
  return refused.map(({ check }) => check);
}

function responderText(...args: Parameters<typeof verify>): string | undefined {
  return verify(...args).verdicts.find(({ check }) => check === 'responder')?.actual;
}

describe('an answer of the issuer', () => {
  test.each(['name', 'key'] as const)('is accepted if it identifies itself by its %s', (responderId) => {
    const { verdicts, answer } = verify({ responderId });
    expect(answer?.status).toEqual({ type: 'good' });
    expect(verdicts.map(({ check, outcome }) => `${check} ${outcome}`)).toEqual([
      'response-status passed',
      'certificate-id passed',
      'critical-extensions passed',
      'signature-algorithm passed',
      'signature passed',
      'responder passed',
      'this-update passed',
      'next-update passed',
    ]);
  });

  test('is accepted if it includes its own certificate', () => {
    expect(responderText({ embedded: [issuer] })).toBe('the issuer');
  });

  test.each(['RSA-2048', 'P-384', 'P-521', 'Ed25519', 'Ed448'] as const)('is accepted with a key of type %s', (key) => {
    const authority = createRoot({ subject: 'Authority', key });
    const certificate = authority.issue();
    const response = parseOcspResponse(mintOcspResponse({ issuer: authority, certificate }));
    const [subject, by] = [Certificate.parse(certificate.der), Certificate.parse(authority.der)];
    expect(verifyOcspResponse(response, subject, by, { time: now }).answer?.status.type).toBe('good');
  });

  test('has the status revoked with time and reason, or unknown', () => {
    expect(verify({ status: { revokedAt: at(-HOUR), reason: 1 } }).answer?.status).toEqual({
      type: 'revoked',
      at: now - HOUR,
      reason: 1,
    });
    expect(verify({ status: 'revoked' }).answer?.status).toMatchObject({ type: 'revoked', reason: undefined });
    expect(verify({ status: 'unknown' }).answer?.status).toEqual({ type: 'unknown' });
  });
});

describe('a delegate', () => {
  const signedBy = (options: CertificateOptions) => {
    const signer = issuer.issue({ ...forSigning, ...options });
    return { signer, embedded: [signer] };
  };

  test('with OCSPSigning that the issuer issued may answer', () => {
    expect(responderText({ signer: delegate, embedded: [delegate] })).toBe(
      'the delegate "CN=Responder", its own revocation not checked',
    );
    expect(refusals({ signer: delegate, embedded: [otherCa, delegate], responderId: 'key' })).toEqual([]);
  });

  test('with exemption from revocation checks is reported as such', () => {
    const noCheck = { oid: OCSP_OID.noCheck, value: der.nullValue() };
    expect(responderText(signedBy({ extensions: [noCheck] }))).toContain('exempt from revocation checks');
  });

  test('may be one of two certificates with the same key', () => {
    const expired = issuer.issue({ ...forSigning, key: delegate.privateKey, notAfter: at(-MINUTE) });
    expect(refusals({ signer: delegate, embedded: [expired, delegate] })).toEqual([]);
  });

  test.each<[string, CertificateOptions]>([
    ['an ordinary client certificate', { extendedKeyUsage: ['clientAuth'] }],
    ['a certificate without key purposes', { extendedKeyUsage: [] }],
    ['a certificate for any purpose', { extendedKeyUsage: ['any'] }],
    ['a certificate that may not sign', { keyUsage: ['keyEncipherment'] }],
    ['an expired delegate', { notAfter: at(-MINUTE) }],
    ['a delegate of tomorrow', { notBefore: at(HOUR) }],
    ['a delegate signed with SHA-1', { hash: 'sha1' }],
    [
      'a delegate with an unknown critical extension',
      { extensions: [{ oid: '1.2.3', critical: true, value: der.nullValue() }] },
    ],
  ])('is not %s', (_, options) => {
    expect(refusals(signedBy(options))).toEqual(['responder']);
  });

  test('cannot be issued by another CA', () => {
    const foreign = otherCa.issue(forSigning);
    expect(refusals({ signer: foreign, embedded: [foreign, otherCa] })).toEqual(['responder']);
    const above = root.issue(forSigning);
    expect(refusals({ signer: above, embedded: [above] })).toEqual(['responder']);
  });

  test('cannot be issued by a CA below the issuer', () => {
    const below = issuer.issueAuthority({ subject: 'Below' });
    const signer = below.issue(forSigning);
    expect(refusals({ signer, embedded: [signer, below] })).toEqual(['responder']);
  });

  test('cannot be issued by a CA that only shares the name of the issuer', () => {
    const fake = createRoot({ subject: 'Issuing CA' });
    expect(refusals({ signer: fake, embedded: [fake] })).toEqual(['responder']);
    const signer = fake.issue(forSigning);
    expect(refusals({ signer, embedded: [signer, fake] })).toEqual(['responder']);
  });

  test('whose certificate is not included cannot be verified', () => {
    expect(refusals({ signer: delegate })).toEqual(['signature']);
    expect(refusals({ signer: delegate, embedded: [{ der: Buffer.from('300101', 'hex') }] })).toEqual(['signature']);
  });

  test('with a small key is refused', () => {
    expect(refusals(signedBy({ key: 'RSA-1024' }))).toEqual(['signature']);
  });
});

describe('a configured responder', () => {
  const responder = otherCa.issue({ subject: 'Our responder', extendedKeyUsage: [] });

  test('may answer itself, with or without its certificate', () => {
    const responders = [Certificate.parse(responder.der)];
    expect(refusals({ signer: responder })).toEqual(['signature']);
    expect(refusals({ signer: responder }, { responders })).toEqual([]);
    expect(responderText({ signer: responder, embedded: [responder] }, { responders })).toBe(
      'the configured responder "CN=Our responder"',
    );
  });

  test('may name delegates if it is a CA, and they need OCSPSigning', () => {
    const responders = [Certificate.parse(otherCa.der)];
    const signer = otherCa.issue(forSigning);
    expect(refusals({ signer, embedded: [signer] }, { responders })).toEqual([]);
    expect(refusals({ signer: responder, embedded: [responder] }, { responders })).toEqual(['responder']);
    expect(refusals({ signer: otherCa }, { responders })).toEqual([]);
  });

  test('that has expired is refused', () => {
    const expired = otherCa.issue({ ...forSigning, notAfter: at(-MINUTE) });
    const responders = [Certificate.parse(expired.der)];
    expect(refusals({ signer: expired }, { responders })).toEqual(['responder']);
  });

  test('that is not a CA cannot name delegates', () => {
    const { privateKey } = responder;
    const signer = createRoot({ subject: 'Our responder', key: privateKey }).issue(forSigning);
    const responders = [Certificate.parse(responder.der)];
    expect(refusals({ signer, embedded: [signer] }, { responders })).toEqual(['responder']);
  });
});

describe('a signature', () => {
  test('by another key than the identified one is refused', () => {
    const fake = createRoot({ subject: 'Issuing CA' });
    expect(refusals({ signer: fake })).toEqual(['signature']);
  });

  test('of the issuer that identifies another signer is refused', () => {
    for (const responderId of ['name', 'key'] as const) {
      expect(refusals({ responder: otherCa, responderId, embedded: [otherCa] })).toEqual(['signature']);
    }
  });

  test('over other content is refused', () => {
    const bytes = mintOcspResponse({ issuer, certificate: leaf, thisUpdate: at(-MINUTE), nextUpdate: at(DAY) });
    const serial = der.integer(leaf.serial);
    // The last digit of the first time behind the serial number, which may contain a Z itself.
    const place = bytes.indexOf('Z', bytes.indexOf(serial) + serial.length) - 1;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    expect(refusalsOf(bytes)).toEqual(['signature']);
  });

  test('over SHA-1 is refused', () => {
    expect(refusals({ hash: 'sha1' })).toEqual(['signature-algorithm']);
  });

  test('of nothing is refused', () => {
    expect(refusals({ signature: Buffer.alloc(64) })).toEqual(['signature']);
  });
});

describe('the certificate', () => {
  const another: AnswerOptions = { issuer, certificate: issuer.issue(), status: 'revoked' };

  test('must be the one in the request', () => {
    expect(refusals({ certificate: { serial: leaf.serial + 1n } })).toEqual(['certificate-id']);
  });

  test('must have the issuer of the request, name and key', () => {
    const sameName = createRoot({ subject: 'Issuing CA' });
    const sameKey = createRoot({ subject: 'Issuing', key: issuer.privateKey });
    for (const wrong of [sameName, sameKey]) {
      expect(refusals({ issuer: wrong, signer: issuer })).toEqual(['certificate-id']);
    }
  });

  test('must be identified with the hash of the request', () => {
    expect(refusals({ idHash: 'sha256' })).toEqual(['certificate-id']);
  });

  test('is not identified by hashes of another kind', () => {
    const hex = mintOcspResponse({ issuer, certificate: leaf })
      .toString('hex')
      .replace('06052b0e03021a', '06052b0e03021b');
    expect(refusalsOf(Buffer.from(hex, 'hex'))).toContain('certificate-id');
  });

  test('is found among others, whose status and dates do not matter', () => {
    const stale = { ...another, thisUpdate: at(-10 * DAY), nextUpdate: at(-9 * DAY) };
    expect(verify({ before: [another], after: [stale] }).answer?.status).toEqual({ type: 'good' });
  });

  test('with two answers has none', () => {
    expect(refusals({ after: [{ issuer, certificate: leaf, status: 'revoked' }] })).toContain('certificate-id');
  });
});

describe('the dates', () => {
  test('of an expired answer are refused', () => {
    expect(refusals({ thisUpdate: at(-DAY), nextUpdate: at(-1000) })).toEqual(['next-update']);
    expect(refusals({ thisUpdate: at(-DAY), nextUpdate: at(0) })).toEqual([]);
  });

  test('of an answer from the future are refused beyond five minutes', () => {
    expect(refusals({ thisUpdate: at(5 * MINUTE) })).toEqual([]);
    expect(refusals({ thisUpdate: at(5 * MINUTE + 1000) })).toEqual(['this-update']);
  });

  test('of an answer that expires before it starts are refused', () => {
    expect(refusals({ thisUpdate: at(2 * MINUTE), nextUpdate: at(MINUTE) })).toEqual(['next-update']);
  });

  test('without a next update are valid for a day', () => {
    expect(refusals({ thisUpdate: at(-DAY), nextUpdate: null })).toEqual([]);
    expect(refusals({ thisUpdate: at(-DAY - 1000), nextUpdate: null })).toEqual(['this-update']);
  });

  test('are valid for as long as the caller configures', () => {
    const maxAge = HOUR;
    expect(refusals({ thisUpdate: at(-HOUR) }, { maxAge })).toEqual([]);
    expect(refusals({ thisUpdate: at(-HOUR - 1000) }, { maxAge })).toEqual(['this-update']);
    expect(refusals({ thisUpdate: at(-2 * DAY), nextUpdate: null }, { maxAge: 3 * DAY })).toEqual([]);
  });
});

describe('the nonce', () => {
  const nonce = Buffer.alloc(32, 7);

  test('must be the one that was sent, if there is one', () => {
    expect(refusals({ nonce }, { nonce })).toEqual([]);
    expect(refusals({}, { nonce })).toEqual([]);
    expect(refusals({ nonce: Buffer.alloc(32, 8) }, { nonce })).toEqual(['nonce']);
  });

  test('is ignored if none was sent', () => {
    expect(refusals({ nonce })).toEqual([]);
  });
});

describe('extensions', () => {
  const unknown = { oid: '1.2.3', critical: true, value: der.nullValue() };

  test('that are unknown and critical are refused, in the response and in the answer', () => {
    expect(refusals({ responseExtensions: [unknown] })).toEqual(['critical-extensions']);
    expect(refusals({ extensions: [unknown] })).toEqual(['critical-extensions']);
  });

  test('that are unknown and not critical are ignored, and so are those of other answers', () => {
    expect(refusals({ responseExtensions: [{ ...unknown, critical: false }] })).toEqual([]);
    expect(refusals({ after: [{ issuer, certificate: issuer.issue(), extensions: [unknown] }] })).toEqual([]);
  });
});

describe('a failure', () => {
  test.each([
    [1, 'malformedRequest'],
    [2, 'internalError'],
    [3, 'tryLater'],
    [5, 'sigRequired'],
    [6, 'unauthorized'],
  ])('%i is formatted as %s', (number, actual) => {
    expect(verifyBytes(mintOcspFailure(number))).toEqual({
      verdicts: [{ check: 'response-status', outcome: 'refused', expected: 'successful', actual }],
      answer: undefined,
    });
  });
});
