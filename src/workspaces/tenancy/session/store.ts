import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';

/** Way in which a user signed in. */
export type SignedInBy = 'token' | 'oidc' | 'passkey';

/** Session of a user at the identity provider. */
export interface ProviderSession {
  /** Hash of the session id at the provider. Null if it has none. */
  readonly providerSession: string | null;
  /** Time of the authentication at the provider. Null if the provider has not reported it. */
  readonly authenticatedAt: number | null;
}

/** Origin of a session. */
export interface Origin {
  readonly signedInBy: SignedInBy;
  /** IP address of the browser, or of the proxy in front of it. */
  readonly address: string;
  /** User agent of the browser. */
  readonly browser: string;
}

/** Session of a user in a browser. */
export interface Session extends Origin {
  /** Id of the token that is the session. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  /** Time of the last use, to the minute. */
  readonly lastUsedAt: number;
  /** Idle time after which the session expires. */
  readonly idleMs: number;
  readonly expiresAt: number;
}

const LAST_USE = 'COALESCE(k.last_used_at, k.created_at)';
const COLUMNS = `k.id, k.account_id AS "userId", s.signed_in_by AS "signedInBy", s.address, s.browser,
  k.created_at AS "createdAt", ${LAST_USE} AS "lastUsedAt", k.idle_ms AS "idleMs", k.expires_at AS "expiresAt"`;
const FROM = 'session s JOIN authentication_token k ON k.id = s.token_id';
const IS_OPEN = `k.expires_at > :now AND ${LAST_USE} + k.idle_ms > :now`;

const selectById = sql<{ id: string; now: number }, Session>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.id = :id AND ${IS_OPEN}`,
);
const selectProof = sql<{ id: string }, Pick<Session, 'signedInBy'> & Pick<ProviderSession, 'authenticatedAt'>>(
  'SELECT signed_in_by AS "signedInBy", authenticated_at AS "authenticatedAt" FROM session WHERE token_id = :id',
);
const selectStart = sql<{ id: string }, { startedAt: number }>(
  `SELECT k.created_at AS "startedAt" FROM ${FROM} WHERE k.id = :id`,
);
type OfUser = { userId: string; now: number; size: number; offset: number };
const selectOfUser = sql<OfUser, Session>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.account_id = :userId AND ${IS_OPEN}
   ORDER BY k.created_at DESC, k.id DESC LIMIT :size OFFSET :offset`,
);
const countOfUser = sql<{ userId: string; now: number }, { count: number }>(
  `SELECT COUNT(*) AS count FROM ${FROM} WHERE k.account_id = :userId AND ${IS_OPEN}`,
);
type NewSession = Origin & ProviderSession & { readonly id: string; readonly passkeyId: string | null };
const insertSessionStatement = sql<{ [Column in keyof NewSession]: NewSession[Column] }>(
  `INSERT INTO session (token_id, signed_in_by, address, browser, provider_session, authenticated_at, passkey_id)
   VALUES (:id, :signedInBy, :address, :browser, :providerSession, :authenticatedAt, :passkeyId)`,
);
const selectToken = sql<{ id: string }, { expiresAt: number | null }>(
  'SELECT expires_at AS "expiresAt" FROM authentication_token WHERE id = :id',
);
const markSession = sql<{ id: string; idleMs: number; derivedFrom: string | null }>(
  'UPDATE authentication_token SET idle_ms = :idleMs, derived_from = :derivedFrom WHERE id = :id',
);
const OF_USER = 'account_id = :userId AND idle_ms IS NOT NULL';
const removeEnded = sql<{ userId: string; until: number }>(
  `DELETE FROM authentication_token WHERE ${OF_USER}
   AND (expires_at <= :until OR COALESCE(last_used_at, created_at) + idle_ms <= :until)`,
);
const removeOldest = sql<{ userId: string; most: number }>(
  `DELETE FROM authentication_token WHERE id IN (SELECT id FROM authentication_token WHERE ${OF_USER}
   ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET :most)`,
);
const removeOne = sql<{ id: string }>('DELETE FROM authentication_token WHERE id = :id AND idle_ms IS NOT NULL');
const removeAll = sql<{ userId: string; except: string }>(
  `DELETE FROM authentication_token WHERE ${OF_USER} AND id <> :except`,
);

const ENDED = 'DELETE FROM authentication_token WHERE id IN (SELECT s.token_id FROM session s';
const OF_TOKEN = `JOIN authentication_token k ON k.id = s.token_id WHERE s.signed_in_by = 'oidc' AND k.account_id = :userId`;
const WHICH = 'RETURNING id, account_id AS "userId"';
type Ended = { id: string; userId: string };
const endNamed = sql<{ name: string }, Ended>(`${ENDED} WHERE s.provider_session = :name) ${WHICH}`);
const endProviders = sql<{ userId: string }, Ended>(`${ENDED} ${OF_TOKEN}) ${WHICH}`);
// The statement also ends sessions without a provider session id, because each of them could be the reported one.
const endNamedOf = sql<{ userId: string; name: string }, Ended>(
  `${ENDED} ${OF_TOKEN} AND (s.provider_session = :name OR s.provider_session IS NULL)) ${WHICH}`,
);

/** Finds a session that is not over. */
export function findSession(db: Queries, id: string, now: number) {
  return db.one(selectById, { id, now });
}

/**
 * Returns how and when the user authenticated, even if the session is over. Returns undefined if the token is not a
 * session.
 */
export function proofOf(db: Queries, id: string) {
  return db.one(selectProof, { id });
}

/** Returns when the user signed in. Returns undefined if the token is not a session. */
export async function startOf(db: Queries, id: string): Promise<number | undefined> {
  return (await db.one(selectStart, { id }))?.startedAt;
}

/** Lists sessions, latest first. */
export async function listSessionsOfUser(db: Queries, userId: string, now: number, { size, offset }: Page) {
  const items = await db.all(selectOfUser, { userId, now, size, offset });
  return { items, total: (await db.one(countOfUser, { userId, now }))?.count ?? 0 };
}

/** Returns the expiry of a token of any kind; undefined for a deleted token. */
export function findTokenExpiry(db: Queries, id: string) {
  return db.one(selectToken, { id });
}

/**
 * Marks a token as a session.
 * @param derivedFrom id of the token that the session ends with; null for none
 */
export async function insertSession(
  db: Queries,
  { idleMs, derivedFrom, ...session }: NewSession & { readonly idleMs: number; readonly derivedFrom: string | null },
): Promise<void> {
  await db.run(markSession, { id: session.id, idleMs, derivedFrom });
  await db.run(insertSessionStatement, { ...session });
}

/** Deletes sessions that were over at `now`, and the oldest ones beyond the limit. */
export async function removeExpiredSessions(db: Queries, userId: string, until: number, most: number): Promise<void> {
  await db.run(removeEnded, { userId, until });
  await db.run(removeOldest, { userId, most });
}

export function removeSession(db: Queries, id: string) {
  return db.run(removeOne, { id });
}

/**
 * Deletes the sessions of a user.
 * @param except session that stays, or ''
 */
export function removeSessionsOfUser(db: Queries, userId: string, except: string) {
  return db.run(removeAll, { userId, except });
}

/**
 * Ends sessions that the identity provider started: with a provider session id, of a user, or of both.
 * @returns the sessions that ended
 */
export function endProvidersSessions(db: Queries, userId: string | undefined, name: string | undefined) {
  if (userId === undefined) return name === undefined ? [] : db.all(endNamed, { name });
  return name === undefined ? db.all(endProviders, { userId }) : db.all(endNamedOf, { userId, name });
}
