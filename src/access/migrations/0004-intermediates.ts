import type { Migration } from '../../storage/index.ts';

/** Intermediates that were part of a valid path to the authority of a role: public certificates, known to every node. */
export const intermediates: Migration = {
  name: '0004-intermediates',
  statements: ({ text, integer, blob, tableOptions }) => [
    // How often they have changed: read with the mount at every login.
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
