import { Buffer } from 'node:buffer';
import type { Steps } from '../../lib/slices.ts';
import { Certificate, eachCertificateInPem, ParseError } from '../../x509/index.ts';

/** @limit responder certificates of a role, certificates -> 400 */
const MAX_CERTIFICATES = 100;

/**
 * Reads the certificates of `ocsp_ca_certificates` (spec §2.2): PEM, base64 of PEM, or base64 of one certificate in
 * DER. An empty text has none.
 * @throws ParseError
 */
export function* readResponderCertificates(text: string): Steps<Certificate[]> {
  if (text.trim() === '') return [];
  const certificates: Certificate[] = [];
  for (const der of derOf(text)) {
    if (certificates.length === MAX_CERTIFICATES) throw new ParseError(`more than ${MAX_CERTIFICATES} certificates`);
    certificates.push(Certificate.parse(der));
    yield;
  }
  if (certificates.length === 0) throw new ParseError('no certificate');
  return certificates;
}

function derOf(text: string): Iterable<Buffer> {
  if (text.includes('-----BEGIN ')) return eachCertificateInPem(text);
  const bytes = Buffer.from(text, 'base64');
  return bytes.includes('-----BEGIN ') ? eachCertificateInPem(bytes.toString('latin1')) : [bytes];
}
