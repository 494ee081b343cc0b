import type { Migration } from '../../../storage/index.ts';

/**
 * Adds users of OIDC providers, and the memberships that their groups give. A managed row is deleted when the group no
 * longer gives it.
 */
export const federation: Migration = {
  name: '0034-federation',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE federated_identity (
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (issuer, subject)
    )${tableOptions}`,
    'CREATE INDEX federated_identity_by_account ON federated_identity (account_id)',
    `ALTER TABLE team_member ADD COLUMN managed ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE organization_membership ADD COLUMN managed ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE account ADD COLUMN managed_site_admin ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX team_by_sso_team_id ON team (sso_team_id)',
  ],
};
