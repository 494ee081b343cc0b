import { X509Certificate } from 'node:crypto';
import { bodyOf, type PemHeader, pemHeaders } from './pem-blocks.ts';
import { PemFault, readBlocks } from './read-blocks.ts';

/**
 * Returns why a text has no PEM certificates that OpenSSL can read; undefined if it has. This check is for texts that
 * go to TLS unchanged; `x509` reads the certificates that a role trusts.
 */
export function certificatesFault(text: string): string | undefined {
  const headers = pemHeaders(text).filter(({ label }) => label === 'CERTIFICATE');
  try {
    for (const _ of readBlocks(text, 'certificate', headers, (header) => parsed(text, header), isError));
    return undefined;
  } catch (error) {
    if (error instanceof PemFault) return error.message;
    throw error;
  }
}

const isError = (error: unknown): error is Error => error instanceof Error;

function parsed(text: string, header: PemHeader): X509Certificate {
  const der = bodyOf(text, header);
  if (!der) throw new Error('it has no END line, or is not base64');
  try {
    return new X509Certificate(der);
  } catch {
    throw new Error('it is not a certificate');
  }
}
