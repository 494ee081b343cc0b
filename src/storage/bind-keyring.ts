import { type Database, sql } from './database.ts';
import { StorageError } from './errors.ts';
import type { Keyring } from './keyring.ts';
import type { Migration } from './schema/migration.ts';

/** Table with the fingerprint of the keyring that the database belongs to. */
export const keyringMigrations: readonly Migration[] = [
  {
    name: '0001-binding',
    statements: ({ text, integer, tableOptions }) => [
      `CREATE TABLE keyring_binding (
        id ${integer} PRIMARY KEY CHECK (id = 1),
        fingerprint ${text} NOT NULL
      ) ${tableOptions}`,
    ],
  },
];

const bindIfUnbound = sql<{ fingerprint: string }>(
  'INSERT INTO keyring_binding (id, fingerprint) VALUES (1, :fingerprint) ON CONFLICT (id) DO NOTHING',
);
const binding = sql<Record<string, never>, { fingerprint: string }>(
  'SELECT fingerprint FROM keyring_binding WHERE id = 1',
);

/** Returns the fingerprint of the keyring that a database is bound to; undefined if it is not bound yet. */
export async function boundFingerprint(database: Database): Promise<string | undefined> {
  return (await database.one(binding, {}))?.fingerprint;
}

/**
 * Binds a database to the first keyring that is used with it: with another one, tokens would be unknown and secrets
 * unreadable. Requires `keyringMigrations`.
 * @throws StorageError with another keyring
 */
export async function bindKeyring(database: Database, keyring: Keyring): Promise<void> {
  const { fingerprint } = keyring;
  if ((await boundFingerprint(database)) === undefined) await database.run(bindIfUnbound, { fingerprint });
  const actual = await boundFingerprint(database);
  if (actual === fingerprint) return;
  throw new StorageError(
    `this database belongs to another keyring (fingerprint ${actual}, ours is ${fingerprint}): ` +
      'restore the keyring file that it was created with. Without it the secrets in this database cannot be read',
  );
}
