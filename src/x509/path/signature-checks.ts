import type { Certificate } from '../certificate/certificate.ts';
import { isSignedBy } from '../certificate/signature.ts';
import type { WorkLimit } from './work-limit.ts';

/** Cache of verification results, which never change. An entry is dropped together with either certificate. */
const outcomes = new WeakMap<Certificate, WeakMap<Certificate, boolean>>();

/** Signature checks of one search: each is made once, and only up to the limit. */
export class SignatureChecks {
  readonly #limit: WorkLimit;

  constructor(limit: WorkLimit) {
    this.#limit = limit;
  }

  /** Returns false also if the limit is reached. */
  isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    const known = outcomes.get(certificate)?.get(issuer);
    if (known !== undefined) return known;
    if (!this.#limit.checkSignature()) return false;
    const outcome = isSignedBy(certificate.signed, issuer.publicKey);
    const ofCertificate = outcomes.get(certificate) ?? new WeakMap<Certificate, boolean>();
    outcomes.set(certificate, ofCertificate.set(issuer, outcome));
    return outcome;
  }
}
