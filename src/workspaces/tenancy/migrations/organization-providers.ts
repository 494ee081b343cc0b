import type { Migration } from '../../../storage/index.ts';

/**
 * Adds identity providers of single organizations, and their users. An account that such a provider has created
 * belongs to its organization for ever, even if the organization is deleted: its column is therefore not a foreign
 * key.
 */
export const organizationProviders: Migration = {
  name: '0038-organization-providers',
  statements: ({ text, integer, blob, tableOptions }) => [
    // settings is JSON. revision changes with every update.
    `CREATE TABLE sign_in_provider (
      organization_id ${text} PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
      revision ${text} NOT NULL,
      settings ${text} NOT NULL,
      client_secret ${blob},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE TABLE organization_identity (
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (organization_id, issuer, subject)
    )${tableOptions}`,
    'CREATE INDEX organization_identity_by_account ON organization_identity (account_id)',
    `ALTER TABLE account ADD COLUMN organization_id ${text}`,
    'CREATE INDEX account_by_organization ON account (organization_id)',
  ],
};
