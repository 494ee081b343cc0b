import { dottedFromOid } from '../asn1/oid.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { ACCEPTED_SIGNATURES, algorithmName, isAcceptedAlgorithm } from '../certificate/signature.ts';
import { identifies } from './cert-id.ts';
import { NONCE, nonceValue } from './request.ts';
import { judgeResponder } from './responder.ts';
import type { BasicResponse, OcspResponse } from './response.ts';
import type { SingleResponse } from './single-response.ts';
import { type OcspVerdict, ocspVerdict } from './verdict.ts';

export interface OcspVerifyOptions {
  /** Time of the check, milliseconds since 1970. */
  readonly time: number;
  /** Nonce of the request. A response with another nonce is refused; one without a nonce is accepted. */
  readonly nonce?: Uint8Array;
  /** Maximum age of thisUpdate in milliseconds. Default: any age until nextUpdate, a day without nextUpdate. */
  readonly maxAge?: number;
  /** Responders that the operator trusts in addition to the issuer. */
  readonly responders?: readonly Certificate[];
}

export interface OcspDecision {
  readonly verdicts: readonly OcspVerdict[];
  /** The response about the certificate; undefined unless every check passed. */
  readonly answer: SingleResponse | undefined;
}

/** Maximum clock skew of a responder. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** @limit age of an OCSP response without a next update, ms -> it counts as no response */
const DEFAULT_MAX_AGE_MS = 24 * 3_600_000;

/**
 * Verifies a response about `certificate`, which `issuer` issued (RFC 6960 §3.2). The status is returned only after all
 * checks: that it is about this certificate, that its signer is authorized, and that it is current.
 */
export function verifyOcspResponse(
  response: OcspResponse,
  certificate: Certificate,
  issuer: Certificate,
  options: OcspVerifyOptions,
): OcspDecision {
  const isSuccessful = response.status === 'successful';
  const status = ocspVerdict('response-status', isSuccessful, 'successful', response.status);
  if (!isSuccessful) return { verdicts: [status], answer: undefined };
  const { basic } = response;
  const answers = basic.responses.filter(({ certId }) => identifies(certId, certificate, issuer));
  const [answer] = answers;
  const one = ocspVerdict('certificate-id', answers.length === 1, ONE_ANSWER, `${answers.length} such answers`);
  if (answer === undefined) return { verdicts: [status, one], answer };
  const { time, responders = [] } = options;
  const verdicts = [
    status,
    one,
    judgeExtensions(basic, answer),
    judgeAlgorithm(basic),
    ...judgeResponder(basic, { issuer, configured: responders }, time),
    ...judgeNonce(basic, options),
    judgeThisUpdate(answer, options),
    judgeNextUpdate(answer, time),
  ];
  const isVerified = verdicts.every(({ outcome }) => outcome === 'passed');
  return { verdicts, answer: isVerified ? answer : undefined };
}

const ONE_ANSWER = 'one answer about this certificate: the hashes of its issuer, and its serial number';

/** Refuses every critical extension except the nonce, the only one with a meaning here. */
function judgeExtensions(basic: BasicResponse, answer: SingleResponse): OcspVerdict {
  const all = [...basic.extensions.values(), ...answer.extensions.values()];
  const unknown = all.filter(({ oid, critical }) => critical && oid !== NONCE).map(({ oid }) => dottedFromOid(oid));
  const actual = unknown.join(', ') || 'none';
  return ocspVerdict('critical-extensions', unknown.length === 0, 'no unknown critical extension', actual);
}

function judgeAlgorithm({ signed: { algorithm } }: BasicResponse): OcspVerdict {
  const holds = isAcceptedAlgorithm(algorithm, { allowSha1: false });
  return ocspVerdict('signature-algorithm', holds, ACCEPTED_SIGNATURES, algorithmName(algorithm));
}

function judgeNonce({ extensions }: BasicResponse, { nonce }: OcspVerifyOptions): OcspVerdict[] {
  if (nonce === undefined) return [];
  const repeated = extensions.get(NONCE)?.value;
  const holds = repeated === undefined || repeated.equals(nonceValue(nonce));
  const actual = repeated === undefined ? 'none' : holds ? 'the same' : 'another';
  return [ocspVerdict('nonce', holds, 'the nonce of the request, or none', actual)];
}

function judgeThisUpdate({ thisUpdate, nextUpdate }: SingleResponse, options: OcspVerifyOptions): OcspVerdict {
  const { time } = options;
  const maxAge = options.maxAge ?? (nextUpdate === undefined ? DEFAULT_MAX_AGE_MS : Number.POSITIVE_INFINITY);
  const holds = thisUpdate <= time + CLOCK_SKEW_MS && time - thisUpdate <= maxAge;
  const age = Number.isFinite(maxAge) ? ` and not older than ${maxAge / 1000} s` : '';
  return ocspVerdict('this-update', holds, `not in the future${age}, at ${isoTime(time)}`, isoTime(thisUpdate));
}

function judgeNextUpdate({ thisUpdate, nextUpdate }: SingleResponse, time: number): OcspVerdict {
  const holds = nextUpdate === undefined || (nextUpdate >= time && nextUpdate >= thisUpdate);
  const actual = nextUpdate === undefined ? 'none' : isoTime(nextUpdate);
  return ocspVerdict('next-update', holds, `none, or not before ${isoTime(time)} and not before thisUpdate`, actual);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
