import type { RevocationList } from '../../../revocation/crl/index.ts';
import type { AnchorSet } from '../../../x509/index.ts';
import type { StoredCrl } from './crl.ts';
import type { StoredContent } from './crl-contents.ts';

/** The authorities that roles trust. */
export type Authorities = Pick<AnchorSet<unknown>, 'named'>;

/** What is known of who signed a list. */
export type Signature =
  | { readonly state: 'verified' }
  /** No role has an authority of this name and key. */
  | { readonly state: 'unknown-issuer' }
  | { readonly state: 'invalid'; readonly fault: string };

/** A list as a login needs it. */
export interface LoadedCrl extends StoredContent, Pick<StoredCrl, 'name' | 'version' | 'settings'> {
  readonly signature: Signature;
}

/** Who of the authorities has signed a list. */
export async function signatureOf(list: RevocationList, authorities: Authorities): Promise<Signature> {
  const certificates = authorities.named(list.info.issuer).map(({ certificate }) => certificate);
  const issuers = certificates.filter((certificate) => list.isIssuedInNameOf(certificate));
  const faults = await Promise.all(issuers.map((issuer) => list.signatureFault(issuer)));
  if (faults.includes(undefined)) return { state: 'verified' };
  const [fault] = faults;
  return fault === undefined ? { state: 'unknown-issuer' } : { state: 'invalid', fault };
}
