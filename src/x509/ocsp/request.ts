import { Buffer } from 'node:buffer';
import { oidFromDotted } from '../asn1/oid.ts';
import { constructedTag, Tag } from '../asn1/reader.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { encodeCertId } from './cert-id.ts';
import { element } from './encode.ts';

/** OID id-pkix-ocsp-nonce. */
export const NONCE = oidFromDotted('1.3.6.1.5.5.7.48.1.2');

/**
 * Returns the DER of an unsigned OCSPRequest about one certificate (RFC 6960 §4.1.1). `nonce` is random bytes that the
 * response should repeat; RFC 9654 requires 32, and many responders ignore them. Without a nonce, two requests about
 * one certificate have the same bytes, so that a cache can respond (RFC 5019 §2.1.1).
 */
export function ocspRequest(certificate: Certificate, issuer: Certificate, nonce?: Uint8Array): Buffer {
  const requestList = element(Tag.sequence, element(Tag.sequence, encodeCertId(certificate, issuer)));
  const extensions = nonce === undefined ? [] : [requestExtensions(nonce)];
  return element(Tag.sequence, element(Tag.sequence, requestList, ...extensions));
}

/** Returns the value of the nonce extension: the bytes as an OCTET STRING. */
export function nonceValue(nonce: Uint8Array): Buffer {
  return element(Tag.octetString, nonce);
}

function requestExtensions(nonce: Uint8Array): Buffer {
  const oid = element(Tag.oid, Buffer.from(NONCE, 'hex'));
  const extension = element(Tag.sequence, oid, element(Tag.octetString, nonceValue(nonce)));
  return element(constructedTag(2), element(Tag.sequence, extension));
}
