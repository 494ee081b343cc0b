import { Buffer } from 'node:buffer';
import type { Steps } from '../../lib/slices.ts';
import { Certificate, eachCertificateInPem, ParseError } from '../../x509/index.ts';

/** @limit certificates of responders of a role, certificates -> 400 */
const MAX_CERTIFICATES = 100;

/**
 * The certificates in `ocsp_ca_certificates` (spec §2.2): PEM, or PEM in base64 once more, or the base64 of one certificate
 * in DER. Empty text: none.
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
