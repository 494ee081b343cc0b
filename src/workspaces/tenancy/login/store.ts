import { type Queries, sql } from '../../../storage/index.ts';

/** What a code stands for until it is redeemed. The code itself is kept by nobody but the command line. */
export interface LoginCode {
  /** Keyed hash of the code, in base64url. */
  readonly hash: string;
  readonly userId: string;
  /** Id of the token that the user has shown: the code is gone with it. Null: an earlier version of the server made the code. */
  readonly derivedFrom: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
  /** Of the token that the code is good for. */
  readonly description: string;
  /** Of that token, milliseconds. */
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

/** Once: whoever takes it is the only one who ever gets it. */
export function takeLoginCode(db: Queries, hash: string) {
  return db.one(deleteCode, { hash });
}

export function removeExpiredLoginCodes(db: Queries, now: number) {
  return db.run(deleteExpired, { now });
}
