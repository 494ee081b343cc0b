import type { Buffer } from 'node:buffer';
import type { Steps } from '../../../lib/slices.ts';
import { eachCertificateInPem, ParseError } from '../../../x509/index.ts';

/** Certificates of a stored role, as far as they can be read. */
export interface StoredCertificates<C> {
  /** Anchors of a login: the pinned certificate, or every CA that can be read. */
  readonly certificates: readonly C[];
  /** Why the others cannot be read, in words for an administrator. */
  readonly faults: readonly string[];
}

/**
 * Reads the PEM of a stored role, which an older release may have taken although this one cannot read all of it. A CA that cannot be
 * read lets nobody in, and keeps nobody out who comes by another one. None are left when it is the first: that one says whether the
 * role pins a certificate or trusts CAs.
 * @param read throws a `ParseError` for what cannot be read
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
      if (fault !== undefined) faults.push(`certificate ${number} of the role cannot be read: ${fault}`);
      if (certificates[0]?.isCa !== true) break;
      yield;
    }
    return { certificates, faults };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { certificates: [], faults: [`the certificates of the role cannot be read: ${error.message}`] };
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
