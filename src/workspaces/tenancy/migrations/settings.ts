import type { Migration } from '../../../storage/index.ts';

/** Settings of organizations and projects, tags of projects, people who are invited, tokens of teams and organizations. */
export const settings: Migration = {
  name: '0004-settings',
  statements: ({ text, integer, tableOptions }) => [
    // settings is JSON of what is shown and no more; what decides who gets in has a column.
    `ALTER TABLE organization ADD COLUMN settings ${text} NOT NULL DEFAULT '{}'`,
    `ALTER TABLE organization ADD COLUMN default_agent_pool_id ${text}`,
    `ALTER TABLE organization ADD COLUMN user_tokens_enabled ${integer} NOT NULL DEFAULT 1`,
    // The longest life, in milliseconds, of a user's token that is taken here; null for any.
    `ALTER TABLE organization ADD COLUMN user_token_max_ttl ${integer}`,
    `ALTER TABLE organization ADD COLUMN service_account_id ${text}`,
    'CREATE INDEX organization_by_service_account ON organization (service_account_id)',
    // Since then nobody reaches it, and what belongs to it is being removed.
    `ALTER TABLE organization ADD COLUMN deleted_at ${integer}`,
    'CREATE INDEX organization_by_deletion ON organization (deleted_at)',

    // Null is what the organization says.
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

    // Somebody who was invited has an account that nobody has taken yet: no token, a name nobody chose.
    `ALTER TABLE account ADD COLUMN invited ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE account ADD COLUMN unconfirmed_email ${text}`,
    'CREATE INDEX account_by_email ON account (lower(email))',
    'CREATE INDEX organization_membership_by_organization ON organization_membership (organization_id, id)',
    // Until now only teams said who belongs to an organization.
    `INSERT INTO organization_membership (id, organization_id, account_id, email, status, created_at)
     SELECT DISTINCT 'ou-' || substr(t.organization_id, 5) || substr(a.id, 6), t.organization_id, a.id, lower(a.email),
       'active', a.created_at
     FROM team_member m JOIN team t ON t.id = m.team_id JOIN account a ON a.id = m.account_id WHERE true
     ON CONFLICT DO NOTHING`,

    // purpose tells the tokens of an organization apart. created_by_team is set where a team made the token.
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
