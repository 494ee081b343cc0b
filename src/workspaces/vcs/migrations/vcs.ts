import type { Migration } from '../../../storage/index.ts';

/** Columns of `vcs_workspace` that a row of an earlier version gets from the settings of the workspace. */
const FILL = `INSERT INTO vcs_workspace (id, workspace_id, organization_id, connection_id, identifier, branch, follows_tags,
    first_run, linked_at, target, due_at)
  SELECT w.id, w.id, w.organization_id, w.oauth_token_id`;

const fillSqlite: readonly string[] = [
  `${FILL}, json_extract(w.settings, '$."vcs-repo".identifier'), json_extract(w.settings, '$."vcs-repo".branch'),
     CASE WHEN json_extract(w.settings, '$."vcs-repo"."tags-regex"') IS NULL THEN 0 ELSE 1 END, 0, w.updated_at,
     w.oauth_token_id, w.updated_at
   FROM workspace w WHERE w.oauth_token_id IS NOT NULL AND w.name < '~'
     AND json_extract(w.settings, '$."vcs-repo".identifier') IS NOT NULL`,
];
const fillPostgres: readonly string[] = [
  `${FILL}, w.settings::json #>> '{vcs-repo,identifier}', w.settings::json #>> '{vcs-repo,branch}',
     CASE WHEN w.settings::json #>> '{vcs-repo,tags-regex}' IS NULL THEN 0 ELSE 1 END, 0, w.updated_at,
     w.oauth_token_id, w.updated_at
   FROM workspace w WHERE w.oauth_token_id IS NOT NULL AND w.name < '~'
     AND w.settings::json #>> '{vcs-repo,identifier}' IS NOT NULL`,
];

/**
 * Repositories that workspaces follow, the events that the server has seen in them, and its verdicts. A connection is a
 * token of an OAuth client, or an installation of a GitHub App; `connection_id` is the id of either.
 */
export const vcsRepositories: Migration = {
  name: '0063-vcs',
  compatibleFrom: '0040-well-formed',
  statements: ({ dialect, integer, text, blob, tableOptions }) => [
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
    // branch is NULL for the default branch. first_run is 1 until a run of its newest commit was considered. The id is that of the workspace.
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

    ...(dialect === 'sqlite' ? fillSqlite : fillPostgres),

    // Branches that a workspace follows, and tags, as they were at the last look-up. An empty commit: there was none.
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

    // One hook for each repository. The key is the last part of its URL.
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
      last_delivery_at ${integer}
    )${tableOptions}`,
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
  ],
};
