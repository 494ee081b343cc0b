import { type Oid, oidFromDotted } from '../asn1/oid.ts';
import { Certificate } from '../certificate/certificate.ts';
import { isSignedBy } from '../certificate/signature.ts';
import { ParseError } from '../parse-error.ts';
import { AnchorSet } from '../path/anchors.ts';
import { KeyPurpose, keyUsageBits } from '../path/key-usage.ts';
import { validate } from '../path/validate.ts';
import { keyHash } from './cert-id.ts';
import type { BasicResponse, ResponderId } from './response.ts';
import { type OcspVerdict, ocspVerdict } from './verdict.ts';

/** Certificates that may sign responses about a CA's certificates. */
export interface Responders {
  readonly issuer: Certificate;
  /**
   * Certificates that the operator trusts: each may sign responses itself, and so may OCSP delegates that it issued.
   */
  readonly configured: readonly Certificate[];
}

const OCSP_SIGNING: Oid = oidFromDotted(KeyPurpose.ocspSigning);
/** OID id-pkix-ocsp-nocheck (RFC 6960 §4.2.2.2.1). */
const NO_CHECK = oidFromDotted('1.3.6.1.5.5.7.48.1.5');
const SIGNING_USAGES = keyUsageBits(['digitalSignature', 'nonRepudiation']);
const AUTHORITY = 'the issuer, a delegate that it issued for OCSPSigning, or a configured responder';

/** Checks who signed a response, and whether the signer may do so (RFC 6960 §4.2.2.2). */
export function judgeResponder(basic: BasicResponse, responders: Responders, time: number): OcspVerdict[] {
  const named = candidates(basic, responders).filter((certificate) => names(basic.responderId, certificate));
  const signers = named.filter((certificate) => signatureFault(basic, certificate) === undefined);
  const expected = `signed by ${responderText(basic.responderId)}`;
  if (signers.length === 0) {
    const faults = named.map((certificate) => signatureFault(basic, certificate));
    const actual =
      faults.join(', ') || 'its certificate is neither the issuer, nor configured, nor included in the response';
    return [ocspVerdict('signature', false, expected, actual)];
  }
  const authorities = signers.map((signer) => judgeAuthority(signer, responders, time));
  const authority = authorities.find(({ outcome }) => outcome === 'passed') ?? (authorities[0] as OcspVerdict);
  return [ocspVerdict('signature', true, expected, 'signed by it'), authority];
}

/**
 * Returns the certificates that may verify the signature, without duplicates. Unreadable ones are ignored, because they
 * vouch for nothing.
 */
function candidates(basic: BasicResponse, { issuer, configured }: Responders): Certificate[] {
  const all = [issuer, ...configured, ...basic.certificates.flatMap(readable)];
  return [...new Map(all.map((certificate) => [certificate.fingerprint, certificate])).values()];
}

function readable(der: Uint8Array): Certificate[] {
  try {
    return [Certificate.parse(der)];
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

function names(id: ResponderId, certificate: Certificate): boolean {
  return id.type === 'name' ? certificate.subject.key === id.name.key : keyHash(certificate).equals(id.hash);
}

function responderText(id: ResponderId): string {
  return id.type === 'name' ? `"${id.name}"` : `the key with hash ${id.hash.toString('hex')}`;
}

function signatureFault({ signed }: BasicResponse, { publicKey }: Certificate): string | undefined {
  if (publicKey.fault !== undefined) return publicKey.fault;
  return isSignedBy(signed, publicKey) ? undefined : 'the signature was made by another key, or over other content';
}

function judgeAuthority(signer: Certificate, responders: Responders, time: number): OcspVerdict {
  if (signer.equals(responders.issuer)) return ocspVerdict('responder', true, AUTHORITY, 'the issuer');
  const { path, refusals } = validate(signer, {
    anchors: AnchorSet.fromCertificates([responders.issuer, ...responders.configured]),
    time,
    extendedKeyUsage: KeyPurpose.any,
  });
  const [refusal] = refusals;
  if (path === undefined) return refused(signer, `${refusal?.check}: ${refusal?.actual}`);
  if (path.certificates.length === 1) {
    return ocspVerdict('responder', true, AUTHORITY, `the configured responder "${signer.subject}"`);
  }
  const fault = delegateFault(signer);
  if (fault !== undefined) return refused(signer, fault);
  return ocspVerdict('responder', true, AUTHORITY, `the delegate "${signer.subject}", ${noCheckText(signer)}`);
}

/**
 * Returns why a certificate may not be a delegate. RFC 6960 §4.2.2.2 requires the purpose OCSPSigning: any purpose, or
 * none, is not enough.
 */
function delegateFault({ known }: Certificate): string | undefined {
  if (!known.extendedKeyUsage?.has(OCSP_SIGNING)) return 'it lacks the key purpose OCSPSigning';
  const mayNotSign = known.keyUsage !== undefined && (known.keyUsage & SIGNING_USAGES) === 0;
  return mayNotSign ? 'its key usage does not allow signatures' : undefined;
}

/**
 * The revocation of the delegate itself is not checked. A delegate with the nocheck extension is at least meant to be
 * short-lived.
 */
function noCheckText({ extensions }: Certificate): string {
  return extensions.has(NO_CHECK) ? 'exempt from revocation checks' : 'its own revocation not checked';
}

function refused(signer: Certificate, why: string): OcspVerdict {
  return ocspVerdict('responder', false, AUTHORITY, `"${signer.subject}": ${why}`);
}
