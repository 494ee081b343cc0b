import type { Migration } from '../../../storage/index.ts';

/** Adds resources that a workspace uses, state sharing, lock history, and deleted workspaces that can be restored. */
export const workspace: Migration = {
  name: '0005-workspace',
  statements: ({ text, integer, blob, tableOptions }) => [
    // The column value is encrypted.
    `CREATE TABLE ssh_key (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      value ${blob} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX ssh_key_by_organization ON ssh_key (organization_id, name, id)',

    `CREATE TABLE agent_pool (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      organization_scoped ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,
    // Workspaces that may use a restricted pool (excluded = 0), or that may not use a pool of the whole
    // organization (1).
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
    `CREATE TABLE agent_token (
      id ${text} PRIMARY KEY,
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      hash ${blob} NOT NULL,
      description ${text} NOT NULL,
      created_by_type ${text} NOT NULL,
      created_by_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX agent_token_by_pool ON agent_token (agent_pool_id, id)',

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
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX oauth_client_by_organization ON oauth_client (organization_id, id)',
    'CREATE INDEX oauth_client_by_pool ON oauth_client (agent_pool_id)',
    `CREATE TABLE oauth_client_project (
      oauth_client_id ${text} NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (oauth_client_id, project_id)
    )${tableOptions}`,
    'CREATE INDEX oauth_client_project_by_project ON oauth_client_project (project_id)',
    // The columns token and ssh_key are encrypted.
    `CREATE TABLE oauth_token (
      id ${text} PRIMARY KEY,
      oauth_client_id ${text} NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      token ${blob} NOT NULL,
      ssh_key ${blob},
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX oauth_token_by_client ON oauth_token (oauth_client_id, id)',
    'CREATE INDEX oauth_token_by_organization ON oauth_token (organization_id, id)',

    `ALTER TABLE workspace ADD COLUMN agent_pool_id ${text} REFERENCES agent_pool (id) ON DELETE SET NULL`,
    `ALTER TABLE workspace ADD COLUMN ssh_key_id ${text} REFERENCES ssh_key (id) ON DELETE SET NULL`,
    `ALTER TABLE workspace ADD COLUMN oauth_token_id ${text} REFERENCES oauth_token (id) ON DELETE SET NULL`,
    'CREATE INDEX workspace_by_agent_pool ON workspace (agent_pool_id, name)',
    'CREATE INDEX workspace_by_ssh_key ON workspace (ssh_key_id)',
    'CREATE INDEX workspace_by_oauth_token ON workspace (oauth_token_id)',

    // Ids of current resources, maintained by the modules that own them, so that a list of workspaces needs no
    // joins.
    `ALTER TABLE workspace ADD COLUMN current_run_id ${text}`,
    `ALTER TABLE workspace ADD COLUMN current_run_status ${text}`,
    `ALTER TABLE workspace ADD COLUMN current_run_created_at ${integer}`,
    `ALTER TABLE workspace ADD COLUMN current_configuration_version_id ${text}`,
    `ALTER TABLE workspace ADD COLUMN current_state_version_id ${text}`,
    // JSON of the five attributes that are measured over the past runs.
    `ALTER TABLE workspace ADD COLUMN performance ${text} NOT NULL DEFAULT '{}'`,
    // Workspaces without a run come last in either order.
    `CREATE INDEX workspace_by_run ON workspace
       (organization_id, (coalesce(current_run_created_at, 9007199254740991)), name)`,
    `CREATE INDEX workspace_by_latest_run ON workspace
       (organization_id, (coalesce(current_run_created_at, 0)) DESC, name)`,
    'CREATE INDEX workspace_by_run_status ON workspace (organization_id, current_run_status, name)',

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
    // Creates entries for existing locks: the history starts now.
    `INSERT INTO lock_event (id, workspace_id, holder_type, holder_id, holder_name, reason, locked_at, forced)
     SELECT 'lke-' || substr(id, 4), id, lock_holder_type, lock_holder_id, '', coalesce(lock_reason, ''), updated_at, 0
     FROM workspace WHERE lock_holder_id IS NOT NULL`,

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
  ],
};
