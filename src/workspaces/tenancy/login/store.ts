import { type Queries, sql } from '../../../storage/index.ts';

/**
 * Login that an authorization code stands for until it is exchanged. Only the client (`tofu` or `terraform`) has the
 * code itself.
 */
export interface LoginCode {
  /** Keyed hash of the code, in base64url. */
  readonly hash: string;
  readonly userId: string;
  /**
   * Id of the token with which the user authenticated: deleting the token deletes the code. Null if an earlier version
   * of the server created the code.
   */
  readonly derivedFrom: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
  /** Description of the token that the code is exchanged for. */
  readonly description: string;
  /** Lifetime of that token in milliseconds. */
  readonly tokenTtl: number;
  readonly expiresAt: number;
}

const insertCode = sql<{ [Column in keyof LoginCode]: LoginCode[Column] }>(
  `INSERT INTO login_code (hash, account_id, derived_from, challenge, redirect_uri, description, token_ttl, expires_at)
   VALUES (:hash, :userId, :derivedFrom, :challenge, :redirectUri, :description, :tokenTtl, :expiresAt)`,
);
const deleteCode = sql<{ hash: string }, LoginCode>(
  `DELETE FROM login_code WHERE hash = :hash
   RETURNING hash, account_id AS "userId", derived_from AS "derivedFrom", challenge, redirect_uri AS "redirectUri", description,
     token_ttl AS "tokenTtl", expires_at AS "expiresAt"`,
);
const deleteExpired = sql<{ now: number }>('DELETE FROM login_code WHERE expires_at <= :now');

export function insertLoginCode(db: Queries, code: LoginCode) {
  return db.run(insertCode, { ...code });
}

/** Deletes and returns the code in one statement, so that it can be exchanged only once. */
export function takeLoginCode(db: Queries, hash: string) {
  return db.one(deleteCode, { hash });
}

export function removeExpiredLoginCodes(db: Queries, now: number) {
  return db.run(deleteExpired, { now });
}
