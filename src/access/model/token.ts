/** The certificate that a token was issued for. Renewals are bound to it, and the audit log contains it. */
export interface TokenCertificate {
  readonly role: string;
  /** Name of the client's alias at the mount. */
  readonly aliasName: string;
  /** SHA-256 of the DER, in hex. */
  readonly fingerprint: string;
  readonly commonName: string;
  readonly subject: string;
  /** Serial number of the certificate, decimal. */
  readonly serialNumber: string;
}

/** A token without its secret. Times are milliseconds since 1970, durations are seconds. */
export interface Token {
  readonly id: string;
  /**
   * A service token is stored. A batch token contains its own data, encrypted, and can be neither renewed nor revoked.
   */
  readonly type: 'service' | 'batch';
  /** Identifies the token in lookups and revocations without being its secret. Empty for a batch token. */
  readonly accessor: string;
  /** Path that issued the token, such as `auth/cert/login`. */
  readonly path: string;
  readonly displayName: string;
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly boundCidrs: readonly string[];
  /** Whether the token has no parent. */
  readonly orphan: boolean;
  /** Id of the token that created this one. The token lives no longer than any of its ancestors. */
  readonly parentId: string | null;
  /** The entity of the token. */
  readonly entityId: string | null;
  /** The token role that created the token (`auth/token/create/<role>`). */
  readonly role: string | null;
  readonly period: number;
  readonly explicitMaxTtl: number;
  /** Remaining uses. Null: no limit. 0 after the last use. */
  readonly usesLeft: number | null;
  /** Whether the token was requested as renewable; see `isRenewable`. */
  readonly renewable: boolean;
  readonly creationTtl: number;
  readonly createdAt: number;
  readonly renewedAt: number | null;
  /** Null for a root token that never expires. It cannot be renewed either. */
  readonly expiresAt: number | null;
  readonly mountId: string | null;
  readonly certificate: TokenCertificate | null;
}

/** Returns whether the token expires and can be renewed. */
export const isRenewable = ({ type, renewable, expiresAt }: Token): boolean =>
  type === 'service' && renewable && expiresAt !== null;

/** Returns the remaining lifetime in whole seconds. 0 for a token that never expires. */
export function secondsLeft(token: Token, now: number): number {
  return token.expiresAt === null ? 0 : Math.max(0, Math.floor((token.expiresAt - now) / 1000));
}
