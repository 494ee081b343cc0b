import { type Keyring, type Queries, type SealedColumn, sql } from '../../../storage/index.ts';
import type { SigningKey } from './signing-key.ts';

/** Stored key: the public part is JSON, the private part is encrypted. */
export interface StoredKey extends SigningKey {
  readonly publicKey: string;
  readonly privateKey: Uint8Array;
}

const COLUMNS = `id, generation, public_key AS "publicKey", private_key AS "privateKey", signs_from AS "signsFrom",
  tokens_until AS "tokensUntil"`;

const selectAll = sql<Record<string, never>, StoredKey>(`SELECT ${COLUMNS} FROM identity_key ORDER BY generation`);
const insertKeyStatement = sql<{ [Column in keyof StoredKey]: StoredKey[Column] }>(
  `INSERT INTO identity_key (id, generation, public_key, private_key, signs_from, tokens_until)
   VALUES (:id, :generation, :publicKey, :privateKey, :signsFrom, :tokensUntil) ON CONFLICT (generation) DO NOTHING`,
);
const prolongKeyStatement = sql<{ id: string; until: number }>(
  'UPDATE identity_key SET tokens_until = :until WHERE id = :id AND tokens_until < :until',
);
const removeKeyStatement = sql<{ id: string }>('DELETE FROM identity_key WHERE id = :id');

/** Lists all keys, oldest first. */
export function listKeys(db: Queries): Promise<StoredKey[]> {
  return db.all(selectAll, {});
}

/** Inserts a key unless another process has created this generation. */
export async function insertKey(db: Queries, key: StoredKey): Promise<void> {
  await db.run(insertKeyStatement, { ...key });
}

/** Extends the publication of a key to the expiry of a token. */
export async function prolongKey(db: Queries, id: string, until: number): Promise<void> {
  await db.run(prolongKeyStatement, { id, until });
}

export async function removeKey(db: Queries, id: string): Promise<void> {
  await db.run(removeKeyStatement, { id });
}

const contextOf = (id: string): string => `identity-key/${id}`;

/**
 * Stores the private key encrypted.
 * @param pkcs8 private key in DER
 */
export function encryptKey(keyring: Keyring, id: string, pkcs8: Uint8Array): Uint8Array {
  return keyring.encrypt(pkcs8, contextOf(id));
}

export function decryptKey(keyring: Keyring, { id, privateKey }: StoredKey): Uint8Array {
  return keyring.decrypt(privateKey, contextOf(id));
}

export const sealedIdentityKeys: SealedColumn = {
  table: 'identity_key',
  key: ['id'],
  column: 'private_key',
  boundTo: [],
  contextOf,
};
