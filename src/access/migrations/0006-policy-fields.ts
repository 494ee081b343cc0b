import type { Migration } from '../../storage/index.ts';

/** Further fields of policies, and the server versions that have used this database. */
export const policyFields: Migration = {
  name: '0006-policy-fields',
  statements: ({ text, integer, tableOptions }) => [
    // Number of writes, which check-and-set compares.
    `ALTER TABLE policy ADD COLUMN version ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE policy ADD COLUMN cas_required ${integer} NOT NULL DEFAULT 0`,
    // Characters that values of templates may contain.
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
