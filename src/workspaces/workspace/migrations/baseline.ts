import type { Migration } from '../../../storage/index.ts';
import { tallyTable } from '../../platform/tally-schema.ts';
import { triggers } from './triggers.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = [
  '0002-work',
  '0005-workspace',
  '0010-listing',
  '0012-roster',
  '0015-tally',
  '0026-standing',
  '0040-well-formed',
  '0082-change-numbers',
];

/** Creates the tables of workspaces, locks, tags, access of teams, connections and deleted workspaces. */
export const baseline: Migration = {
  name: '0002-workspace',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: 'bfb0c8ecfa19645b4530f52282e8777ef719956cd6c86dba5cd55052dc213000',
    postgres: '9abad001daf30af85360fbe355f215057765ce167b29c011d7cbdc7f232fd210',
  },
  statements: (types) => {
    const { text, integer, blob, tableOptions, dialect } = types;
    // References to tables of later modules, which SQLite accepts before they exist.
    const later = (reference: string) => (dialect === 'sqlite' ? ` ${reference}` : '');
    return [
      // The column value is encrypted.
      `CREATE TABLE ssh_key (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      value ${blob} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX ssh_key_by_organization ON ssh_key (organization_id, name, id)',
      // The column secrets is encrypted JSON.
      `CREATE TABLE oauth_client (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text},
      service_provider ${text} NOT NULL,
      http_url ${text} NOT NULL,
      api_url ${text} NOT NULL,
      consumer_key ${text},
      rsa_public_key ${text},
      secrets ${blob} NOT NULL,
      organization_scoped ${integer} NOT NULL,
      agent_pool_id ${text} REFERENCES agent_pool (id) ON DELETE SET NULL,
      created_at ${integer} NOT NULL,
      entra_tenant_id ${text},
      updated_at ${integer},
      allowed_repositories ${text} NOT NULL DEFAULT '[]'
    )${tableOptions}`,
      'CREATE INDEX oauth_client_by_organization ON oauth_client (organization_id, id)',
      'CREATE INDEX oauth_client_by_pool ON oauth_client (agent_pool_id)',
      // The columns token and ssh_key are encrypted.
      `CREATE TABLE oauth_token (
      id ${text} PRIMARY KEY,
      oauth_client_id ${text} NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      token ${blob} NOT NULL,
      ssh_key ${blob},
      created_at ${integer} NOT NULL,
      kind ${text} NOT NULL DEFAULT 'token',
      refresh_token ${blob},
      expires_at ${integer},
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
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
      'CREATE INDEX oauth_token_by_client ON oauth_token (oauth_client_id, id)',
      'CREATE INDEX oauth_token_by_organization ON oauth_token (organization_id, id)',
      'CREATE INDEX oauth_token_due ON oauth_token (due_at) WHERE due_at IS NOT NULL',
      // Values that are searched, sorted or updated separately have a column; the rest is JSON in settings. version is
      // incremented by every write. Ids of current resources, maintained by the modules that own them, so that a list
      // of workspaces needs no joins. JSON of the five attributes that are measured over the past runs. Start of the
      // newest run that could change the workspace, in milliseconds since 1970. Null: unknown. Outcome of a destroy
      // run that was due, as JSON. Null: the settings say everything.
      `CREATE TABLE workspace (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id),
      name ${text} NOT NULL,
      settings ${text} NOT NULL,
      lock_holder_type ${text},
      lock_holder_id ${text},
      lock_reason ${text},
      resource_count ${integer} NOT NULL,
      version ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      latest_change_at ${integer} NOT NULL,
      agent_pool_id ${text} REFERENCES agent_pool (id) ON DELETE SET NULL,
      ssh_key_id ${text} REFERENCES ssh_key (id) ON DELETE SET NULL,
      oauth_token_id ${text} REFERENCES oauth_token (id) ON DELETE SET NULL,
      current_run_id ${text},
      current_run_status ${text},
      current_run_created_at ${integer},
      current_configuration_version_id ${text},
      current_state_version_id ${text},
      performance ${text} NOT NULL DEFAULT '{}',
      touched ${integer} NOT NULL DEFAULT 0,
      assessment_result_id ${text},
      assessed_at ${integer},
      locked_at ${integer},
      lock_holder_name ${text},
      github_app_installation_id ${text}${later('REFERENCES github_app_installation (id) ON DELETE SET NULL')},
      worked_at ${integer},
      auto_destroy ${text},
      UNIQUE (organization_id, name)
    )${tableOptions}`,
      'CREATE INDEX workspace_by_project ON workspace (project_id, name)',
      'CREATE INDEX workspace_by_change ON workspace (organization_id, latest_change_at, name)',
      'CREATE UNIQUE INDEX workspace_place ON workspace (id, name, project_id)',
      'CREATE INDEX workspace_by_agent_pool ON workspace (agent_pool_id, name)',
      'CREATE INDEX workspace_by_ssh_key ON workspace (ssh_key_id)',
      'CREATE INDEX workspace_by_oauth_token ON workspace (oauth_token_id)',
      // Workspaces without a run come last in either order.
      `CREATE INDEX workspace_by_run ON workspace
     (organization_id, (coalesce(current_run_created_at, 9007199254740991)), name)`,
      `CREATE INDEX workspace_by_latest_run ON workspace
     (organization_id, (coalesce(current_run_created_at, 0)) DESC, name)`,
      'CREATE INDEX workspace_by_run_status ON workspace (organization_id, current_run_status, name)',
      'CREATE INDEX workspace_by_touch ON workspace (organization_id, touched)',
      'CREATE INDEX workspace_by_github_app_installation ON workspace (github_app_installation_id)',
      'CREATE INDEX workspace_in_project ON workspace (project_id, id)',
      `CREATE INDEX workspace_assessed ON workspace (organization_id, name, assessment_result_id, id, project_id)
     WHERE assessment_result_id IS NOT NULL`,
      `CREATE TABLE tag (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      instance_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      version ${integer} NOT NULL DEFAULT 0,
      UNIQUE (organization_id, name)
    )${tableOptions}`,
      // The links contain a copy of the workspace's name, so that a list by tag is read in order and stops at the end
      // of its page.
      `CREATE TABLE workspace_tag (
      tag_id ${text} NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
      workspace_name ${text} NOT NULL,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (tag_id, workspace_name, workspace_id),
      UNIQUE (workspace_id, tag_id)
    )${tableOptions}`,
      `CREATE TABLE tag_binding (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      workspace_name ${text} NOT NULL,
      key ${text} NOT NULL,
      value ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, key)
    )${tableOptions}`,
      'CREATE INDEX tag_binding_by_key ON tag_binding (organization_id, key, workspace_name, workspace_id)',
      // Lists by key and value are also read in index order.
      'CREATE INDEX tag_binding_by_value ON tag_binding (organization_id, key, value, workspace_name, workspace_id)',
      // Workspaces that may use a restricted pool (excluded = 0), or that may not use a pool of the whole organization
      // (1).
      `CREATE TABLE agent_pool_workspace (
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      excluded ${integer} NOT NULL,
      PRIMARY KEY (agent_pool_id, excluded, workspace_id)
    )${tableOptions}`,
      'CREATE INDEX agent_pool_workspace_by_workspace ON agent_pool_workspace (workspace_id)',
      `CREATE TABLE agent_pool_project (
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (agent_pool_id, project_id)
    )${tableOptions}`,
      'CREATE INDEX agent_pool_project_by_project ON agent_pool_project (project_id)',
      `CREATE TABLE oauth_client_project (
      oauth_client_id ${text} NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (oauth_client_id, project_id)
    )${tableOptions}`,
      'CREATE INDEX oauth_client_project_by_project ON oauth_client_project (project_id)',
      // One row for each time that a workspace was locked. The end is null while it is locked.
      `CREATE TABLE lock_event (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      holder_type ${text} NOT NULL,
      holder_id ${text} NOT NULL,
      holder_name ${text} NOT NULL,
      reason ${text} NOT NULL,
      locked_at ${integer} NOT NULL,
      unlocked_at ${integer},
      unlocker_type ${text},
      unlocker_id ${text},
      unlocker_name ${text},
      forced ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX lock_event_by_workspace ON lock_event (workspace_id, id)',
      'CREATE UNIQUE INDEX lock_event_open ON lock_event (workspace_id) WHERE unlocked_at IS NULL',
      'CREATE INDEX lock_event_by_end ON lock_event (unlocked_at)',
      // Contains a copy of the consumer's name, by which lists are sorted.
      `CREATE TABLE remote_state_consumer (
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      consumer_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      consumer_name ${text} NOT NULL,
      PRIMARY KEY (workspace_id, consumer_name, consumer_id),
      UNIQUE (consumer_id, workspace_id)
    )${tableOptions}`,
      // A deleted workspace keeps its row under a name that no client can give. kept is JSON of the removed
      // dependents. purging is set when the workspace is being purged and can no longer be restored.
      `CREATE TABLE recoverable_item (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL UNIQUE REFERENCES workspace (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      project_id ${text} NOT NULL,
      kept ${text} NOT NULL,
      deleted_by_type ${text} NOT NULL,
      deleted_by_id ${text} NOT NULL,
      deleted_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      purging ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX recoverable_item_by_organization ON recoverable_item (organization_id, deleted_at, id)',
      'CREATE INDEX recoverable_item_by_expiry ON recoverable_item (expires_at)',
      `CREATE TABLE reserved_tag_key (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      key ${text} NOT NULL,
      disable_overrides ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (organization_id, key)
    )${tableOptions}`,
      // Policy of a workspace, or of its organization if workspace_id is null. settings is JSON of the client's
      // settings.
      `CREATE TABLE data_retention_policy (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      type ${text} NOT NULL,
      settings ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
      `CREATE UNIQUE INDEX data_retention_policy_of_workspace ON data_retention_policy (workspace_id)
     WHERE workspace_id IS NOT NULL`,
      `CREATE UNIQUE INDEX data_retention_policy_of_organization ON data_retention_policy (organization_id)
     WHERE workspace_id IS NULL`,
      // One row: the position of the sweep, and the lease of the node that sweeps.
      `CREATE TABLE retention_sweep (
      id ${integer} PRIMARY KEY,
      policy_id ${text} NOT NULL,
      workspace_name ${text} NOT NULL,
      holder ${text} NOT NULL,
      held_until ${integer} NOT NULL,
      due_at ${integer} NOT NULL
    )${tableOptions}`,
      // Position of the one sweep, which nodes take in turns.
      `INSERT INTO retention_sweep (id, policy_id, workspace_name, holder, held_until, due_at) VALUES (1, '', '', '', 0, 0)`,
      ...tallyTable(types),
      ...triggers(types),
      // The other table is older than the one that it refers to. SQLite has the reference in the table.
      ...(dialect === 'sqlite'
        ? []
        : [
            `ALTER TABLE team_workspace ADD CONSTRAINT team_workspace_workspace_id_workspace_name_project_id_fkey
           FOREIGN KEY (workspace_id, workspace_name, project_id)
           REFERENCES workspace (id, name, project_id) ON DELETE CASCADE ON UPDATE CASCADE`,
          ]),
    ];
  },
};
