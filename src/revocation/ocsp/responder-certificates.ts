import { Buffer } from 'node:buffer';
import { Certificate, certificatesInPem, ParseError } from '../../x509/index.ts';

/** @limit certificates of responders of a role, certificates -> 400 */
const MAX_CERTIFICATES = 100;

/**
 * The certificates in `ocsp_ca_certificates` (spec §2.2): PEM, or PEM in base64 once more, or the base64 of one certificate
 * in DER. Empty text: none.
 * @throws ParseError
 */
export function readResponderCertificates(text: string): Certificate[] {
  if (text.trim() === '') return [];
  const certificates = derOf(text).map((der) => Certificate.parse(der));
  if (certificates.length === 0) throw new ParseError('no certificate');
  if (certificates.length > MAX_CERTIFICATES) throw new ParseError(`more than ${MAX_CERTIFICATES} certificates`);
  return certificates;
}

function derOf(text: string): Buffer[] {
  if (text.includes('-----BEGIN ')) return certificatesInPem(text);
  const bytes = Buffer.from(text, 'base64');
  return bytes.includes('-----BEGIN ') ? certificatesInPem(bytes.toString('latin1')) : [bytes];
}
