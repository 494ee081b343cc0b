import type { Certificate } from '../../x509/index.ts';

/** OCSP settings of a role (spec §2.2, `ocsp_*`). */
export interface OcspSettings {
  /** Responders to use instead of those of the certificate; an empty list uses those of the certificate. */
  readonly serversOverride: readonly string[];
  /**
   * Certificates that may sign responses, in addition to the issuer's. They are also trusted CAs for https responders.
   */
  readonly responderCertificates: readonly Certificate[];
  /** Allow the login if no responder can be reached, or none knows the certificate. */
  readonly failOpen: boolean;
  /** Maximum age of thisUpdate in seconds; 0 for no limit beside nextUpdate. */
  readonly thisUpdateMaxAge: number;
  readonly maxRetries: number;
  /** Every responder must return `good`, not only one. */
  readonly queryAllServers: boolean;
}
