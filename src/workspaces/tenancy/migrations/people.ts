import type { Migration } from '../../../storage/index.ts';

/**
 * Creates users, organizations, teams and machine identities. The table of users is `account`, because `user` is a
 * reserved word in PostgreSQL.
 */
export const people: Migration = {
  name: '0001-people',
  statements: ({ text, integer, blob, tableOptions }) => [
    `CREATE TABLE account (
      id ${text} PRIMARY KEY,
      username ${text} NOT NULL UNIQUE,
      email ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,

    // account_id is the owner of a user token. It is nullable, because other owners have columns of their own.
    `CREATE TABLE authentication_token (
      id ${text} PRIMARY KEY,
      account_id ${text} REFERENCES account (id) ON DELETE CASCADE,
      hash ${blob} NOT NULL,
      description ${text} NOT NULL,
      created_by ${text} REFERENCES account (id) ON DELETE SET NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      last_used_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX authentication_token_by_account ON authentication_token (account_id, id)',

    // workspace_count is stored, so that lists need not count. The other settings of an organization are few and are
    // read with every workspace.
    `CREATE TABLE organization (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      email ${text} NOT NULL,
      default_project_id ${text} NOT NULL,
      default_execution_mode ${text} NOT NULL,
      allow_force_delete_workspaces ${integer} NOT NULL,
      workspace_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE team (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      owners ${integer} NOT NULL,
      visibility ${text} NOT NULL,
      access ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,

    `CREATE TABLE team_member (
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (team_id, account_id)
    )${tableOptions}`,
    'CREATE INDEX team_member_by_account ON team_member (account_id, team_id)',

    // An empty common_name matches any certificate.
    `CREATE TABLE machine_identity (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      mount ${text} NOT NULL,
      role ${text} NOT NULL,
      common_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (team_id, mount, role, common_name)
    )${tableOptions}`,
    'CREATE INDEX machine_identity_by_role ON machine_identity (mount, role)',
  ],
};
