import { certificatesIn } from './pem.ts';

/** Initial values of a new role. */
export interface StartOfRole {
  readonly certificate: string;
  readonly allowed_common_names: string[];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Initial values for the page of a new role. */
    readonly role?: StartOfRole;
  }
}

/**
 * Returns a role that accepts a certificate: by the last certificate of the chain and the subject's common name, or by
 * the certificate itself if it comes without a chain.
 */
export function roleFor(pem: string, name: string): StartOfRole {
  const certificates = certificatesIn(pem);
  return {
    certificate: certificates.at(-1) ?? '',
    allowed_common_names: certificates.length > 1 && name !== '' ? [name] : [],
  };
}
