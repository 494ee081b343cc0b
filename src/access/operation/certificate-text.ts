import { readBlocks } from '../../lib/pem/read-blocks.ts';
import type { Steps } from '../../lib/slices.ts';
import { Certificate, eachCertificateInPem, ParseError } from '../../x509/index.ts';

const isParseError = (error: unknown): error is ParseError => error instanceof ParseError;

/**
 * Parses the certificates of a PEM text, in order. Used for all certificates in requests.
 * @throws PemFault whose message contains the invalid block, or the actual format of the text
 */
export function* certificatesIn(text: string): Steps<readonly Certificate[]> {
  const certificates: Certificate[] = [];
  for (const one of readBlocks(text, 'certificate', eachCertificateInPem(text), Certificate.parse, isParseError)) {
    certificates.push(one);
    yield;
  }
  return certificates;
}

/**
 * Yields the DER of the certificates of a PEM text, without parsing them.
 * @throws PemFault like `certificatesIn`
 */
export function* derIn(text: string): Generator<Uint8Array> {
  yield* readBlocks(text, 'certificate', eachCertificateInPem(text), (der) => der, isParseError);
}
