import type { Certificate } from '../certificate/certificate.ts';
import { isSignedBy } from '../certificate/signature.ts';
import type { WorkLimit } from './work-limit.ts';

/** Signature checks of one search, each made once however many paths share it, and only as many as the limit allows. */
export class SignatureChecks {
  readonly #limit: WorkLimit;
  readonly #outcomes = new Map<Certificate, Map<Certificate, boolean>>();

  constructor(limit: WorkLimit) {
    this.#limit = limit;
  }

  /** False too when the limit is reached. */
  isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    const known = this.#outcomes.get(certificate)?.get(issuer);
    if (known !== undefined) return known;
    if (!this.#limit.checkSignature()) return false;
    const outcome = isSignedBy(certificate.signed, issuer.publicKey);
    const outcomes = this.#outcomes.get(certificate) ?? new Map<Certificate, boolean>();
    this.#outcomes.set(certificate, outcomes.set(issuer, outcome));
    return outcome;
  }
}
