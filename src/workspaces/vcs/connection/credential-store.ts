import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { ServiceProvider } from './connection.ts';

/** Secrets of a token, encrypted. */
export interface StoredToken {
  /** `oauth`: of a sign-in at the provider. `token`: a user entered it. */
  readonly kind: 'token' | 'oauth';
  readonly token: Uint8Array;
  readonly refreshToken: Uint8Array | null;
  /** Milliseconds since 1970; null if it does not expire. */
  readonly expiresAt: number | null;
}

type TokenColumns = { [Column in keyof StoredToken]: StoredToken[Column] };

const COLUMNS = `kind, token, refresh_token AS "refreshToken", expires_at AS "expiresAt"`;
const selectSecrets = sql<{ id: string }, StoredToken>(`SELECT ${COLUMNS} FROM oauth_token WHERE id = :id`);
const claimRow = sql<{ id: string; claim: string; now: number; until: number }, StoredToken>(
  `UPDATE oauth_token SET claim = :claim, claimed_until = :until
   WHERE id = :id AND claimed_until <= :now RETURNING ${COLUMNS}`,
);
const releaseRow = sql<{ id: string; claim: string }>(
  'UPDATE oauth_token SET claim = NULL, claimed_until = 0 WHERE id = :id AND claim = :claim',
);
const replace = sql<TokenColumns & { id: string; claim: string }, { id: string }>(
  `UPDATE oauth_token SET kind = :kind, token = :token, refresh_token = :refreshToken, expires_at = :expiresAt
   WHERE id = :id AND claim = :claim RETURNING id`,
);
const overwrite = sql<TokenColumns & { id: string; dueAt: number }>(
  `UPDATE oauth_token SET kind = :kind, token = :token, refresh_token = :refreshToken, expires_at = :expiresAt,
     claim = NULL, claimed_until = 0, failures = 0, due_at = :dueAt
   WHERE id = :id`,
);

interface App {
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly serviceProvider: ServiceProvider;
  readonly agentPoolId: string | null;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly clientId: string;
  readonly secrets: Uint8Array;
}
const selectApp = sql<{ id: string }, App>(
  `SELECT c.http_url AS "httpUrl", c.api_url AS "apiUrl", c.service_provider AS "serviceProvider",
     c.agent_pool_id AS "agentPoolId", c.consumer_key AS key, c.entra_tenant_id AS tenant, c.id AS "clientId", c.secrets
   FROM oauth_token t JOIN oauth_client c ON c.id = t.oauth_client_id WHERE t.id = :id`,
);

export function findStoredToken(db: Queries, id: string) {
  return db.one(selectSecrets, { id });
}

/** Claims a token for its refresh, like a queue does. Returns undefined while another process has it. */
export function claimToken(db: Queries, id: string, lease: { claim: string; now: number; until: number }) {
  return db.one(claimRow, { id, ...lease });
}

export function releaseToken(db: Queries, id: string, claim: string) {
  return db.run(releaseRow, { id, claim });
}

/** Stores a refreshed token. Returns false if the claim was lost, because a user has changed the token meanwhile. */
export async function replaceToken(db: Queries, id: string, claim: string, token: StoredToken): Promise<boolean> {
  return (await db.one(replace, { id, claim, ...token })) !== undefined;
}

/** Stores another token of a user, ends claims and lets it be checked at `dueAt`. */
export function overwriteToken(tx: Transaction, id: string, token: StoredToken, dueAt: number) {
  return tx.run(overwrite, { id, dueAt, ...token });
}

/** Returns the OAuth application of a token, with encrypted secrets. */
export function findAppOf(db: Queries, tokenId: string) {
  return db.one(selectApp, { id: tokenId });
}
