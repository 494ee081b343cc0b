import { readBlocks } from '../../lib/pem/read-blocks.ts';
import type { Steps } from '../../lib/slices.ts';
import { Certificate, eachCertificateInPem, ParseError } from '../../x509/index.ts';

const isParseError = (error: unknown): error is ParseError => error instanceof ParseError;

/**
 * Reads the certificates of a text in PEM, in order: the one way for everything that somebody writes.
 * @throws PemFault that says which block cannot be read, or what the text is instead
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
 * Reads the DER of the certificates of a text in PEM, not yet parsed.
 * @throws PemFault as `certificatesIn` does
 */
export function* derIn(text: string): Generator<Uint8Array> {
  yield* readBlocks(text, 'certificate', eachCertificateInPem(text), (der) => der, isParseError);
}
