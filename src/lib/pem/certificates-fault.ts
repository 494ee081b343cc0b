import { X509Certificate } from 'node:crypto';
import { bodyOf, type PemHeader, pemHeaders } from './pem-blocks.ts';
import { PemFault, readBlocks } from './read-blocks.ts';

/**
 * Returns why a text holds no certificates in PEM that OpenSSL reads; undefined where it does. For texts that are handed to TLS
 * as they are: what is trusted by a role is read by `x509`.
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
    throw new Error('it is no certificate');
  }
}
