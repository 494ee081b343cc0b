import type { Certificate } from '../../x509/index.ts';

/** How a role wants OCSP to be asked (spec §2.2, `ocsp_*`). */
export interface OcspSettings {
  /** In place of those that the certificate names; `[]`: none in their place. */
  readonly serversOverride: readonly string[];
  /** Trusted to answer, beside the issuer; they vouch for https responders too. */
  readonly responderCertificates: readonly Certificate[];
  /** Admit when no responder can be reached, or none knows the certificate. */
  readonly failOpen: boolean;
  /** Of thisUpdate, in seconds; 0: no limit beside nextUpdate. */
  readonly thisUpdateMaxAge: number;
  readonly maxRetries: number;
  /** Every responder has to say good, and not just one. */
  readonly queryAllServers: boolean;
}
