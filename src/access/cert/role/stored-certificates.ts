import type { Buffer } from 'node:buffer';
import type { Steps } from '../../../lib/slices.ts';
import { eachCertificateInPem, ParseError } from '../../../x509/index.ts';

/** Certificates of a stored role that can be parsed. */
export interface StoredCertificates<C> {
  /** Anchors of a login: the pinned certificate, or every CA that can be parsed. */
  readonly certificates: readonly C[];
  /** Why the others cannot be parsed, in words for an administrator. */
  readonly faults: readonly string[];
}

/**
 * Parses the PEM of a stored role. An older release may have accepted certificates that this one rejects. An
 * unreadable CA accepts no login, and does not affect logins through other CAs. If the first certificate is
 * unreadable, no certificate is used: the first one decides whether the role pins a leaf or trusts CAs.
 * @param read throws a `ParseError` for an invalid certificate
 */
export function* readStored<C extends { readonly isCa: boolean }>(
  pem: string,
  read: (der: Buffer) => C,
): Steps<StoredCertificates<C>> {
  const certificates: C[] = [];
  const faults: string[] = [];
  let number = 0;
  try {
    for (const der of eachCertificateInPem(pem)) {
      number++;
      const fault = faultOf(() => certificates.push(read(der)));
      if (fault !== undefined) faults.push(`certificate ${number} of the role cannot be parsed: ${fault}`);
      if (certificates[0]?.isCa !== true) break;
      yield;
    }
    return { certificates, faults };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { certificates: [], faults: [`the certificates of the role cannot be parsed: ${error.message}`] };
  }
}

function faultOf(read: () => void): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}
