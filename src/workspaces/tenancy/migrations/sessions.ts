import type { Migration } from '../../../storage/index.ts';

/** Adds sessions of browsers. A session is a token that expires when it is idle for too long. */
export const sessions: Migration = {
  name: '0033-sessions',
  statements: ({ text, integer, tableOptions }) => [
    // Idle time after which a session expires; null for a token that is not a session.
    `ALTER TABLE authentication_token ADD COLUMN idle_ms ${integer}`,
    `CREATE TABLE session (
      token_id ${text} PRIMARY KEY REFERENCES authentication_token (id) ON DELETE CASCADE,
      signed_in_by ${text} NOT NULL,
      address ${text} NOT NULL,
      browser ${text} NOT NULL
    )${tableOptions}`,
  ],
};
