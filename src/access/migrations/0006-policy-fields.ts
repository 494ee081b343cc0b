import type { Migration } from '../../storage/index.ts';

/** What is known of a policy besides its text, and which versions of the program have served this database. */
export const policyFields: Migration = {
  name: '0006-policy-fields',
  statements: ({ text, integer, tableOptions }) => [
    // How often it was written: what check-and-set compares.
    `ALTER TABLE policy ADD COLUMN version ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE policy ADD COLUMN cas_required ${integer} NOT NULL DEFAULT 0`,
    // What values of templates may hold.
    `ALTER TABLE policy ADD COLUMN wildcards ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE policy ADD COLUMN slashes ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE policy ADD COLUMN expires_at ${integer}`,
    'CREATE INDEX policy_expiry ON policy (expires_at)',
    `CREATE TABLE program_version (
      version ${text} PRIMARY KEY,
      installed_at ${integer} NOT NULL
    )${tableOptions}`,
  ],
};
