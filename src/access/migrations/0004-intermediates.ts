import type { Migration } from '../../storage/index.ts';

/** Intermediates that were part of a valid path to a role's CA. Public certificates, shared by all nodes. */
export const intermediates: Migration = {
  name: '0004-intermediates',
  statements: ({ text, integer, blob, tableOptions }) => [
    // Change counter, read with the mount at every login.
    `ALTER TABLE mount ADD COLUMN intermediates ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE intermediate (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      fingerprint ${text} NOT NULL,
      version ${integer} NOT NULL,
      certificate ${blob} NOT NULL,
      expires_at ${integer} NOT NULL,
      used_at ${integer} NOT NULL,
      PRIMARY KEY (mount_id, fingerprint)
    )${tableOptions}`,
  ],
};
