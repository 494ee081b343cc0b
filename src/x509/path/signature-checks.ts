import type { Certificate } from '../certificate/certificate.ts';
import { isSignedBy } from '../certificate/signature.ts';
import type { WorkLimit } from './work-limit.ts';

/** Whether a key made a signature does not change: what was found out goes when either certificate does. */
const outcomes = new WeakMap<Certificate, WeakMap<Certificate, boolean>>();

/** Signature checks of one search: none is made twice, and only as many as the limit allows. */
export class SignatureChecks {
  readonly #limit: WorkLimit;

  constructor(limit: WorkLimit) {
    this.#limit = limit;
  }

  /** False too when the limit is reached. */
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
