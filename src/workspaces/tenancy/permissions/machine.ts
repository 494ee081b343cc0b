/** A machine that came in by certificate and holds a token of the certificate method. */
export interface Machine {
  /** Where its method is mounted, without slashes around it: `cert`. */
  readonly mount: string;
  /** The role of that mount it came in by. */
  readonly role: string;
  /** Of the certificate; empty when it has none. */
  readonly commonName: string;
  /** The certificate's subject, for the log. */
  readonly subject: string;
  /** Of the certificate, as the certificate method writes it; for the log. */
  readonly serialNumber: string;
  /** SHA-256 of the certificate, in hex; empty where it is not known any more. */
  readonly fingerprint: string;
  /** Names the token without being it; for the log. */
  readonly accessor: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Names the login without being its token, for `standing`: letters, digits, `-` and `_`. */
  readonly reference: string;
}

/** Whoever issues tokens to machines. The composition root fills it in; without one, no machine gets in. */
export interface MachineAuthenticator {
  /** The machine that holds `token`; undefined when it is unknown, expired, revoked or not to be used from there. */
  authenticate(token: string, remoteAddress: string): Promise<Machine | undefined>;
  /**
   * The machine of a login that was let in before, by its reference; undefined when the token was revoked, is not to be used from
   * there, or ended by itself longer ago than LINK_GRACE_MS.
   */
  standing(reference: string, remoteAddress: string): Promise<Machine | undefined>;
}
