/** Machine that logged in with a certificate and holds a token of the cert auth method. */
export interface Machine {
  /** Path of the mount, without leading or trailing slash: `cert`. */
  readonly mount: string;
  /** Role of the mount that the machine logged in with. */
  readonly role: string;
  /** Common name of the certificate. Empty if it has none. */
  readonly commonName: string;
  /** Subject of the certificate, for the log. */
  readonly subject: string;
  /** Serial number of the certificate in the format of the cert auth method, for the log. */
  readonly serialNumber: string;
  /** SHA-256 of the certificate in hex. Empty if it is no longer known. */
  readonly fingerprint: string;
  /** Accessor of the token, for the log. It does not authenticate. */
  readonly accessor: string;
  /** Expiry of the token, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Reference to the login that is not its token, for `standing`. Characters: letters, digits, `-` and `_`. */
  readonly reference: string;
}

/** Authenticates machines by their tokens. The composition root sets it; without it machines cannot log in. */
export interface MachineAuthenticator {
  /**
   * Returns the machine that holds `token`. Returns undefined if the token is unknown, expired, revoked or not allowed
   * from this IP address.
   */
  authenticate(token: string, remoteAddress: string): Promise<Machine | undefined>;
  /**
   * Returns the machine of an earlier login by its reference. Returns undefined if the token was revoked, is not
   * allowed from this IP address, or expired more than LINK_GRACE_MS ago.
   */
  standing(reference: string, remoteAddress: string): Promise<Machine | undefined>;
}
