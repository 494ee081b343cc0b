import type { Migration } from '../../../storage/index.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = [
  '0001-people',
  '0003-access',
  '0004-settings',
  '0009-login',
  '0013-invitations',
  '0018-pool-identities',
  '0021-engines',
  '0028-site-admins',
  '0031-identity-list',
  '0033-sessions',
  '0034-federation',
  '0035-provider-sessions',
  '0036-pipeline-identities',
  '0037-scim',
  '0038-organization-providers',
  '0058-derived-tokens',
  '0089-password-policy',
  '0090-passkeys',
  '0091-invitation-links',
];

/** Creates the tables of organizations, projects, users, teams, tokens, sign-in and agent pools. */
export const baseline: Migration = {
  name: '0001-tenancy',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: '738fc395fc213cb3917c257f1ab708589f6a98fe49c5717814797d1a8c6c2acf',
    postgres: '445e0aee65256e20e0077dff7125ca734579e90246b398a2dd9d76cb61d5ff52',
  },
  statements: (types) => {
    const { text, integer, blob, tableOptions, dialect } = types;
    // References to tables of later modules, which SQLite accepts before they exist.
    const later = (constraint: string) => (dialect === 'sqlite' ? `,\n      ${constraint}` : '');
    return [
      // A token belongs to an account, a team or an organization. service marks service accounts. Placeholder account
      // of an invited user, without a token and with a generated name.
      `CREATE TABLE account (
      id ${text} PRIMARY KEY,
      username ${text} NOT NULL UNIQUE,
      email ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      service ${integer} NOT NULL DEFAULT 0,
      invited ${integer} NOT NULL DEFAULT 0,
      unconfirmed_email ${text},
      site_admin ${integer} NOT NULL DEFAULT 0,
      suspended_at ${integer},
      managed_site_admin ${integer} NOT NULL DEFAULT 0,
      organization_id ${text}
    )${tableOptions}`,
      'CREATE INDEX account_by_email ON account (lower(email))',
      'CREATE INDEX account_by_organization ON account (organization_id)',
      // workspace_count is stored, so that lists need not count. The other settings of an organization are few and are
      // read with every workspace. settings is JSON with values that are only shown. Values that decide about access
      // have columns. Longest lifetime of accepted user tokens in milliseconds; null for no limit. Time at which the
      // organization was hidden and its removal started. Whether runs were enabled when the organization was created,
      // or later. Older organizations keep their behaviour.
      `CREATE TABLE organization (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      email ${text} NOT NULL,
      default_project_id ${text} NOT NULL,
      default_execution_mode ${text} NOT NULL,
      allow_force_delete_workspaces ${integer} NOT NULL,
      workspace_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      settings ${text} NOT NULL DEFAULT '{}',
      default_agent_pool_id ${text},
      user_tokens_enabled ${integer} NOT NULL DEFAULT 1,
      user_token_max_ttl ${integer},
      service_account_id ${text},
      deleted_at ${integer},
      binding_version ${integer} NOT NULL DEFAULT 0,
      default_engine ${text} NOT NULL DEFAULT 'opentofu',
      executes ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
      'CREATE INDEX organization_by_service_account ON organization (service_account_id)',
      'CREATE INDEX organization_by_deletion ON organization (deleted_at)',
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
      `CREATE TABLE team (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      owners ${integer} NOT NULL,
      visibility ${text} NOT NULL,
      access ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      sso_team_id ${text},
      allow_member_token_management ${integer} NOT NULL DEFAULT 1,
      version ${integer} NOT NULL DEFAULT 0,
      scim_group_id ${text} REFERENCES scim_group (id) ON DELETE SET NULL,
      scim_sync_paused ${integer} NOT NULL DEFAULT 0,
      scim_updated_at ${integer},
      UNIQUE (organization_id, name)
    )${tableOptions}`,
      'CREATE INDEX team_by_sso_team_id ON team (sso_team_id)',
      'CREATE INDEX team_by_scim_group ON team (scim_group_id)',
      // If jwks_url is empty, the issuer's discovery document contains the URL of the keys. audiences and claims are
      // JSON.
      `CREATE TABLE pipeline_identity (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      description ${text} NOT NULL,
      issuer ${text} NOT NULL,
      jwks_url ${text} NOT NULL,
      audiences ${text} NOT NULL,
      claims ${text} NOT NULL,
      token_ttl ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    )${tableOptions}`,
      'CREATE INDEX pipeline_identity_by_team ON pipeline_identity (team_id, id)',
      // account_id is the owner of a user token. It is nullable, because other owners have columns of their own. Marks
      // the only token without a description of a team, and the only token of an organization. Null for a token that
      // is not derived: of a user, team, organization or pipeline, or of a single sign-on session. Idle time after
      // which a session expires; null for a token that is not a session. purpose separates the tokens of an
      // organization. created_by_team is set if a team created the token.
      `CREATE TABLE authentication_token (
      id ${text} PRIMARY KEY,
      account_id ${text} REFERENCES account (id) ON DELETE CASCADE,
      hash ${blob} NOT NULL,
      description ${text} NOT NULL,
      created_by ${text} REFERENCES account (id) ON DELETE SET NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      last_used_at ${integer},
      team_id ${text} REFERENCES team (id) ON DELETE CASCADE,
      organization_id ${text} REFERENCES organization (id) ON DELETE CASCADE,
      only_one ${integer} NOT NULL DEFAULT 0,
      purpose ${text} NOT NULL DEFAULT '',
      created_by_team ${text},
      idle_ms ${integer},
      pipeline_identity_id ${text} REFERENCES pipeline_identity (id) ON DELETE CASCADE,
      derived_from ${text} REFERENCES authentication_token (id) ON DELETE CASCADE
    )${tableOptions}`,
      'CREATE INDEX authentication_token_by_account ON authentication_token (account_id, id)',
      'CREATE INDEX authentication_token_by_team ON authentication_token (team_id, id)',
      'CREATE INDEX authentication_token_by_organization ON authentication_token (organization_id, id)',
      `CREATE UNIQUE INDEX authentication_token_description ON authentication_token (team_id, description)
     WHERE team_id IS NOT NULL AND only_one = 0`,
      'CREATE INDEX authentication_token_by_pipeline ON authentication_token (pipeline_identity_id, expires_at)',
      `CREATE INDEX authentication_token_of_scim ON authentication_token (id) WHERE purpose = 'scim'`,
      'CREATE INDEX authentication_token_by_origin ON authentication_token (derived_from)',
      `CREATE TABLE team_member (
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      managed ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (team_id, account_id)
    )${tableOptions}`,
      'CREATE INDEX team_member_by_account ON team_member (account_id, team_id)',
      // A null default mode inherits from the organization.
      `CREATE TABLE project (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      description ${text},
      workspace_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      default_execution_mode ${text},
      default_agent_pool_id ${text},
      auto_destroy_activity_duration ${text},
      UNIQUE (organization_id, name)
    )${tableOptions}`,
      'CREATE INDEX project_by_age ON project (organization_id, id)',
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
      UNIQUE (workspace_id, team_id)${later(
        `FOREIGN KEY (workspace_id, workspace_name, project_id)
           REFERENCES workspace (id, name, project_id) ON DELETE CASCADE ON UPDATE CASCADE`,
      )}
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
      managed ${integer} NOT NULL DEFAULT 0,
      UNIQUE (organization_id, email)
    )${tableOptions}`,
      'CREATE INDEX organization_membership_by_account ON organization_membership (account_id, organization_id)',
      'CREATE INDEX organization_membership_by_organization ON organization_membership (organization_id, id)',
      'CREATE INDEX organization_membership_by_email ON organization_membership (email, status)',
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
      `CREATE TABLE token_ttl_policy (
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      token_type ${text} NOT NULL,
      max_ttl ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      PRIMARY KEY (organization_id, token_type)
    )${tableOptions}`,
      `CREATE TABLE agent_pool (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      organization_scoped ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,
      `CREATE TABLE login_code (
      hash ${text} PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      challenge ${text} NOT NULL,
      redirect_uri ${text} NOT NULL,
      description ${text} NOT NULL,
      token_ttl ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      derived_from ${text} REFERENCES authentication_token (id) ON DELETE CASCADE
    )${tableOptions}`,
      'CREATE INDEX login_code_by_account ON login_code (account_id)',
      'CREATE INDEX login_code_by_end ON login_code (expires_at)',
      'CREATE INDEX login_code_by_origin ON login_code (derived_from)',
      // An empty common_name matches any certificate.
      `CREATE TABLE machine_identity (
      id ${text} PRIMARY KEY,
      team_id ${text} REFERENCES team (id) ON DELETE CASCADE,
      agent_pool_id ${text} REFERENCES agent_pool (id) ON DELETE CASCADE,
      mount ${text} NOT NULL,
      role ${text} NOT NULL,
      common_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      organization_id ${text} REFERENCES organization (id) ON DELETE CASCADE,
      last_used_at ${integer},
      UNIQUE (team_id, mount, role, common_name),
      UNIQUE (agent_pool_id, mount, role, common_name),
      CHECK ((team_id IS NULL) <> (agent_pool_id IS NULL))
    )${tableOptions}`,
      'CREATE INDEX machine_identity_by_role ON machine_identity (mount, role)',
      'CREATE INDEX machine_identity_by_organization ON machine_identity (organization_id, mount, role, id)',
      // Passkey with which a session started. Removing a passkey ends its sessions. Hash of the session id at the
      // provider. Null if there is none, or no provider. Time of the authentication; null if the provider has not
      // reported it.
      `CREATE TABLE session (
      token_id ${text} PRIMARY KEY REFERENCES authentication_token (id) ON DELETE CASCADE,
      signed_in_by ${text} NOT NULL,
      address ${text} NOT NULL,
      browser ${text} NOT NULL,
      provider_session ${text},
      authenticated_at ${integer},
      passkey_id ${text}
    )${tableOptions}`,
      'CREATE INDEX session_by_provider_session ON session (provider_session)',
      'CREATE INDEX session_by_passkey ON session (passkey_id)',
      // Directory id that an identity provider has reported for the user.
      `CREATE TABLE federated_identity (
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      directory_id ${text},
      PRIMARY KEY (issuer, subject)
    )${tableOptions}`,
      'CREATE INDEX federated_identity_by_account ON federated_identity (account_id)',
      'CREATE INDEX federated_identity_by_directory_id ON federated_identity (directory_id)',
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
      `CREATE TABLE scim_group_member (
      group_id ${text} NOT NULL REFERENCES scim_group (id) ON DELETE CASCADE,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (group_id, account_id)
    )${tableOptions}`,
      'CREATE INDEX scim_group_member_by_account ON scim_group_member (account_id)',
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
      // Nothing in it is secret: the private key stays with the authenticator. Keys and ids are in base64url.
      `CREATE TABLE passkey (
      id ${text} PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      credential_id ${text} NOT NULL UNIQUE,
      public_key ${text} NOT NULL,
      counter ${integer} NOT NULL,
      host ${text} NOT NULL,
      name ${text} NOT NULL,
      transports ${text} NOT NULL,
      is_syncable ${integer} NOT NULL,
      is_synced ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    )${tableOptions}`,
      'CREATE INDEX passkey_by_account ON passkey (account_id, id)',
      // Challenges that were answered correctly. A second answer to one is refused.
      `CREATE TABLE answered_challenge (
      challenge ${text} PRIMARY KEY,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX answered_challenge_by_end ON answered_challenge (expires_at)',
      // SHA-256 of the secret in the link, in base64url. A mailed link proves that its holder reads the mailbox.
      `CREATE TABLE invitation_link (
      hash ${text} PRIMARY KEY,
      membership_id ${text} NOT NULL REFERENCES organization_membership (id) ON DELETE CASCADE,
      mailed ${integer} NOT NULL,
      created_by ${text} REFERENCES account (id) ON DELETE SET NULL,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX invitation_link_by_membership ON invitation_link (membership_id)',
      'CREATE INDEX invitation_link_by_creator ON invitation_link (created_by)',
      'CREATE INDEX invitation_link_by_end ON invitation_link (expires_at)',
      // Emails of the last day, also those of invitations that are gone: they count for the limit.
      `CREATE TABLE invitation_mail (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      membership_id ${text} NOT NULL,
      invited_by ${text} REFERENCES account (id) ON DELETE SET NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX invitation_mail_due ON invitation_mail (due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX invitation_mail_by_organization ON invitation_mail (organization_id, created_at)',
      'CREATE INDEX invitation_mail_by_membership ON invitation_mail (membership_id)',
      'CREATE INDEX invitation_mail_by_inviter ON invitation_mail (invited_by)',
    ];
  },
};
