import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';

/** How somebody signed in. */
export type SignedInBy = 'token' | 'oidc';

/** From where a session was begun. */
export interface Origin {
  readonly signedInBy: SignedInBy;
  /** Of the browser, or of the proxy that speaks for it. */
  readonly address: string;
  /** As it calls itself. */
  readonly browser: string;
}

/** Somebody signed in with a browser. */
export interface Session extends Origin {
  /** Of the token that it holds. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number;
  /** It ends when it was not used for so long. */
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
type OfUser = { userId: string; now: number; size: number; offset: number };
const selectOfUser = sql<OfUser, Session>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE k.account_id = :userId AND ${IS_OPEN}
   ORDER BY k.created_at DESC, k.id DESC LIMIT :size OFFSET :offset`,
);
const countOfUser = sql<{ userId: string; now: number }, { count: number }>(
  `SELECT COUNT(*) AS count FROM ${FROM} WHERE k.account_id = :userId AND ${IS_OPEN}`,
);
type NewSession = Origin & { readonly id: string };
const insertSession = sql<{ [Column in keyof NewSession]: NewSession[Column] }>(
  'INSERT INTO session (token_id, signed_in_by, address, browser) VALUES (:id, :signedInBy, :address, :browser)',
);
const updateIdle = sql<{ id: string; idleMs: number }>(
  'UPDATE authentication_token SET idle_ms = :idleMs WHERE id = :id',
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

/** One that is over is none. */
export function byId(db: Queries, id: string, now: number) {
  return db.one(selectById, { id, now });
}

/** The latest first. */
export async function ofUser(db: Queries, userId: string, now: number, { size, offset }: Page) {
  const items = await db.all(selectOfUser, { userId, now, size, offset });
  return { items, total: (await db.one(countOfUser, { userId, now }))?.count ?? 0 };
}

/** Makes a session of a token. */
export async function insert(db: Queries, id: string, idleMs: number, origin: Origin): Promise<void> {
  await db.run(updateIdle, { id, idleMs });
  await db.run(insertSession, { id, ...origin });
}

/** Those that were over by then, and the oldest beyond so many. */
export async function tidy(db: Queries, userId: string, until: number, most: number): Promise<void> {
  await db.run(removeEnded, { userId, until });
  await db.run(removeOldest, { userId, most });
}

export function remove(db: Queries, id: string) {
  return db.run(removeOne, { id });
}

/** @param except one that stays, or '' */
export function removeOfUser(db: Queries, userId: string, except: string) {
  return db.run(removeAll, { userId, except });
}
