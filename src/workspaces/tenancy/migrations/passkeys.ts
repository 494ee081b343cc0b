import type { Migration } from '../../../storage/index.ts';

/** Adds passkeys (WebAuthn) of users. */
export const passkeys: Migration = {
  name: '0090-passkeys',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // Nothing in it is secret: the private key stays with the authenticator. Keys and ids are in base64url.
    `CREATE TABLE passkey (
      id ${text} PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      credential_id ${text} NOT NULL UNIQUE,
      public_key ${text} NOT NULL,
      counter ${integer} NOT NULL,
      host ${text} NOT NULL,
      name ${text} NOT NULL,
      transports ${text} NOT NULL,
      is_syncable ${integer} NOT NULL,
      is_synced ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX passkey_by_account ON passkey (account_id, id)',
    // Challenges that were answered correctly. A second answer to one is refused.
    `CREATE TABLE answered_challenge (
      challenge ${text} PRIMARY KEY,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX answered_challenge_by_end ON answered_challenge (expires_at)',
    // Passkey with which a session started. Removing a passkey ends its sessions.
    `ALTER TABLE session ADD COLUMN passkey_id ${text}`,
    'CREATE INDEX session_by_passkey ON session (passkey_id)',
  ],
};
