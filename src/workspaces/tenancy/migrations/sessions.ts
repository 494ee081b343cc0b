import type { Migration } from '../../../storage/index.ts';

/** Sessions of people in a browser: each is a token, which ends when nobody has used it for a while. */
export const sessions: Migration = {
  name: '0033-sessions',
  statements: ({ text, integer, tableOptions }) => [
    // Null for a token that is no session.
    `ALTER TABLE authentication_token ADD COLUMN idle_ms ${integer}`,
    `CREATE TABLE session (
      token_id ${text} PRIMARY KEY REFERENCES authentication_token (id) ON DELETE CASCADE,
      signed_in_by ${text} NOT NULL,
      address ${text} NOT NULL,
      browser ${text} NOT NULL
    )${tableOptions}`,
  ],
};
