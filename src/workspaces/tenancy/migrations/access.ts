import type { Migration } from '../../../storage/index.ts';

/**
 * Adds team access to single projects and workspaces, memberships of organizations, and tokens of teams and
 * organizations.
 */
export const access: Migration = {
  name: '0003-access',
  statements: ({ text, integer, tableOptions }) => [
    // access is a level. custom is JSON with the details of the level `custom`. shows is 0 if the access gives outputs
    // only. A grant repeats the name and the project of its workspace, so that lists are read in order and by project.
    // The foreign key updates both when the workspace is renamed or moved.
    'CREATE UNIQUE INDEX workspace_place ON workspace (id, name, project_id)',
    `CREATE TABLE team_workspace (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL,
      workspace_name ${text} NOT NULL,
      project_id ${text} NOT NULL,
      access ${text} NOT NULL,
      custom ${text} NOT NULL,
      shows ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, team_id),
      FOREIGN KEY (workspace_id, workspace_name, project_id) REFERENCES workspace (id, name, project_id)
        ON DELETE CASCADE ON UPDATE CASCADE
    )${tableOptions}`,
    'CREATE INDEX team_workspace_by_name ON team_workspace (team_id, shows, workspace_name, workspace_id)',
    'CREATE INDEX team_workspace_by_project ON team_workspace (team_id, shows, project_id, workspace_id)',

    // project_custom is about the project itself, custom about its workspaces.
    `CREATE TABLE team_project (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      access ${text} NOT NULL,
      project_custom ${text} NOT NULL,
      custom ${text} NOT NULL,
      shows ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (project_id, team_id)
    )${tableOptions}`,
    'CREATE INDEX team_project_by_team ON team_project (team_id, shows, project_id)',

    // account_id is null while no account has the email address.
    `CREATE TABLE organization_membership (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      account_id ${text} REFERENCES account (id) ON DELETE CASCADE,
      email ${text} NOT NULL,
      status ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (organization_id, email)
    )${tableOptions}`,
    'CREATE INDEX organization_membership_by_account ON organization_membership (account_id, organization_id)',

    // A token belongs to an account, a team or an organization. service marks service accounts.
    `ALTER TABLE account ADD COLUMN service ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE authentication_token ADD COLUMN team_id ${text} REFERENCES team (id) ON DELETE CASCADE`,
    `ALTER TABLE authentication_token ADD COLUMN organization_id ${text} REFERENCES organization (id) ON DELETE CASCADE`,
    // Marks the only token without a description of a team, and the only token of an organization.
    `ALTER TABLE authentication_token ADD COLUMN only_one ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX authentication_token_by_team ON authentication_token (team_id, id)',
    'CREATE INDEX authentication_token_by_organization ON authentication_token (organization_id, id)',

    `ALTER TABLE team ADD COLUMN sso_team_id ${text}`,
    `ALTER TABLE team ADD COLUMN allow_member_token_management ${integer} NOT NULL DEFAULT 1`,
  ],
};
