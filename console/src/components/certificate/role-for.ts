import { certificatesIn } from './pem.ts';

/** What a role is filled in with. */
export interface StartOfRole {
  readonly certificate: string;
  readonly allowed_common_names: string[];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For the page of a new role. */
    readonly role?: StartOfRole;
  }
}

/** A role that lets this certificate in: by the authority, where the last certificate is one, and the name; else by itself. */
export function roleFor(pem: string, name: string): StartOfRole {
  const certificates = certificatesIn(pem);
  return {
    certificate: certificates.at(-1) ?? '',
    allowed_common_names: certificates.length > 1 && name !== '' ? [name] : [],
  };
}
