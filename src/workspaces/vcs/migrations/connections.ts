import type { Migration } from '../../../storage/index.ts';

/**
 * Health of connections, refreshed OAuth tokens, GitHub Apps, and sign-ins at providers. Tokens and installations are
 * rows of queues (workspaces/delivery): `due_at` is the time of the next check. Connections of earlier versions are
 * unverified and have none, because their tokens may be dummies.
 */
export const vcsConnections: Migration = {
  name: '0064-vcs-connections',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text, blob, tableOptions }) => [
    `ALTER TABLE oauth_client ADD COLUMN entra_tenant_id ${text}`,
    `ALTER TABLE oauth_client ADD COLUMN updated_at ${integer}`,
    `ALTER TABLE oauth_client ADD COLUMN allowed_repositories ${text} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE oauth_token ADD COLUMN kind ${text} NOT NULL DEFAULT 'token'`,
    `ALTER TABLE oauth_token ADD COLUMN refresh_token ${blob}`,
    `ALTER TABLE oauth_token ADD COLUMN expires_at ${integer}`,
    ...['oauth_token', 'github_app_installation'].flatMap((table) => {
      const columns = [
        `account ${text}`,
        `scopes ${text} NOT NULL DEFAULT '[]'`,
        `status ${text} NOT NULL DEFAULT 'unverified'`,
        `status_reason ${text}`,
        `status_since ${integer}`,
        `checked_at ${integer}`,
        `target ${text} NOT NULL DEFAULT ''`,
        `due_at ${integer}`,
        `claim ${text}`,
        `claimed_until ${integer} NOT NULL DEFAULT 0`,
        `failures ${integer} NOT NULL DEFAULT 0`,
      ];
      if (table === 'oauth_token') return columns.map((column) => `ALTER TABLE oauth_token ADD COLUMN ${column}`);
      return [
        // The column secrets is encrypted JSON: private key, client secret and webhook secret.
        `CREATE TABLE github_app (
          id ${text} PRIMARY KEY,
          organization_id ${text} NOT NULL UNIQUE REFERENCES organization (id) ON DELETE CASCADE,
          http_url ${text} NOT NULL,
          api_url ${text} NOT NULL,
          app_id ${text} NOT NULL,
          client_id ${text} NOT NULL,
          slug ${text} NOT NULL,
          name ${text} NOT NULL,
          secrets ${blob} NOT NULL,
          created_at ${integer} NOT NULL
        )${tableOptions}`,
        `CREATE TABLE github_app_installation (
          id ${text} PRIMARY KEY,
          organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          github_app_id ${text} NOT NULL REFERENCES github_app (id) ON DELETE CASCADE,
          installation_id ${integer} NOT NULL,
          account_type ${text} NOT NULL,
          icon_url ${text} NOT NULL,
          installation_url ${text} NOT NULL,
          created_at ${integer} NOT NULL,
          ${columns.join(',\n          ')},
          UNIQUE (github_app_id, installation_id)
        )${tableOptions}`,
        'CREATE INDEX github_app_installation_by_organization ON github_app_installation (organization_id, id)',
      ];
    }),
    'CREATE INDEX oauth_token_due ON oauth_token (due_at) WHERE due_at IS NOT NULL',
    'CREATE INDEX github_app_installation_due ON github_app_installation (due_at) WHERE due_at IS NOT NULL',
    `ALTER TABLE workspace ADD COLUMN github_app_installation_id ${text}
       REFERENCES github_app_installation (id) ON DELETE SET NULL`,
    'CREATE INDEX workspace_by_github_app_installation ON workspace (github_app_installation_id)',

    // GitHub accounts that users proved to have. Their tokens are not stored.
    `CREATE TABLE github_app_account (
      id ${text} PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      github_app_id ${text} NOT NULL REFERENCES github_app (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (account_id, github_app_id)
    )${tableOptions}`,

    // Sign-ins at a provider that have started. The hash is that of the state; the session is a token.
    `CREATE TABLE vcs_authorization (
      hash ${text} PRIMARY KEY,
      purpose ${text} NOT NULL,
      subject_id ${text} NOT NULL,
      session_id ${text} NOT NULL REFERENCES authentication_token (id) ON DELETE CASCADE,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX vcs_authorization_by_session ON vcs_authorization (session_id)',
  ],
};
