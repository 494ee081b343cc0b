import type { Migration } from '../../../storage/index.ts';

/** Adds users and groups of a SCIM directory (RFC 7643). */
export const scim: Migration = {
  name: '0037-scim',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE scim_setting (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      enabled ${integer} NOT NULL,
      paused ${integer} NOT NULL,
      site_admin_group_id ${text}
    )${tableOptions}`,
    // resource is JSON as the directory sent it. user_name is in lower case. Deleted users are kept, because the
    // directory may restore them. suspended_at is the account's time if the directory has suspended it. adopted is 1
    // if the account existed before.
    `CREATE TABLE scim_user (
      account_id ${text} PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      user_name ${text} NOT NULL,
      external_id ${text},
      resource ${text} NOT NULL,
      active ${integer} NOT NULL,
      deleted ${integer} NOT NULL,
      suspended_at ${integer},
      adopted ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE UNIQUE INDEX scim_user_by_name ON scim_user (user_name)',
    'CREATE INDEX scim_user_by_external_id ON scim_user (external_id)',
    'CREATE UNIQUE INDEX scim_user_of_external_id ON scim_user (external_id) WHERE deleted = 0',
    'CREATE INDEX scim_user_in_order ON scim_user (deleted, created_at, account_id)',
    // Directory id that an identity provider has reported for the user.
    `ALTER TABLE federated_identity ADD COLUMN directory_id ${text}`,
    'CREATE INDEX federated_identity_by_directory_id ON federated_identity (directory_id)',
    `CREATE TABLE scim_group (
      id ${text} PRIMARY KEY,
      display_name ${text} NOT NULL,
      folded_name ${text} NOT NULL,
      external_id ${text},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE UNIQUE INDEX scim_group_by_name ON scim_group (folded_name)',
    'CREATE INDEX scim_group_by_external_id ON scim_group (external_id)',
    `CREATE TABLE scim_group_member (
      group_id ${text} NOT NULL REFERENCES scim_group (id) ON DELETE CASCADE,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (group_id, account_id)
    )${tableOptions}`,
    'CREATE INDEX scim_group_member_by_account ON scim_group_member (account_id)',
    `ALTER TABLE team ADD COLUMN scim_group_id ${text} REFERENCES scim_group (id) ON DELETE SET NULL`,
    `ALTER TABLE team ADD COLUMN scim_sync_paused ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE team ADD COLUMN scim_updated_at ${integer}`,
    `CREATE INDEX authentication_token_of_scim ON authentication_token (id) WHERE purpose = 'scim'`,
    'CREATE INDEX team_by_scim_group ON team (scim_group_id)',
  ],
};
