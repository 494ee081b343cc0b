import { type Migration, releasing } from '../../../storage/index.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = ['0063-vcs', '0064-vcs-connections', '0067-vcs-reports', '0068-fork-approvals', '0070-vcs-webhooks'];

/** Creates the tables of repositories, events, reports and webhooks. */
export const baseline: Migration = {
  name: '0005-vcs',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: '067d120a3affe1448122a671c7fcf71486ecc199332604ee69c18a8d2cb34fc3',
    postgres: '47eb2ac2944f54d28309d63865af05c88fdd4fa3cd2515629f7980bf70a4e5a8',
  },
  statements: (types) => {
    const { text, integer, blob, tableOptions, dialect } = types;
    return [
      // Rows of two queues (workspaces/delivery): due_at of a repository is the time of its next look-up of refs. A
      // request for a look-up counts in wakes, so that one that comes during a look-up is not lost.
      `CREATE TABLE vcs_repository (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      connection_id ${text} NOT NULL,
      oauth_token_id ${text} REFERENCES oauth_token (id) ON DELETE CASCADE,
      provider_id ${text} NOT NULL,
      identifier ${text} NOT NULL,
      display_identifier ${text} NOT NULL,
      http_url ${text} NOT NULL,
      git_url ${text} NOT NULL,
      default_branch ${text},
      is_private ${integer} NOT NULL,
      health ${text} NOT NULL,
      health_reason ${text},
      health_since ${integer} NOT NULL,
      looked_at ${integer},
      described_at ${integer} NOT NULL,
      pulls_etag ${text},
      wakes ${integer} NOT NULL DEFAULT 0,
      created_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0,
      UNIQUE (connection_id, provider_id)
    )${tableOptions}`,
      'CREATE INDEX vcs_repository_by_token ON vcs_repository (oauth_token_id)',
      'CREATE INDEX vcs_repository_by_organization ON vcs_repository (organization_id, identifier)',
      'CREATE INDEX vcs_repository_due ON vcs_repository (due_at) WHERE due_at IS NOT NULL',
      // Which repository a workspace follows. Without repository_id the identifier has not been looked up yet. The
      // branch is NULL for the default branch. first_run is 1 until a run of its newest commit was considered. The id
      // is that of the workspace.
      `CREATE TABLE vcs_workspace (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL UNIQUE REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      connection_id ${text} NOT NULL,
      identifier ${text} NOT NULL,
      branch ${text},
      follows_tags ${integer} NOT NULL,
      first_run ${integer} NOT NULL,
      repository_id ${text} REFERENCES vcs_repository (id) ON DELETE SET NULL,
      problem ${text},
      linked_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
      'CREATE INDEX vcs_workspace_by_repository ON vcs_workspace (repository_id, workspace_id)',
      'CREATE INDEX vcs_workspace_by_connection ON vcs_workspace (connection_id, identifier)',
      'CREATE INDEX vcs_workspace_due ON vcs_workspace (due_at) WHERE due_at IS NOT NULL',
      // Branches that a workspace follows, and tags, as they were at the last look-up. An empty commit: there was
      // none.
      `CREATE TABLE vcs_ref (
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      commit_id ${text} NOT NULL,
      PRIMARY KEY (repository_id, name)
    )${tableOptions}`,
      `CREATE TABLE vcs_pull (
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      number ${integer} NOT NULL,
      state ${text} NOT NULL,
      head_id ${text} NOT NULL,
      head_ref ${text} NOT NULL,
      base_ref ${text} NOT NULL,
      is_fork ${integer} NOT NULL,
      is_draft ${integer} NOT NULL,
      changed_at ${integer} NOT NULL,
      PRIMARY KEY (repository_id, number)
    )${tableOptions}`,
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
      // One hook for each repository. The key is the last part of its URL. The one webhook of an App, for all
      // repositories of its installations.
      `CREATE TABLE vcs_hook (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id ${text} UNIQUE REFERENCES vcs_repository (id) ON DELETE CASCADE,
      service_provider ${text} NOT NULL,
      key ${text} NOT NULL UNIQUE,
      secret ${blob} NOT NULL,
      provider_hook_id ${text},
      state ${text} NOT NULL,
      problem ${text},
      tried_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_delivery_at ${integer},
      github_app_id ${text} REFERENCES github_app (id) ON DELETE CASCADE
    )${tableOptions}`,
      'CREATE INDEX vcs_hook_by_github_app ON vcs_hook (github_app_id)',
      `CREATE TABLE vcs_delivery (
      id ${text} PRIMARY KEY,
      hook_id ${text} NOT NULL REFERENCES vcs_hook (id) ON DELETE CASCADE,
      repository_id ${text} REFERENCES vcs_repository (id) ON DELETE CASCADE,
      delivery_id ${text} NOT NULL,
      hints ${text} NOT NULL,
      outcome ${text},
      received_at ${integer} NOT NULL,
      UNIQUE (hook_id, delivery_id)
    )${tableOptions}`,
      'CREATE INDEX vcs_delivery_by_repository ON vcs_delivery (repository_id, received_at)',
      'CREATE INDEX vcs_delivery_by_time ON vcs_delivery (received_at)',
      // workspace_id: the event concerns this workspace only.
      `CREATE TABLE vcs_event (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      ref ${text} NOT NULL,
      before_id ${text},
      after_id ${text},
      details ${text} NOT NULL,
      state ${text} NOT NULL,
      problem ${text},
      created_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
      'CREATE INDEX vcs_event_by_repository ON vcs_event (repository_id, created_at)',
      'CREATE INDEX vcs_event_by_ref ON vcs_event (repository_id, kind, ref, id)',
      'CREATE INDEX vcs_event_by_only_workspace ON vcs_event (workspace_id)',
      'CREATE INDEX vcs_event_by_organization ON vcs_event (organization_id, created_at)',
      'CREATE INDEX vcs_event_by_time ON vcs_event (created_at)',
      'CREATE INDEX vcs_event_due ON vcs_event (due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX vcs_event_by_commit ON vcs_event (repository_id, after_id)',
      `CREATE INDEX vcs_event_open ON vcs_event (state) WHERE state <> 'done'`,
      // One for each event and workspace. The detail is JSON.
      `CREATE TABLE vcs_verdict (
      event_id ${text} NOT NULL REFERENCES vcs_event (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      outcome ${text} NOT NULL,
      detail ${text} NOT NULL,
      run_id ${text},
      created_at ${integer} NOT NULL,
      PRIMARY KEY (event_id, workspace_id)
    )${tableOptions}`,
      'CREATE INDEX vcs_verdict_by_workspace ON vcs_verdict (workspace_id, created_at)',
      // A commit runs once in a workspace for each kind, however often the server sees it.
      `CREATE TABLE vcs_run (
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      commit_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      run_id ${text} NOT NULL,
      event_id ${text},
      pull_number ${integer},
      created_at ${integer} NOT NULL,
      PRIMARY KEY (workspace_id, commit_id, kind)
    )${tableOptions}`,
      'CREATE INDEX vcs_run_by_run ON vcs_run (run_id)',
      'CREATE INDEX vcs_run_by_time ON vcs_run (workspace_id, created_at)',
      'CREATE INDEX vcs_run_by_pull ON vcs_run (workspace_id, pull_number)',
      // The files of a commit, stored once for all workspaces. Migration 0066 releases the blob of a removed row.
      `CREATE TABLE vcs_archive (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      commit_id ${text} NOT NULL,
      submodules ${integer} NOT NULL,
      blob_name ${text} NOT NULL,
      size ${integer} NOT NULL,
      notes ${text} NOT NULL,
      used_at ${integer} NOT NULL,
      UNIQUE (repository_id, commit_id, submodules)
    )${tableOptions}`,
      'CREATE INDEX vcs_archive_by_use ON vcs_archive (used_at)',
      `CREATE TABLE github_app_installation (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      github_app_id ${text} NOT NULL REFERENCES github_app (id) ON DELETE CASCADE,
      installation_id ${integer} NOT NULL,
      account_type ${text} NOT NULL,
      icon_url ${text} NOT NULL,
      installation_url ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      account ${text},
      scopes ${text} NOT NULL DEFAULT '[]',
      status ${text} NOT NULL DEFAULT 'unverified',
      status_reason ${text},
      status_since ${integer},
      checked_at ${integer},
      target ${text} NOT NULL DEFAULT '',
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0,
      UNIQUE (github_app_id, installation_id)
    )${tableOptions}`,
      'CREATE INDEX github_app_installation_by_organization ON github_app_installation (organization_id, id)',
      'CREATE INDEX github_app_installation_due ON github_app_installation (due_at) WHERE due_at IS NOT NULL',
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
      // kind: commit or pull. subject: commit, or number of the pull request. event_id: newest event with a commit of
      // the pull request. marks: number of requests for an attempt, so that one that comes during an attempt is not
      // lost.
      `CREATE TABLE vcs_report (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      subject ${text} NOT NULL,
      event_id ${text},
      closed ${integer} NOT NULL DEFAULT 0,
      marks ${integer} NOT NULL DEFAULT 0,
      problem ${text},
      sent_at ${integer},
      changed_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0,
      UNIQUE (repository_id, kind, subject)
    )${tableOptions}`,
      'CREATE INDEX vcs_report_by_organization ON vcs_report (organization_id)',
      'CREATE INDEX vcs_report_due ON vcs_report (due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX vcs_report_by_time ON vcs_report (changed_at)',
      // A status, check or comment that the provider shows. kind: status, check or comment. sent: SHA-256 of it; NULL
      // while it is being created. provider_id: the provider's id of the check or comment.
      `CREATE TABLE vcs_report_item (
      report_id ${text} NOT NULL REFERENCES vcs_report (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      context ${text} NOT NULL,
      state ${text} NOT NULL,
      sent ${text},
      provider_id ${text},
      sent_at ${integer} NOT NULL,
      PRIMARY KEY (report_id, kind, context)
    )${tableOptions}`,
      `CREATE TABLE vcs_fork_approval (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      pull_number ${integer} NOT NULL,
      commit_id ${text} NOT NULL,
      approved_by ${text} NOT NULL,
      approved_by_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, repository_id, pull_number, commit_id)
    )${tableOptions}`,
      'CREATE INDEX vcs_fork_approval_by_commit ON vcs_fork_approval (repository_id, pull_number, commit_id)',
      // Webhooks to delete at the provider. The token is that of the deleted connection, encrypted.
      `CREATE TABLE vcs_hook_removal (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      service_provider ${text} NOT NULL,
      api_url ${text} NOT NULL,
      http_url ${text} NOT NULL,
      agent_pool_id ${text},
      credential_kind ${text} NOT NULL,
      token ${blob} NOT NULL,
      provider_id ${text} NOT NULL,
      identifier ${text} NOT NULL,
      provider_hook_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
      'CREATE INDEX vcs_hook_removal_by_organization ON vcs_hook_removal (organization_id)',
      'CREATE INDEX vcs_hook_removal_due ON vcs_hook_removal (due_at) WHERE due_at IS NOT NULL',
      releasing(types, 'vcs_archive', 'OLD.blob_name IS NOT NULL'),
      // The other table is older than the one that it refers to. SQLite has the reference in the table.
      ...(dialect === 'sqlite'
        ? []
        : [
            `ALTER TABLE workspace ADD CONSTRAINT workspace_github_app_installation_id_fkey
           FOREIGN KEY (github_app_installation_id)
           REFERENCES github_app_installation (id) ON DELETE SET NULL`,
          ]),
    ];
  },
};
