import type { RevocationList } from '../../../revocation/crl/index.ts';
import type { AnchorSet } from '../../../x509/index.ts';
import type { StoredCrl } from './crl.ts';
import type { StoredContent } from './crl-contents.ts';

/** The CA certificates that roles trust. */
export type Authorities = Pick<AnchorSet<unknown>, 'named'>;

/** Whether a trusted CA signed the CRL. */
export type Signature =
  | { readonly state: 'verified' }
  /** No role contains a CA of this name and key. */
  | { readonly state: 'unknown-issuer' }
  | { readonly state: 'invalid'; readonly fault: string };

/** A CRL with its content and signature state, as a login needs it. */
export interface LoadedCrl extends StoredContent, Pick<StoredCrl, 'name' | 'version' | 'settings'> {
  readonly signature: Signature;
}

/** Finds out which trusted CA signed a CRL. */
export async function signatureOf(list: RevocationList, authorities: Authorities): Promise<Signature> {
  const certificates = authorities.named(list.info.issuer).map(({ certificate }) => certificate);
  const issuers = certificates.filter((certificate) => list.isIssuedInNameOf(certificate));
  const faults = await Promise.all(issuers.map((issuer) => list.signatureFault(issuer)));
  if (faults.includes(undefined)) return { state: 'verified' };
  const [fault] = faults;
  return fault === undefined ? { state: 'unknown-issuer' } : { state: 'invalid', fault };
}
