import { type Queries, sql } from '../../../storage/index.ts';

/** Passkey of a user. Flags are 0 or 1. */
export interface Passkey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  /** Number of uses that the authenticator reported last; 0 if it does not count. */
  readonly counter: number;
  /** Host name for which it works (RP ID). */
  readonly host: string;
  readonly name: string;
  /** Comma-separated. */
  readonly transports: string;
  readonly isSyncable: number;
  readonly isSynced: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const COLUMNS = `id, account_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey", counter, host,
  name, transports, is_syncable AS "isSyncable", is_synced AS "isSynced", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`;

const selectById = sql<{ id: string }, Passkey>(`SELECT ${COLUMNS} FROM passkey WHERE id = :id`);
const selectByCredential = sql<{ credentialId: string }, Passkey>(
  `SELECT ${COLUMNS} FROM passkey WHERE credential_id = :credentialId`,
);
const selectOfUser = sql<{ userId: string }, Passkey>(
  `SELECT ${COLUMNS} FROM passkey WHERE account_id = :userId ORDER BY id`,
);
const insertStatement = sql<{ [Column in keyof Passkey]: Passkey[Column] }>(
  `INSERT INTO passkey (id, account_id, credential_id, public_key, counter, host, name, transports, is_syncable,
     is_synced, created_at, last_used_at)
   VALUES (:id, :userId, :credentialId, :publicKey, :counter, :host, :name, :transports, :isSyncable,
     :isSynced, :createdAt, :lastUsedAt)`,
);
type Use = { id: string; before: number; counter: number; isSynced: number; now: number };
// The first of two answers with one counter finds the row, the second one does not.
const updateUse = sql<Use, { id: string }>(
  `UPDATE passkey SET counter = :counter, is_synced = :isSynced, last_used_at = :now
   WHERE id = :id AND counter = :before RETURNING id`,
);
const updateName = sql<{ id: string; name: string }>('UPDATE passkey SET name = :name WHERE id = :id');
const removeStatement = sql<{ id: string }>('DELETE FROM passkey WHERE id = :id');
const removeSessions = sql<{ id: string }>(
  'DELETE FROM authentication_token WHERE id IN (SELECT token_id FROM session WHERE passkey_id = :id)',
);
const insertAnswered = sql<{ challenge: string; expiresAt: number }, { challenge: string }>(
  `INSERT INTO answered_challenge (challenge, expires_at) VALUES (:challenge, :expiresAt)
   ON CONFLICT (challenge) DO NOTHING RETURNING challenge`,
);
const removeAnswered = sql<{ now: number }>('DELETE FROM answered_challenge WHERE expires_at <= :now');
const selectLinked = sql<{ userId: string }, { id: string }>(
  `SELECT account_id AS id FROM federated_identity WHERE account_id = :userId
   UNION ALL SELECT id FROM account WHERE id = :userId AND organization_id IS NOT NULL LIMIT 1`,
);
// Locks the account, so that two registrations count the passkeys one after the other.
const claimAccount = sql<{ userId: string }, { id: string }>(
  'UPDATE account SET username = username WHERE id = :userId AND suspended_at IS NULL RETURNING id',
);

export const findPasskey = (db: Queries, id: string) => db.one(selectById, { id });
export const findByCredential = (db: Queries, credentialId: string) => db.one(selectByCredential, { credentialId });
/** Lists the passkeys of a user, oldest first. Their number is limited. */
export const listPasskeys = (db: Queries, userId: string) => db.all(selectOfUser, { userId });
export const insertPasskey = (db: Queries, passkey: Passkey) => db.run(insertStatement, { ...passkey });
export const renamePasskey = (db: Queries, id: string, name: string) => db.run(updateName, { id, name });

/** Notes a use. Returns false if another use changed the counter meanwhile. */
export async function noteUse(db: Queries, use: Use): Promise<boolean> {
  return (await db.one(updateUse, use)) !== undefined;
}

/** Deletes a passkey and the sessions that started with it. */
export async function removePasskey(db: Queries, id: string): Promise<void> {
  await db.run(removeSessions, { id });
  await db.run(removeStatement, { id });
}

/** Marks a challenge as answered. Returns false if it was before. Deletes challenges that have expired. */
export async function answerOnce(db: Queries, challenge: string, expiresAt: number, now: number): Promise<boolean> {
  await db.run(removeAnswered, { now });
  return (await db.one(insertAnswered, { challenge, expiresAt })) !== undefined;
}

/** Returns whether an identity provider authenticates the user. */
export async function hasProvider(db: Queries, userId: string): Promise<boolean> {
  return (await db.one(selectLinked, { userId })) !== undefined;
}

/** Locks a user who is not suspended. Returns whether there is one. */
export async function claimUser(db: Queries, userId: string): Promise<boolean> {
  return (await db.one(claimAccount, { userId })) !== undefined;
}
