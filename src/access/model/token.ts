/** The certificate a token was given for: what its renewal is bound to, and what the audit record shows. */
export interface TokenCertificate {
  readonly role: string;
  /** Stands for whoever holds the certificate, within the mount. */
  readonly aliasName: string;
  /** SHA-256 of the whole DER, in hex. */
  readonly fingerprint: string;
  readonly commonName: string;
  readonly subject: string;
  /** Decimal. */
  readonly serialNumber: string;
}

/** A token without its secret. Times are milliseconds, lengths of time are seconds. */
export interface Token {
  readonly id: string;
  /** A service token is stored; a batch token is its own record, sealed, and can be neither renewed nor revoked. */
  readonly type: 'service' | 'batch';
  /** Names the token without being one: for looking up and revoking. Empty for a batch token. */
  readonly accessor: string;
  /** Where it came from: `auth/cert/login`. */
  readonly path: string;
  readonly displayName: string;
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly boundCidrs: readonly string[];
  /** It has no parent. */
  readonly orphan: boolean;
  /** The id of the token that this one was created by: it lives no longer than that, nor than any ancestor. */
  readonly parentId: string | null;
  /** Whom it stands for. */
  readonly entityId: string | null;
  /** The token role that it was created by (`auth/token/create/<role>`). */
  readonly role: string | null;
  readonly period: number;
  readonly explicitMaxTtl: number;
  /** Null: no limit. The last use leaves 0. */
  readonly usesLeft: number | null;
  /** What was asked for: see `isRenewable`. */
  readonly renewable: boolean;
  readonly creationTtl: number;
  readonly createdAt: number;
  readonly renewedAt: number | null;
  /** Null for a root token without an end: it cannot be renewed either. */
  readonly expiresAt: number | null;
  readonly mountId: string | null;
  readonly certificate: TokenCertificate | null;
}

/** Whether it has an end and may be given more time. */
export const isRenewable = ({ type, renewable, expiresAt }: Token): boolean =>
  type === 'service' && renewable && expiresAt !== null;

/** Whole seconds left; 0 for a token that never expires. */
export function secondsLeft(token: Token, now: number): number {
  return token.expiresAt === null ? 0 : Math.max(0, Math.floor((token.expiresAt - now) / 1000));
}
