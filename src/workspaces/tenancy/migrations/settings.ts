import type { Migration } from '../../../storage/index.ts';

/**
 * Adds settings of organizations and projects, tags of projects, invited users, and tokens of teams and organizations.
 */
export const settings: Migration = {
  name: '0004-settings',
  statements: ({ text, integer, tableOptions }) => [
    // settings is JSON with values that are only shown. Values that decide about access have columns.
    `ALTER TABLE organization ADD COLUMN settings ${text} NOT NULL DEFAULT '{}'`,
    `ALTER TABLE organization ADD COLUMN default_agent_pool_id ${text}`,
    `ALTER TABLE organization ADD COLUMN user_tokens_enabled ${integer} NOT NULL DEFAULT 1`,
    // Longest lifetime of accepted user tokens in milliseconds; null for no limit.
    `ALTER TABLE organization ADD COLUMN user_token_max_ttl ${integer}`,
    `ALTER TABLE organization ADD COLUMN service_account_id ${text}`,
    'CREATE INDEX organization_by_service_account ON organization (service_account_id)',
    // Time at which the organization was hidden and its removal started.
    `ALTER TABLE organization ADD COLUMN deleted_at ${integer}`,
    'CREATE INDEX organization_by_deletion ON organization (deleted_at)',

    // A null default mode inherits from the organization.
    `ALTER TABLE project ADD COLUMN default_execution_mode ${text}`,
    `ALTER TABLE project ADD COLUMN default_agent_pool_id ${text}`,
    `ALTER TABLE project ADD COLUMN auto_destroy_activity_duration ${text}`,
    'CREATE INDEX project_by_age ON project (organization_id, id)',

    `CREATE TABLE project_tag_binding (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      key ${text} NOT NULL,
      value ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (project_id, key)
    )${tableOptions}`,
    'CREATE INDEX project_tag_binding_by_key ON project_tag_binding (organization_id, key, project_id)',

    // Placeholder account of an invited user, without a token and with a generated name.
    `ALTER TABLE account ADD COLUMN invited ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE account ADD COLUMN unconfirmed_email ${text}`,
    'CREATE INDEX account_by_email ON account (lower(email))',
    'CREATE INDEX organization_membership_by_organization ON organization_membership (organization_id, id)',
    // Before, only teams defined who belongs to an organization.
    `INSERT INTO organization_membership (id, organization_id, account_id, email, status, created_at)
     SELECT DISTINCT 'ou-' || substr(t.organization_id, 5) || substr(a.id, 6), t.organization_id, a.id, lower(a.email),
       'active', a.created_at
     FROM team_member m JOIN team t ON t.id = m.team_id JOIN account a ON a.id = m.account_id WHERE true
     ON CONFLICT DO NOTHING`,

    // purpose separates the tokens of an organization. created_by_team is set if a team created the token.
    `ALTER TABLE authentication_token ADD COLUMN purpose ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE authentication_token ADD COLUMN created_by_team ${text}`,
    `CREATE UNIQUE INDEX authentication_token_description ON authentication_token (team_id, description)
     WHERE team_id IS NOT NULL AND only_one = 0`,

    `CREATE TABLE token_ttl_policy (
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      token_type ${text} NOT NULL,
      max_ttl ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      PRIMARY KEY (organization_id, token_type)
    )${tableOptions}`,
  ],
};
