CREATE TABLE schema_migration (
          migration_set TEXT NOT NULL,
          name TEXT NOT NULL,
          checksum TEXT NOT NULL,
          applied_at INTEGER NOT NULL,
          compatible_from TEXT,
          PRIMARY KEY (migration_set, name)
        ) STRICT;
CREATE TABLE mount (
      id TEXT PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      accessor TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      config TEXT NOT NULL
    , description TEXT NOT NULL DEFAULT '', tuning TEXT NOT NULL DEFAULT '{}', removed_at INTEGER, moved_from TEXT, intermediates INTEGER NOT NULL DEFAULT 0, flags TEXT NOT NULL DEFAULT '{}')STRICT;
CREATE TABLE role (
      mount_id TEXT NOT NULL REFERENCES mount (id),
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      settings TEXT NOT NULL,
      PRIMARY KEY (mount_id, name)
    )STRICT;
CREATE INDEX role_by_version ON role (mount_id, version);
CREATE TABLE token (
      id TEXT PRIMARY KEY,
      secret_hash BLOB NOT NULL,
      accessor TEXT NOT NULL UNIQUE,
      path TEXT NOT NULL,
      display_name TEXT NOT NULL,
      policies TEXT NOT NULL,
      metadata TEXT,
      bound_cidrs TEXT NOT NULL,
      orphan INTEGER NOT NULL,
      period INTEGER NOT NULL,
      explicit_max_ttl INTEGER NOT NULL,
      uses_left INTEGER,
      creation_ttl INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      renewed_at INTEGER,
      expires_at INTEGER,
      mount_id TEXT,
      certificate TEXT
    , parent_id TEXT, entity_id TEXT, role TEXT, renewable INTEGER NOT NULL DEFAULT 1)STRICT;
CREATE INDEX token_expiry ON token (expires_at);
CREATE TABLE crl (
      mount_id TEXT NOT NULL REFERENCES mount (id),
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      settings TEXT NOT NULL,
      url TEXT,
      content_id TEXT NOT NULL,
      fetched_at INTEGER NOT NULL,
      etag TEXT,
      last_modified TEXT,
      failures INTEGER NOT NULL,
      last_error TEXT,
      next_fetch_at INTEGER,
      PRIMARY KEY (mount_id, name)
    )STRICT;
CREATE TABLE crl_chunk (
      content_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (content_id, number)
    )STRICT;
CREATE TABLE change_counter (
      topic TEXT PRIMARY KEY,
      version INTEGER NOT NULL
    )STRICT;
CREATE INDEX token_by_path ON token (path, id);
CREATE INDEX token_by_mount ON token (mount_id, id);
CREATE TABLE removed_parent (
      id TEXT PRIMARY KEY
    )STRICT;
CREATE TABLE token_role (
      name TEXT PRIMARY KEY,
      settings TEXT NOT NULL
    )STRICT;
CREATE TABLE policy (
      name TEXT PRIMARY KEY,
      text TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    , version INTEGER NOT NULL DEFAULT 1, cas_required INTEGER NOT NULL DEFAULT 0, wildcards INTEGER NOT NULL DEFAULT 0, slashes INTEGER NOT NULL DEFAULT 0, expires_at INTEGER)STRICT;
CREATE TABLE entity (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      metadata TEXT NOT NULL,
      disabled INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    , policies TEXT NOT NULL DEFAULT '[]')STRICT;
CREATE TABLE entity_alias (
      id TEXT PRIMARY KEY,
      entity_id TEXT NOT NULL REFERENCES entity (id),
      mount_id TEXT NOT NULL,
      name TEXT NOT NULL,
      issuer TEXT NOT NULL,
      metadata TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    , custom_metadata TEXT, merged_from TEXT)STRICT;
CREATE UNIQUE INDEX entity_alias_of_mount ON entity_alias (mount_id, name, issuer);
CREATE TABLE wrapped_answer (
      token_id TEXT PRIMARY KEY,
      answer BLOB NOT NULL,
      creation_path TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX wrapped_answer_expiry ON wrapped_answer (expires_at);
CREATE TABLE intermediate (
      mount_id TEXT NOT NULL REFERENCES mount (id),
      fingerprint TEXT NOT NULL,
      version INTEGER NOT NULL,
      certificate BLOB NOT NULL,
      expires_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      PRIMARY KEY (mount_id, fingerprint)
    )STRICT;
CREATE TABLE removed_role (
      mount_id TEXT NOT NULL REFERENCES mount (id),
      version INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (mount_id, version)
    )STRICT;
CREATE INDEX policy_expiry ON policy (expires_at);
CREATE TABLE program_version (
      version TEXT PRIMARY KEY,
      installed_at INTEGER NOT NULL
    )STRICT;
CREATE TABLE merged_entity (
      id TEXT PRIMARY KEY,
      entity_id TEXT NOT NULL REFERENCES entity (id)
    )STRICT;
CREATE INDEX merged_entity_by_entity ON merged_entity (entity_id, id);
CREATE UNIQUE INDEX entity_alias_of_entity ON entity_alias (entity_id, mount_id);
CREATE TABLE identity_group (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      metadata TEXT NOT NULL,
      policies TEXT NOT NULL,
      entities INTEGER NOT NULL,
      modify_index INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE TABLE group_entity (
      entity_id TEXT NOT NULL REFERENCES entity (id),
      group_id TEXT NOT NULL REFERENCES identity_group (id),
      PRIMARY KEY (entity_id, group_id)
    )STRICT;
CREATE INDEX group_entity_by_group ON group_entity (group_id, entity_id);
CREATE TABLE group_member (
      member_id TEXT NOT NULL REFERENCES identity_group (id),
      group_id TEXT NOT NULL REFERENCES identity_group (id),
      PRIMARY KEY (member_id, group_id)
    )STRICT;
CREATE INDEX group_member_by_group ON group_member (group_id, member_id);
CREATE TABLE group_alias (
      id TEXT PRIMARY KEY,
      group_id TEXT NOT NULL UNIQUE REFERENCES identity_group (id),
      mount_id TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE UNIQUE INDEX group_alias_of_mount ON group_alias (mount_id, name);
CREATE INDEX token_by_parent ON token (parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE policy_use (
      policy TEXT NOT NULL,
      kind TEXT NOT NULL,
      scope TEXT NOT NULL,
      holder TEXT NOT NULL,
      PRIMARY KEY (policy, kind, scope, holder)
    )STRICT;
CREATE INDEX policy_use_by_holder ON policy_use (kind, scope, holder);
CREATE TRIGGER role_insert_policy_use AFTER INSERT ON role FOR EACH ROW BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'role', NEW.mount_id, NEW.name
    FROM json_each(NEW.settings, '$.token_policies') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER role_update_policy_use AFTER UPDATE OF settings ON role FOR EACH ROW WHEN (NEW.settings <> OLD.settings) BEGIN DELETE FROM policy_use
  WHERE kind = 'role' AND scope = OLD.mount_id AND holder = OLD.name; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'role', NEW.mount_id, NEW.name
    FROM json_each(NEW.settings, '$.token_policies') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER role_delete_policy_use AFTER DELETE ON role FOR EACH ROW BEGIN DELETE FROM policy_use
  WHERE kind = 'role' AND scope = OLD.mount_id AND holder = OLD.name; END;
CREATE TRIGGER token_role_insert_policy_use AFTER INSERT ON token_role FOR EACH ROW BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'token_role', '', NEW.name
    FROM json_each(NEW.settings, '$.allowed_policies') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER token_role_update_policy_use AFTER UPDATE OF settings ON token_role FOR EACH ROW WHEN (NEW.settings <> OLD.settings) BEGIN DELETE FROM policy_use
  WHERE kind = 'token_role' AND scope = '' AND holder = OLD.name; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'token_role', '', NEW.name
    FROM json_each(NEW.settings, '$.allowed_policies') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER token_role_delete_policy_use AFTER DELETE ON token_role FOR EACH ROW BEGIN DELETE FROM policy_use
  WHERE kind = 'token_role' AND scope = '' AND holder = OLD.name; END;
CREATE TRIGGER entity_insert_policy_use AFTER INSERT ON entity FOR EACH ROW BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'entity', '', NEW.id
    FROM json_each(NEW.policies, '$') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER entity_update_policy_use AFTER UPDATE OF policies ON entity FOR EACH ROW WHEN (NEW.policies <> OLD.policies) BEGIN DELETE FROM policy_use
  WHERE kind = 'entity' AND scope = '' AND holder = OLD.id; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'entity', '', NEW.id
    FROM json_each(NEW.policies, '$') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER entity_delete_policy_use AFTER DELETE ON entity FOR EACH ROW BEGIN DELETE FROM policy_use
  WHERE kind = 'entity' AND scope = '' AND holder = OLD.id; END;
CREATE TRIGGER identity_group_insert_policy_use AFTER INSERT ON identity_group FOR EACH ROW BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'group', '', NEW.id
    FROM json_each(NEW.policies, '$') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER identity_group_update_policy_use AFTER UPDATE OF policies ON identity_group FOR EACH ROW WHEN (NEW.policies <> OLD.policies) BEGIN DELETE FROM policy_use
  WHERE kind = 'group' AND scope = '' AND holder = OLD.id; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'group', '', NEW.id
    FROM json_each(NEW.policies, '$') AS named WHERE named.type = 'text'; END;
CREATE TRIGGER identity_group_delete_policy_use AFTER DELETE ON identity_group FOR EACH ROW BEGIN DELETE FROM policy_use
  WHERE kind = 'group' AND scope = '' AND holder = OLD.id; END;
CREATE TABLE account (
      id TEXT PRIMARY KEY,
      username TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      created_at INTEGER NOT NULL
    , service INTEGER NOT NULL DEFAULT 0, invited INTEGER NOT NULL DEFAULT 0, unconfirmed_email TEXT, site_admin INTEGER NOT NULL DEFAULT 0, suspended_at INTEGER, managed_site_admin INTEGER NOT NULL DEFAULT 0, organization_id TEXT)STRICT;
CREATE TABLE authentication_token (
      id TEXT PRIMARY KEY,
      account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
      hash BLOB NOT NULL,
      description TEXT NOT NULL,
      created_by TEXT REFERENCES account (id) ON DELETE SET NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      last_used_at INTEGER
    , team_id TEXT REFERENCES team (id) ON DELETE CASCADE, organization_id TEXT REFERENCES organization (id) ON DELETE CASCADE, only_one INTEGER NOT NULL DEFAULT 0, purpose TEXT NOT NULL DEFAULT '', created_by_team TEXT, idle_ms INTEGER, pipeline_identity_id TEXT
     REFERENCES pipeline_identity (id) ON DELETE CASCADE, derived_from TEXT REFERENCES authentication_token (id) ON DELETE CASCADE)STRICT;
CREATE INDEX authentication_token_by_account ON authentication_token (account_id, id);
CREATE TABLE organization (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      default_project_id TEXT NOT NULL,
      default_execution_mode TEXT NOT NULL,
      allow_force_delete_workspaces INTEGER NOT NULL,
      workspace_count INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    , settings TEXT NOT NULL DEFAULT '{}', default_agent_pool_id TEXT, user_tokens_enabled INTEGER NOT NULL DEFAULT 1, user_token_max_ttl INTEGER, service_account_id TEXT, deleted_at INTEGER, binding_version INTEGER NOT NULL DEFAULT 0, default_engine TEXT NOT NULL DEFAULT 'opentofu', executes INTEGER NOT NULL DEFAULT 0)STRICT;
CREATE TABLE team (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      owners INTEGER NOT NULL,
      visibility TEXT NOT NULL,
      access TEXT NOT NULL,
      created_at INTEGER NOT NULL, sso_team_id TEXT, allow_member_token_management INTEGER NOT NULL DEFAULT 1, version INTEGER NOT NULL DEFAULT 0, scim_group_id TEXT REFERENCES scim_group (id) ON DELETE SET NULL, scim_sync_paused INTEGER NOT NULL DEFAULT 0, scim_updated_at INTEGER,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE TABLE team_member (
      team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE, managed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (team_id, account_id)
    )STRICT;
CREATE INDEX team_member_by_account ON team_member (account_id, team_id);
CREATE TABLE project (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT,
      workspace_count INTEGER NOT NULL,
      created_at INTEGER NOT NULL, default_execution_mode TEXT, default_agent_pool_id TEXT, auto_destroy_activity_duration TEXT,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE TABLE workspace (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL REFERENCES project (id),
      name TEXT NOT NULL,
      settings TEXT NOT NULL,
      lock_holder_type TEXT,
      lock_holder_id TEXT,
      lock_reason TEXT,
      resource_count INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      latest_change_at INTEGER NOT NULL, agent_pool_id TEXT REFERENCES agent_pool (id) ON DELETE SET NULL, ssh_key_id TEXT REFERENCES ssh_key (id) ON DELETE SET NULL, oauth_token_id TEXT REFERENCES oauth_token (id) ON DELETE SET NULL, current_run_id TEXT, current_run_status TEXT, current_run_created_at INTEGER, current_configuration_version_id TEXT, current_state_version_id TEXT, performance TEXT NOT NULL DEFAULT '{}', touched INTEGER NOT NULL DEFAULT 0, assessment_result_id TEXT, assessed_at INTEGER, locked_at INTEGER, lock_holder_name TEXT, github_app_installation_id TEXT
       REFERENCES github_app_installation (id) ON DELETE SET NULL, worked_at INTEGER, auto_destroy TEXT,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE INDEX workspace_by_project ON workspace (project_id, name);
CREATE INDEX workspace_by_change ON workspace (organization_id, latest_change_at, name);
CREATE TABLE tag (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      instance_count INTEGER NOT NULL,
      created_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 0,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE TABLE workspace_tag (
      tag_id TEXT NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
      workspace_name TEXT NOT NULL,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (tag_id, workspace_name, workspace_id),
      UNIQUE (workspace_id, tag_id)
    )STRICT;
CREATE TABLE tag_binding (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      workspace_name TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (workspace_id, key)
    )STRICT;
CREATE INDEX tag_binding_by_key ON tag_binding (organization_id, key, workspace_name, workspace_id);
CREATE UNIQUE INDEX workspace_place ON workspace (id, name, project_id);
CREATE TABLE team_workspace (
      id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL,
      workspace_name TEXT NOT NULL,
      project_id TEXT NOT NULL,
      access TEXT NOT NULL,
      custom TEXT NOT NULL,
      shows INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (workspace_id, team_id),
      FOREIGN KEY (workspace_id, workspace_name, project_id) REFERENCES workspace (id, name, project_id)
        ON DELETE CASCADE ON UPDATE CASCADE
    )STRICT;
CREATE INDEX team_workspace_by_name ON team_workspace (team_id, shows, workspace_name, workspace_id);
CREATE INDEX team_workspace_by_project ON team_workspace (team_id, shows, project_id, workspace_id);
CREATE TABLE team_project (
      id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      access TEXT NOT NULL,
      project_custom TEXT NOT NULL,
      custom TEXT NOT NULL,
      shows INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (project_id, team_id)
    )STRICT;
CREATE INDEX team_project_by_team ON team_project (team_id, shows, project_id);
CREATE TABLE organization_membership (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
      email TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL, managed INTEGER NOT NULL DEFAULT 0,
      UNIQUE (organization_id, email)
    )STRICT;
CREATE INDEX organization_membership_by_account ON organization_membership (account_id, organization_id);
CREATE INDEX authentication_token_by_team ON authentication_token (team_id, id);
CREATE INDEX authentication_token_by_organization ON authentication_token (organization_id, id);
CREATE INDEX organization_by_service_account ON organization (service_account_id);
CREATE INDEX organization_by_deletion ON organization (deleted_at);
CREATE INDEX project_by_age ON project (organization_id, id);
CREATE TABLE project_tag_binding (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (project_id, key)
    )STRICT;
CREATE INDEX project_tag_binding_by_key ON project_tag_binding (organization_id, key, project_id);
CREATE INDEX account_by_email ON account (lower(email));
CREATE INDEX organization_membership_by_organization ON organization_membership (organization_id, id);
CREATE UNIQUE INDEX authentication_token_description ON authentication_token (team_id, description)
     WHERE team_id IS NOT NULL AND only_one = 0;
CREATE TABLE token_ttl_policy (
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      token_type TEXT NOT NULL,
      max_ttl INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (organization_id, token_type)
    )STRICT;
CREATE TABLE ssh_key (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value BLOB NOT NULL,
      created_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX ssh_key_by_organization ON ssh_key (organization_id, name, id);
CREATE TABLE agent_pool (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      organization_scoped INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE TABLE agent_pool_workspace (
      agent_pool_id TEXT NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      excluded INTEGER NOT NULL,
      PRIMARY KEY (agent_pool_id, excluded, workspace_id)
    )STRICT;
CREATE INDEX agent_pool_workspace_by_workspace ON agent_pool_workspace (workspace_id);
CREATE TABLE agent_pool_project (
      agent_pool_id TEXT NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (agent_pool_id, project_id)
    )STRICT;
CREATE INDEX agent_pool_project_by_project ON agent_pool_project (project_id);
CREATE TABLE agent_token (
      id TEXT PRIMARY KEY,
      agent_pool_id TEXT NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      hash BLOB NOT NULL,
      description TEXT NOT NULL,
      created_by_type TEXT NOT NULL,
      created_by_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    , expires_at INTEGER)STRICT;
CREATE INDEX agent_token_by_pool ON agent_token (agent_pool_id, id);
CREATE TABLE oauth_client (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT,
      service_provider TEXT NOT NULL,
      http_url TEXT NOT NULL,
      api_url TEXT NOT NULL,
      consumer_key TEXT,
      rsa_public_key TEXT,
      secrets BLOB NOT NULL,
      organization_scoped INTEGER NOT NULL,
      agent_pool_id TEXT REFERENCES agent_pool (id) ON DELETE SET NULL,
      created_at INTEGER NOT NULL
    , entra_tenant_id TEXT, updated_at INTEGER, allowed_repositories TEXT NOT NULL DEFAULT '[]')STRICT;
CREATE INDEX oauth_client_by_organization ON oauth_client (organization_id, id);
CREATE INDEX oauth_client_by_pool ON oauth_client (agent_pool_id);
CREATE TABLE oauth_client_project (
      oauth_client_id TEXT NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (oauth_client_id, project_id)
    )STRICT;
CREATE INDEX oauth_client_project_by_project ON oauth_client_project (project_id);
CREATE TABLE oauth_token (
      id TEXT PRIMARY KEY,
      oauth_client_id TEXT NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      token BLOB NOT NULL,
      ssh_key BLOB,
      created_at INTEGER NOT NULL
    , kind TEXT NOT NULL DEFAULT 'token', refresh_token BLOB, expires_at INTEGER, account TEXT, scopes TEXT NOT NULL DEFAULT '[]', status TEXT NOT NULL DEFAULT 'unverified', status_reason TEXT, status_since INTEGER, checked_at INTEGER, target TEXT NOT NULL DEFAULT '', due_at INTEGER, claim TEXT, claimed_until INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0)STRICT;
CREATE INDEX oauth_token_by_client ON oauth_token (oauth_client_id, id);
CREATE INDEX oauth_token_by_organization ON oauth_token (organization_id, id);
CREATE INDEX workspace_by_agent_pool ON workspace (agent_pool_id, name);
CREATE INDEX workspace_by_ssh_key ON workspace (ssh_key_id);
CREATE INDEX workspace_by_oauth_token ON workspace (oauth_token_id);
CREATE INDEX workspace_by_run ON workspace
       (organization_id, (coalesce(current_run_created_at, 9007199254740991)), name);
CREATE INDEX workspace_by_latest_run ON workspace
       (organization_id, (coalesce(current_run_created_at, 0)) DESC, name);
CREATE INDEX workspace_by_run_status ON workspace (organization_id, current_run_status, name);
CREATE TABLE lock_event (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      holder_type TEXT NOT NULL,
      holder_id TEXT NOT NULL,
      holder_name TEXT NOT NULL,
      reason TEXT NOT NULL,
      locked_at INTEGER NOT NULL,
      unlocked_at INTEGER,
      unlocker_type TEXT,
      unlocker_id TEXT,
      unlocker_name TEXT,
      forced INTEGER NOT NULL
    )STRICT;
CREATE INDEX lock_event_by_workspace ON lock_event (workspace_id, id);
CREATE UNIQUE INDEX lock_event_open ON lock_event (workspace_id) WHERE unlocked_at IS NULL;
CREATE INDEX lock_event_by_end ON lock_event (unlocked_at);
CREATE TABLE remote_state_consumer (
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      consumer_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      consumer_name TEXT NOT NULL,
      PRIMARY KEY (workspace_id, consumer_name, consumer_id),
      UNIQUE (consumer_id, workspace_id)
    )STRICT;
CREATE TABLE recoverable_item (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL UNIQUE REFERENCES workspace (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      project_id TEXT NOT NULL,
      kept TEXT NOT NULL,
      deleted_by_type TEXT NOT NULL,
      deleted_by_id TEXT NOT NULL,
      deleted_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      purging INTEGER NOT NULL
    )STRICT;
CREATE INDEX recoverable_item_by_organization ON recoverable_item (organization_id, deleted_at, id);
CREATE INDEX recoverable_item_by_expiry ON recoverable_item (expires_at);
CREATE TABLE variable_set (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id TEXT REFERENCES project (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      global INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE INDEX variable_set_by_project ON variable_set (project_id, name);
CREATE INDEX variable_set_global ON variable_set (organization_id, name) WHERE global = 1;
CREATE TABLE variable_set_workspace (
      variable_set_id TEXT NOT NULL REFERENCES variable_set (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (variable_set_id, workspace_id)
    )STRICT;
CREATE INDEX variable_set_workspace_by_workspace ON variable_set_workspace (workspace_id, variable_set_id);
CREATE TABLE variable_set_project (
      variable_set_id TEXT NOT NULL REFERENCES variable_set (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (variable_set_id, project_id)
    )STRICT;
CREATE INDEX variable_set_project_by_project ON variable_set_project (project_id, variable_set_id);
CREATE TABLE variable (
      id TEXT PRIMARY KEY,
      workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
      variable_set_id TEXT REFERENCES variable_set (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      category TEXT NOT NULL,
      value BLOB NOT NULL,
      size INTEGER NOT NULL,
      description TEXT,
      hcl INTEGER NOT NULL,
      sensitive INTEGER NOT NULL,
      version_id TEXT NOT NULL,
      created_at INTEGER NOT NULL, apply_only INTEGER NOT NULL DEFAULT 0,
      UNIQUE (workspace_id, category, key),
      UNIQUE (variable_set_id, category, key)
    )STRICT;
CREATE INDEX variable_of_workspace ON variable (workspace_id, id);
CREATE INDEX variable_of_set ON variable (variable_set_id, id);
CREATE TABLE reserved_tag_key (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      disable_overrides INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (organization_id, key)
    )STRICT;
CREATE INDEX tag_binding_by_value ON tag_binding (organization_id, key, value, workspace_name, workspace_id);
CREATE TABLE data_retention_policy (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      settings TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE UNIQUE INDEX data_retention_policy_of_workspace ON data_retention_policy (workspace_id)
     WHERE workspace_id IS NOT NULL;
CREATE UNIQUE INDEX data_retention_policy_of_organization ON data_retention_policy (organization_id)
     WHERE workspace_id IS NULL;
CREATE TABLE retention_sweep (
      id INTEGER PRIMARY KEY,
      policy_id TEXT NOT NULL,
      workspace_name TEXT NOT NULL,
      holder TEXT NOT NULL,
      held_until INTEGER NOT NULL,
      due_at INTEGER NOT NULL
    )STRICT;
CREATE TABLE blob (
      name TEXT PRIMARY KEY,
      workspace_id TEXT REFERENCES workspace (id) ON DELETE SET NULL,
      content_hash BLOB NOT NULL,
      size INTEGER NOT NULL,
      data_key BLOB NOT NULL,
      key_version INTEGER NOT NULL,
      uses INTEGER NOT NULL,
      created_at INTEGER NOT NULL, organization_id TEXT REFERENCES organization (id) ON DELETE SET NULL,
      UNIQUE (workspace_id, content_hash)
    )STRICT;
CREATE INDEX blob_by_key ON blob (key_version, name);
CREATE TABLE state_content (
      blob_name TEXT PRIMARY KEY REFERENCES blob (name) ON DELETE CASCADE,
      format INTEGER,
      encrypted INTEGER NOT NULL,
      engine_version TEXT,
      resource_count INTEGER NOT NULL,
      output_count INTEGER NOT NULL,
      outputs BLOB NOT NULL,
      resources BLOB NOT NULL,
      overview BLOB NOT NULL
    , dependencies BLOB, summary BLOB)STRICT;
CREATE TABLE state_version (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      status TEXT NOT NULL,
      intermediate INTEGER NOT NULL,
      serial INTEGER NOT NULL,
      lineage TEXT,
      md5 TEXT NOT NULL,
      forced INTEGER NOT NULL,
      size INTEGER NOT NULL,
      creator TEXT NOT NULL,
      run_id TEXT,
      rollback_of TEXT,
      state_blob TEXT,
      json_blob TEXT,
      given_outputs BLOB,
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      UNIQUE (workspace_id, position)
    )STRICT;
CREATE INDEX state_version_by_status ON state_version (workspace_id, status, position);
CREATE TABLE configuration_version (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      source TEXT NOT NULL,
      status TEXT NOT NULL,
      auto_queue_runs INTEGER NOT NULL,
      speculative INTEGER NOT NULL,
      provisional INTEGER NOT NULL,
      error TEXT,
      error_message TEXT,
      timestamps TEXT NOT NULL,
      blob_name TEXT,
      size INTEGER NOT NULL,
      backing TEXT NOT NULL,
      created_by_type TEXT NOT NULL,
      created_by_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    , ingress_id TEXT, untrusted INTEGER NOT NULL DEFAULT 0)STRICT;
CREATE INDEX configuration_version_by_workspace ON configuration_version (workspace_id, created_at, id);
CREATE INDEX configuration_version_usable ON configuration_version (workspace_id, created_at, id)
     WHERE status = 'uploaded' AND speculative = 0;
CREATE TABLE run (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      configuration_version_id TEXT NOT NULL,
      status TEXT NOT NULL,
      operation TEXT NOT NULL,
      source TEXT NOT NULL,
      trigger_reason TEXT NOT NULL,
      message TEXT NOT NULL,
      parameters TEXT NOT NULL,
      variables BLOB,
      timestamps TEXT NOT NULL,
      has_changes INTEGER NOT NULL,
      waits INTEGER NOT NULL,
      active INTEGER NOT NULL,
      queued INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_by_type TEXT NOT NULL,
      created_by_id TEXT NOT NULL,
      created_by_name TEXT NOT NULL,
      confirmed_by_type TEXT,
      confirmed_by_id TEXT,
      canceled_at INTEGER,
      finished_at INTEGER,
      created_at INTEGER NOT NULL
    , agent_id TEXT, queue_class INTEGER NOT NULL DEFAULT 4, queue_turn INTEGER NOT NULL DEFAULT 0, stale INTEGER NOT NULL DEFAULT 0, waiting_for TEXT, cancel_reason TEXT, fence INTEGER NOT NULL DEFAULT 0, carried_by TEXT, plain_log INTEGER NOT NULL DEFAULT 0, queue_pool TEXT, queued_since INTEGER, applies_by_settings INTEGER NOT NULL DEFAULT 0, untrusted INTEGER NOT NULL DEFAULT 0)STRICT;
CREATE INDEX run_by_workspace ON run (workspace_id, created_at, id);
CREATE INDEX run_by_organization ON run (organization_id, created_at, id);
CREATE INDEX run_by_configuration ON run (configuration_version_id);
CREATE UNIQUE INDEX run_active ON run (workspace_id) WHERE active = 1;
CREATE INDEX run_waiting ON run (workspace_id, created_at, id) WHERE waits = 1;
CREATE INDEX run_unfinished ON run (workspace_id, created_at, id) WHERE finished_at IS NULL;
CREATE INDEX run_measured ON run (workspace_id, finished_at, id) WHERE status IN ('applied', 'errored');
CREATE TABLE run_phase (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      status TEXT NOT NULL,
      timestamps TEXT NOT NULL,
      additions INTEGER NOT NULL,
      changes INTEGER NOT NULL,
      destructions INTEGER NOT NULL,
      imports INTEGER NOT NULL,
      log_bytes INTEGER NOT NULL, preface_bytes INTEGER NOT NULL DEFAULT 0,
      UNIQUE (run_id, kind)
    )STRICT;
CREATE TABLE run_log (
      phase_id TEXT NOT NULL REFERENCES run_phase (id) ON DELETE CASCADE,
      first_byte INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (phase_id, first_byte)
    )STRICT;
CREATE TABLE run_comment (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      body TEXT NOT NULL,
      created_by_type TEXT NOT NULL,
      created_by_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX run_comment_by_run ON run_comment (run_id, created_at, id);
CREATE TABLE run_event (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      action TEXT NOT NULL,
      actor_type TEXT,
      actor_id TEXT,
      comment_id TEXT REFERENCES run_comment (id) ON DELETE SET NULL,
      created_at INTEGER NOT NULL, description TEXT,
      UNIQUE (run_id, number)
    )STRICT;
CREATE INDEX run_event_by_comment ON run_event (comment_id);
CREATE TABLE run_trigger (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      source_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      UNIQUE (workspace_id, source_id)
    )STRICT;
CREATE INDEX run_trigger_by_source ON run_trigger (source_id, id);
CREATE TABLE login_code (
      hash TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      challenge TEXT NOT NULL,
      redirect_uri TEXT NOT NULL,
      description TEXT NOT NULL,
      token_ttl INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    , derived_from TEXT REFERENCES authentication_token (id) ON DELETE CASCADE)STRICT;
CREATE INDEX login_code_by_account ON login_code (account_id);
CREATE INDEX login_code_by_end ON login_code (expires_at);
CREATE INDEX run_by_agent ON run (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX workspace_by_touch ON workspace (organization_id, touched);
CREATE TABLE workspace_clock (ticks INTEGER NOT NULL) STRICT;
CREATE TRIGGER workspace_insert_touched AFTER INSERT ON workspace FOR EACH ROW BEGIN UPDATE workspace_clock SET ticks = ticks + 1;
      UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = NEW.id; END;
CREATE TRIGGER workspace_tag_insert_version AFTER INSERT ON workspace_tag FOR EACH ROW  BEGIN UPDATE tag SET version = version + 1 WHERE id = NEW.tag_id; END;
CREATE TRIGGER workspace_tag_delete_version AFTER DELETE ON workspace_tag FOR EACH ROW  BEGIN UPDATE tag SET version = version + 1 WHERE id = OLD.tag_id; END;
CREATE TRIGGER team_workspace_insert_version AFTER INSERT ON team_workspace FOR EACH ROW  BEGIN UPDATE team SET version = version + 1 WHERE id = NEW.team_id; END;
CREATE TRIGGER team_workspace_delete_version AFTER DELETE ON team_workspace FOR EACH ROW  BEGIN UPDATE team SET version = version + 1 WHERE id = OLD.team_id; END;
CREATE TRIGGER team_workspace_update_version AFTER UPDATE OF shows ON team_workspace FOR EACH ROW WHEN (OLD.shows <> NEW.shows) BEGIN UPDATE team SET version = version + 1 WHERE id = NEW.team_id; END;
CREATE TRIGGER tag_binding_insert_version AFTER INSERT ON tag_binding FOR EACH ROW  BEGIN UPDATE organization SET binding_version = binding_version + 1 WHERE id = NEW.organization_id; END;
CREATE TRIGGER tag_binding_delete_version AFTER DELETE ON tag_binding FOR EACH ROW  BEGIN UPDATE organization SET binding_version = binding_version + 1 WHERE id = OLD.organization_id; END;
CREATE TRIGGER tag_binding_update_version AFTER UPDATE OF value ON tag_binding FOR EACH ROW WHEN (OLD.value <> NEW.value) BEGIN UPDATE organization SET binding_version = binding_version + 1 WHERE id = NEW.organization_id; END;
CREATE TRIGGER project_tag_binding_insert_version AFTER INSERT ON project_tag_binding FOR EACH ROW  BEGIN UPDATE organization SET binding_version = binding_version + 1 WHERE id = NEW.organization_id; END;
CREATE TRIGGER project_tag_binding_delete_version AFTER DELETE ON project_tag_binding FOR EACH ROW  BEGIN UPDATE organization SET binding_version = binding_version + 1 WHERE id = OLD.organization_id; END;
CREATE TRIGGER project_tag_binding_update_version AFTER UPDATE OF value ON project_tag_binding FOR EACH ROW WHEN (OLD.value <> NEW.value) BEGIN UPDATE organization SET binding_version = binding_version + 1 WHERE id = NEW.organization_id; END;
CREATE INDEX organization_membership_by_email ON organization_membership (email, status);
CREATE TABLE tally (
      subject TEXT NOT NULL,
      amount INTEGER NOT NULL DEFAULT 0,
      changes INTEGER NOT NULL DEFAULT 0
    )STRICT;
CREATE INDEX tally_by_subject ON tally (subject, amount, changes);
CREATE INDEX run_stale ON run (id) WHERE stale = 1;
CREATE INDEX run_told ON run (id) WHERE waiting_for IS NOT NULL;
CREATE INDEX run_queued ON run (organization_id, queue_class, queue_turn, id) WHERE queued = 1;
CREATE INDEX run_queued_in_workspace ON run (workspace_id, queue_class, queue_turn) WHERE queued = 1;
CREATE INDEX run_takeable ON run (queue_turn, id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND waiting_for IS NULL;
CREATE TABLE run_task (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      url BLOB NOT NULL,
      hmac_key BLOB,
      enabled INTEGER NOT NULL,
      global_enabled INTEGER NOT NULL,
      global_stages TEXT NOT NULL,
      global_enforcement TEXT NOT NULL,
      target TEXT NOT NULL,
      origin TEXT NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (organization_id, name)
    )STRICT;
CREATE TABLE workspace_task (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      task_id TEXT NOT NULL REFERENCES run_task (id) ON DELETE CASCADE,
      enforcement_level TEXT NOT NULL,
      stages TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (workspace_id, task_id)
    )STRICT;
CREATE INDEX workspace_task_by_task ON workspace_task (task_id, id);
CREATE TABLE task_stage (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      stage TEXT NOT NULL,
      status TEXT NOT NULL,
      timestamps TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (run_id, stage)
    )STRICT;
CREATE TABLE task_result (
      id TEXT PRIMARY KEY,
      stage_id TEXT NOT NULL REFERENCES task_stage (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      organization_id TEXT NOT NULL,
      task_id TEXT NOT NULL,
      task_name TEXT NOT NULL,
      task_url BLOB NOT NULL,
      workspace_task_id TEXT,
      enforcement_level TEXT NOT NULL,
      status TEXT NOT NULL,
      message TEXT NOT NULL,
      url TEXT NOT NULL,
      timestamps TEXT NOT NULL,
      target TEXT NOT NULL,
      tries INTEGER NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL,
      began_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX task_result_by_stage ON task_result (stage_id, place);
CREATE INDEX task_result_due ON task_result (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE task_outcome (
      id TEXT PRIMARY KEY,
      result_id TEXT NOT NULL REFERENCES task_result (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      outcome_id TEXT NOT NULL,
      description TEXT NOT NULL,
      body TEXT NOT NULL,
      url TEXT NOT NULL,
      tags TEXT NOT NULL
    )STRICT;
CREATE INDEX task_outcome_by_result ON task_outcome (result_id, place);
CREATE TABLE machine_identity (
      id TEXT PRIMARY KEY,
      team_id TEXT REFERENCES team (id) ON DELETE CASCADE,
      agent_pool_id TEXT REFERENCES agent_pool (id) ON DELETE CASCADE,
      mount TEXT NOT NULL,
      role TEXT NOT NULL,
      common_name TEXT NOT NULL,
      created_at INTEGER NOT NULL, organization_id TEXT REFERENCES organization (id) ON DELETE CASCADE, last_used_at INTEGER,
      UNIQUE (team_id, mount, role, common_name),
      UNIQUE (agent_pool_id, mount, role, common_name),
      CHECK ((team_id IS NULL) <> (agent_pool_id IS NULL))
    )STRICT;
CREATE INDEX machine_identity_by_role ON machine_identity (mount, role);
CREATE TABLE run_output (
      phase_id TEXT NOT NULL REFERENCES run_phase (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      blob_name TEXT NOT NULL,
      size INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (phase_id, kind)
    )STRICT;
CREATE TRIGGER run_output_delete_release AFTER DELETE ON run_output FOR EACH ROW BEGIN UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0; END;
CREATE INDEX run_saved ON run (created_at, id) WHERE status = 'planned_and_saved';
CREATE INDEX run_by_queue_pool ON run (queue_pool, queue_class, queue_turn, id) WHERE queued = 1 AND queue_class IN (1, 2, 3);
CREATE TABLE agent (
      id TEXT PRIMARY KEY,
      agent_pool_id TEXT REFERENCES agent_pool (id) ON DELETE CASCADE,
      agent_token_id TEXT REFERENCES agent_token (id) ON DELETE CASCADE,
      machine_identity_id TEXT REFERENCES machine_identity (id) ON DELETE CASCADE,
      common_name TEXT NOT NULL,
      name TEXT NOT NULL,
      ip_address TEXT NOT NULL,
      credential TEXT NOT NULL,
      engines TEXT NOT NULL,
      ended TEXT,
      last_ping_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL, any_engine INTEGER NOT NULL DEFAULT 1, forwards_at INTEGER NOT NULL DEFAULT 0,
      CHECK (agent_token_id IS NULL OR machine_identity_id IS NULL),
      CHECK ((agent_pool_id IS NULL) = (agent_token_id IS NULL AND machine_identity_id IS NULL))
    )STRICT;
CREATE INDEX agent_by_pool ON agent (agent_pool_id, created_at, id);
CREATE INDEX agent_by_token ON agent (agent_token_id);
CREATE INDEX agent_by_identity ON agent (machine_identity_id);
CREATE INDEX agent_by_ping ON agent (last_ping_at);
CREATE TABLE identity_key (
      id TEXT PRIMARY KEY,
      generation INTEGER NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      private_key BLOB NOT NULL,
      signs_from INTEGER NOT NULL,
      tokens_until INTEGER NOT NULL
    )STRICT;
CREATE TABLE assessment_result (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      run_id TEXT NOT NULL UNIQUE REFERENCES run (id) ON DELETE CASCADE,
      drifted INTEGER,
      succeeded INTEGER,
      error_message TEXT,
      resources_drifted INTEGER,
      resources_undrifted INTEGER,
      checks_passed INTEGER,
      checks_failed INTEGER,
      checks_errored INTEGER,
      checks_unknown INTEGER,
      created_at INTEGER NOT NULL,
      finished_at INTEGER
    )STRICT;
CREATE INDEX assessment_result_by_workspace ON assessment_result (workspace_id, finished_at, id);
CREATE TABLE assessment_schedule (
      workspace_id TEXT PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      next_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX assessment_schedule_by_time ON assessment_schedule (next_at, workspace_id);
CREATE INDEX run_shown ON run (organization_id, created_at, id) WHERE operation <> 'assessment';
CREATE INDEX run_assessment_takeable ON run (queue_pool, queue_turn, id) WHERE queued = 1 AND queue_class = 5;
CREATE INDEX run_assessment_waiting ON run (created_at, id) WHERE queued = 1 AND queue_class = 5;
CREATE INDEX run_assessment ON run (workspace_id, finished_at, id) WHERE operation = 'assessment';
CREATE INDEX run_running ON run (queue_turn, id) WHERE queued = 1 AND queue_class IN (0, 6);
CREATE TABLE change (
        number INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        subject_id TEXT NOT NULL,
        workspace_id TEXT NOT NULL,
        organization_id TEXT NOT NULL,
        happened_at INTEGER NOT NULL
      )STRICT;
CREATE TRIGGER workspace_insert_told_workspace AFTER INSERT ON workspace FOR EACH ROW  BEGIN INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES ('workspace', NEW.id, NEW.id, NEW.organization_id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
CREATE TRIGGER workspace_update_told_workspace AFTER UPDATE OF name, project_id, settings, current_state_version_id ON workspace FOR EACH ROW WHEN (OLD.name IS NOT NEW.name OR OLD.project_id IS NOT NEW.project_id OR OLD.settings IS NOT NEW.settings OR OLD.current_state_version_id IS NOT NEW.current_state_version_id) BEGIN INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES ('workspace', NEW.id, NEW.id, NEW.organization_id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
CREATE TRIGGER workspace_update_told_lock AFTER UPDATE OF lock_holder_id ON workspace FOR EACH ROW WHEN (OLD.lock_holder_id IS NOT NEW.lock_holder_id) BEGIN INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES ('lock', NEW.id, NEW.id, NEW.organization_id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
CREATE TRIGGER run_insert_told_run AFTER INSERT ON run FOR EACH ROW  BEGIN INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES ('run', NEW.id, NEW.workspace_id, NEW.organization_id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
CREATE TRIGGER run_update_told_run AFTER UPDATE OF status ON run FOR EACH ROW WHEN (OLD.status IS NOT NEW.status) BEGIN INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES ('run', NEW.id, NEW.workspace_id, NEW.organization_id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
CREATE INDEX machine_identity_by_organization ON machine_identity (organization_id, mount, role, id);
CREATE TABLE session (
      token_id TEXT PRIMARY KEY REFERENCES authentication_token (id) ON DELETE CASCADE,
      signed_in_by TEXT NOT NULL,
      address TEXT NOT NULL,
      browser TEXT NOT NULL
    , provider_session TEXT, authenticated_at INTEGER, passkey_id TEXT)STRICT;
CREATE TABLE federated_identity (
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL, directory_id TEXT,
      PRIMARY KEY (issuer, subject)
    )STRICT;
CREATE INDEX federated_identity_by_account ON federated_identity (account_id);
CREATE INDEX team_by_sso_team_id ON team (sso_team_id);
CREATE INDEX session_by_provider_session ON session (provider_session);
CREATE TABLE pipeline_identity (
      id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      description TEXT NOT NULL,
      issuer TEXT NOT NULL,
      jwks_url TEXT NOT NULL,
      audiences TEXT NOT NULL,
      claims TEXT NOT NULL,
      token_ttl INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    )STRICT;
CREATE INDEX pipeline_identity_by_team ON pipeline_identity (team_id, id);
CREATE INDEX authentication_token_by_pipeline ON authentication_token (pipeline_identity_id, expires_at);
CREATE TABLE scim_setting (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      enabled INTEGER NOT NULL,
      paused INTEGER NOT NULL,
      site_admin_group_id TEXT
    )STRICT;
CREATE TABLE scim_user (
      account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      user_name TEXT NOT NULL,
      external_id TEXT,
      resource TEXT NOT NULL,
      active INTEGER NOT NULL,
      deleted INTEGER NOT NULL,
      suspended_at INTEGER,
      adopted INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE UNIQUE INDEX scim_user_by_name ON scim_user (user_name);
CREATE INDEX scim_user_by_external_id ON scim_user (external_id);
CREATE UNIQUE INDEX scim_user_of_external_id ON scim_user (external_id) WHERE deleted = 0;
CREATE INDEX scim_user_in_order ON scim_user (deleted, created_at, account_id);
CREATE INDEX federated_identity_by_directory_id ON federated_identity (directory_id);
CREATE TABLE scim_group (
      id TEXT PRIMARY KEY,
      display_name TEXT NOT NULL,
      folded_name TEXT NOT NULL,
      external_id TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE UNIQUE INDEX scim_group_by_name ON scim_group (folded_name);
CREATE INDEX scim_group_by_external_id ON scim_group (external_id);
CREATE TABLE scim_group_member (
      group_id TEXT NOT NULL REFERENCES scim_group (id) ON DELETE CASCADE,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (group_id, account_id)
    )STRICT;
CREATE INDEX scim_group_member_by_account ON scim_group_member (account_id);
CREATE INDEX authentication_token_of_scim ON authentication_token (id) WHERE purpose = 'scim';
CREATE INDEX team_by_scim_group ON team (scim_group_id);
CREATE TABLE sign_in_provider (
      organization_id TEXT PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
      revision TEXT NOT NULL,
      settings TEXT NOT NULL,
      client_secret BLOB,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE TABLE organization_identity (
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (organization_id, issuer, subject)
    )STRICT;
CREATE INDEX organization_identity_by_account ON organization_identity (account_id);
CREATE INDEX account_by_organization ON account (organization_id);
CREATE INDEX run_by_status ON run (organization_id, status, created_at, workspace_id)
     WHERE operation <> 'assessment';
CREATE TABLE backup_attempt (
      id TEXT PRIMARY KEY,
      scheduled INTEGER NOT NULL,
      destination TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      alive_until INTEGER NOT NULL,
      ended_at INTEGER,
      whole INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      missing INTEGER NOT NULL DEFAULT 0
    ) STRICT;
CREATE INDEX backup_attempt_by_end ON backup_attempt (whole, ended_at);
CREATE INDEX backup_attempt_by_start ON backup_attempt (scheduled, started_at);
CREATE INDEX run_waits_for_agent ON run (queue_pool, queued_since, queue_class, queued, agent_id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND agent_id IS NULL;
CREATE INDEX run_not_over ON run (status, finished_at, operation)
     WHERE finished_at IS NULL AND operation <> 'assessment';
CREATE TABLE audit_trail (
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      last_number INTEGER NOT NULL,
      first_number INTEGER NOT NULL,
      happened_at INTEGER NOT NULL,
      events TEXT NOT NULL,
      PRIMARY KEY (organization_id, last_number)
    )STRICT;
CREATE INDEX audit_trail_by_time ON audit_trail (organization_id, happened_at, last_number);
CREATE TABLE run_planned (
      run_id TEXT NOT NULL PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      facts TEXT NOT NULL
    )STRICT;
CREATE INDEX authentication_token_by_origin ON authentication_token (derived_from);
CREATE INDEX login_code_by_origin ON login_code (derived_from);
CREATE TABLE vcs_repository (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      connection_id TEXT NOT NULL,
      oauth_token_id TEXT REFERENCES oauth_token (id) ON DELETE CASCADE,
      provider_id TEXT NOT NULL,
      identifier TEXT NOT NULL,
      display_identifier TEXT NOT NULL,
      http_url TEXT NOT NULL,
      git_url TEXT NOT NULL,
      default_branch TEXT,
      is_private INTEGER NOT NULL,
      health TEXT NOT NULL,
      health_reason TEXT,
      health_since INTEGER NOT NULL,
      looked_at INTEGER,
      described_at INTEGER NOT NULL,
      pulls_etag TEXT,
      wakes INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      UNIQUE (connection_id, provider_id)
    )STRICT;
CREATE INDEX vcs_repository_by_token ON vcs_repository (oauth_token_id);
CREATE INDEX vcs_repository_by_organization ON vcs_repository (organization_id, identifier);
CREATE INDEX vcs_repository_due ON vcs_repository (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE vcs_workspace (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL UNIQUE REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      connection_id TEXT NOT NULL,
      identifier TEXT NOT NULL,
      branch TEXT,
      follows_tags INTEGER NOT NULL,
      first_run INTEGER NOT NULL,
      repository_id TEXT REFERENCES vcs_repository (id) ON DELETE SET NULL,
      problem TEXT,
      linked_at INTEGER NOT NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0
    )STRICT;
CREATE INDEX vcs_workspace_by_repository ON vcs_workspace (repository_id, workspace_id);
CREATE INDEX vcs_workspace_by_connection ON vcs_workspace (connection_id, identifier);
CREATE INDEX vcs_workspace_due ON vcs_workspace (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE vcs_ref (
      repository_id TEXT NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      commit_id TEXT NOT NULL,
      PRIMARY KEY (repository_id, name)
    )STRICT;
CREATE TABLE vcs_pull (
      repository_id TEXT NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      state TEXT NOT NULL,
      head_id TEXT NOT NULL,
      head_ref TEXT NOT NULL,
      base_ref TEXT NOT NULL,
      is_fork INTEGER NOT NULL,
      is_draft INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (repository_id, number)
    )STRICT;
CREATE TABLE vcs_hook (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id TEXT UNIQUE REFERENCES vcs_repository (id) ON DELETE CASCADE,
      service_provider TEXT NOT NULL,
      key TEXT NOT NULL UNIQUE,
      secret BLOB NOT NULL,
      provider_hook_id TEXT,
      state TEXT NOT NULL,
      problem TEXT,
      tried_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_delivery_at INTEGER
    , github_app_id TEXT REFERENCES github_app (id) ON DELETE CASCADE)STRICT;
CREATE TABLE vcs_delivery (
      id TEXT PRIMARY KEY,
      hook_id TEXT NOT NULL REFERENCES vcs_hook (id) ON DELETE CASCADE,
      repository_id TEXT REFERENCES vcs_repository (id) ON DELETE CASCADE,
      delivery_id TEXT NOT NULL,
      hints TEXT NOT NULL,
      outcome TEXT,
      received_at INTEGER NOT NULL,
      UNIQUE (hook_id, delivery_id)
    )STRICT;
CREATE INDEX vcs_delivery_by_repository ON vcs_delivery (repository_id, received_at);
CREATE INDEX vcs_delivery_by_time ON vcs_delivery (received_at);
CREATE TABLE vcs_event (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id TEXT NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      ref TEXT NOT NULL,
      before_id TEXT,
      after_id TEXT,
      details TEXT NOT NULL,
      state TEXT NOT NULL,
      problem TEXT,
      created_at INTEGER NOT NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0
    )STRICT;
CREATE INDEX vcs_event_by_repository ON vcs_event (repository_id, created_at);
CREATE INDEX vcs_event_by_ref ON vcs_event (repository_id, kind, ref, id);
CREATE INDEX vcs_event_by_only_workspace ON vcs_event (workspace_id);
CREATE INDEX vcs_event_by_organization ON vcs_event (organization_id, created_at);
CREATE INDEX vcs_event_by_time ON vcs_event (created_at);
CREATE INDEX vcs_event_due ON vcs_event (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE vcs_verdict (
      event_id TEXT NOT NULL REFERENCES vcs_event (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      outcome TEXT NOT NULL,
      detail TEXT NOT NULL,
      run_id TEXT,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (event_id, workspace_id)
    )STRICT;
CREATE INDEX vcs_verdict_by_workspace ON vcs_verdict (workspace_id, created_at);
CREATE TABLE vcs_run (
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      commit_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      run_id TEXT NOT NULL,
      event_id TEXT,
      pull_number INTEGER,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (workspace_id, commit_id, kind)
    )STRICT;
CREATE INDEX vcs_run_by_run ON vcs_run (run_id);
CREATE INDEX vcs_run_by_time ON vcs_run (workspace_id, created_at);
CREATE INDEX vcs_run_by_pull ON vcs_run (workspace_id, pull_number);
CREATE TABLE vcs_archive (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id TEXT NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      commit_id TEXT NOT NULL,
      submodules INTEGER NOT NULL,
      blob_name TEXT NOT NULL,
      size INTEGER NOT NULL,
      notes TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      UNIQUE (repository_id, commit_id, submodules)
    )STRICT;
CREATE INDEX vcs_archive_by_use ON vcs_archive (used_at);
CREATE TABLE github_app (
          id TEXT PRIMARY KEY,
          organization_id TEXT NOT NULL UNIQUE REFERENCES organization (id) ON DELETE CASCADE,
          http_url TEXT NOT NULL,
          api_url TEXT NOT NULL,
          app_id TEXT NOT NULL,
          client_id TEXT NOT NULL,
          slug TEXT NOT NULL,
          name TEXT NOT NULL,
          secrets BLOB NOT NULL,
          created_at INTEGER NOT NULL
        )STRICT;
CREATE TABLE github_app_installation (
          id TEXT PRIMARY KEY,
          organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          github_app_id TEXT NOT NULL REFERENCES github_app (id) ON DELETE CASCADE,
          installation_id INTEGER NOT NULL,
          account_type TEXT NOT NULL,
          icon_url TEXT NOT NULL,
          installation_url TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          account TEXT,
          scopes TEXT NOT NULL DEFAULT '[]',
          status TEXT NOT NULL DEFAULT 'unverified',
          status_reason TEXT,
          status_since INTEGER,
          checked_at INTEGER,
          target TEXT NOT NULL DEFAULT '',
          due_at INTEGER,
          claim TEXT,
          claimed_until INTEGER NOT NULL DEFAULT 0,
          failures INTEGER NOT NULL DEFAULT 0,
          UNIQUE (github_app_id, installation_id)
        )STRICT;
CREATE INDEX github_app_installation_by_organization ON github_app_installation (organization_id, id);
CREATE INDEX oauth_token_due ON oauth_token (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX github_app_installation_due ON github_app_installation (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX workspace_by_github_app_installation ON workspace (github_app_installation_id);
CREATE TABLE github_app_account (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      github_app_id TEXT NOT NULL REFERENCES github_app (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (account_id, github_app_id)
    )STRICT;
CREATE TABLE vcs_authorization (
      hash TEXT PRIMARY KEY,
      purpose TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES authentication_token (id) ON DELETE CASCADE,
      expires_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX vcs_authorization_by_session ON vcs_authorization (session_id);
CREATE UNIQUE INDEX blob_by_organization ON blob (organization_id, content_hash);
CREATE TABLE ingress_attributes (
      id TEXT PRIMARY KEY,
      configuration_version_id TEXT NOT NULL UNIQUE REFERENCES configuration_version (id) ON DELETE CASCADE,
      attributes TEXT NOT NULL
    )STRICT;
CREATE TABLE commit_fetch (
      id TEXT PRIMARY KEY REFERENCES configuration_version (id) ON DELETE CASCADE,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      ref TEXT,
      created_by_name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0
    )STRICT;
CREATE TABLE configuration_readme (
      blob_name TEXT NOT NULL REFERENCES blob (name) ON DELETE CASCADE,
      working_directory TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (blob_name, working_directory)
    )STRICT;
CREATE INDEX commit_fetch_due ON commit_fetch (due_at) WHERE due_at IS NOT NULL;
CREATE TRIGGER configuration_version_delete_release AFTER DELETE ON configuration_version FOR EACH ROW
             WHEN OLD.blob_name IS NOT NULL BEGIN UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0; END;
CREATE TRIGGER vcs_archive_delete_release AFTER DELETE ON vcs_archive FOR EACH ROW
             WHEN OLD.blob_name IS NOT NULL BEGIN UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0; END;
CREATE TABLE vcs_report (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id TEXT NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      event_id TEXT,
      closed INTEGER NOT NULL DEFAULT 0,
      marks INTEGER NOT NULL DEFAULT 0,
      problem TEXT,
      sent_at INTEGER,
      changed_at INTEGER NOT NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      UNIQUE (repository_id, kind, subject)
    )STRICT;
CREATE INDEX vcs_report_by_organization ON vcs_report (organization_id);
CREATE INDEX vcs_report_due ON vcs_report (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX vcs_report_by_time ON vcs_report (changed_at);
CREATE TABLE vcs_report_item (
      report_id TEXT NOT NULL REFERENCES vcs_report (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      context TEXT NOT NULL,
      state TEXT NOT NULL,
      sent TEXT,
      provider_id TEXT,
      sent_at INTEGER NOT NULL,
      PRIMARY KEY (report_id, kind, context)
    )STRICT;
CREATE INDEX vcs_event_by_commit ON vcs_event (repository_id, after_id);
CREATE TABLE vcs_fork_approval (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      repository_id TEXT NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      pull_number INTEGER NOT NULL,
      commit_id TEXT NOT NULL,
      approved_by TEXT NOT NULL,
      approved_by_name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (workspace_id, repository_id, pull_number, commit_id)
    )STRICT;
CREATE INDEX vcs_fork_approval_by_commit ON vcs_fork_approval (repository_id, pull_number, commit_id);
CREATE INDEX vcs_hook_by_github_app ON vcs_hook (github_app_id);
CREATE TABLE vcs_hook_removal (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      service_provider TEXT NOT NULL,
      api_url TEXT NOT NULL,
      http_url TEXT NOT NULL,
      agent_pool_id TEXT,
      credential_kind TEXT NOT NULL,
      token BLOB NOT NULL,
      provider_id TEXT NOT NULL,
      identifier TEXT NOT NULL,
      provider_hook_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0
    )STRICT;
CREATE INDEX vcs_hook_removal_by_organization ON vcs_hook_removal (organization_id);
CREATE INDEX vcs_hook_removal_due ON vcs_hook_removal (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX vcs_event_open ON vcs_event (state) WHERE state <> 'done';
CREATE TABLE forwarded_request (
      id TEXT PRIMARY KEY,
      agent_pool_id TEXT NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      agent_id TEXT,
      request BLOB NOT NULL,
      parts INTEGER NOT NULL DEFAULT 0,
      taken INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      deadline INTEGER NOT NULL
    )STRICT;
CREATE INDEX forwarded_request_by_pool ON forwarded_request (agent_pool_id, created_at);
CREATE INDEX forwarded_request_by_deadline ON forwarded_request (deadline);
CREATE TABLE forwarded_part (
      request_id TEXT NOT NULL REFERENCES forwarded_request (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (request_id, number)
    )STRICT;
CREATE TABLE auto_destroy (
      workspace_id TEXT PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      state TEXT NOT NULL,
      due_at INTEGER,
      next_at INTEGER,
      reminded INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      run_id TEXT
    )STRICT;
CREATE INDEX auto_destroy_running ON auto_destroy (organization_id) WHERE state = 'running';
CREATE INDEX auto_destroy_errored ON auto_destroy (organization_id, due_at)
     WHERE state IN ('blocked', 'failed', 'stopped');
CREATE TABLE auto_destroy_project (
      project_id TEXT PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
      after_id TEXT NOT NULL
    , next_at INTEGER NOT NULL DEFAULT 0)STRICT;
CREATE INDEX workspace_in_project ON workspace (project_id, id);
CREATE TABLE schedule (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
      project_id TEXT REFERENCES project (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      operation TEXT NOT NULL,
      cron TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      jitter INTEGER NOT NULL,
      when_busy TEXT NOT NULL,
      paused INTEGER NOT NULL,
      next_at INTEGER,
      distributed_to TEXT NOT NULL,
      occurred_at INTEGER,
      fired_at INTEGER,
      created_at INTEGER NOT NULL,
      CHECK ((workspace_id IS NULL) <> (project_id IS NULL)),
      UNIQUE (workspace_id, name),
      UNIQUE (project_id, name)
    )STRICT;
CREATE INDEX schedule_by_organization ON schedule (organization_id);
CREATE INDEX schedule_by_clock ON schedule (fired_at, id) WHERE next_at IS NOT NULL;
CREATE TABLE schedule_exclusion (
      schedule_id TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (schedule_id, workspace_id)
    )STRICT;
CREATE INDEX schedule_exclusion_by_workspace ON schedule_exclusion (workspace_id);
CREATE TABLE schedule_task (
      schedule_id TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id TEXT NOT NULL,
      occurred_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      PRIMARY KEY (schedule_id, workspace_id)
    )STRICT;
CREATE INDEX schedule_task_by_workspace ON schedule_task (workspace_id);
CREATE TABLE schedule_outcome (
      id TEXT PRIMARY KEY,
      schedule_id TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      status TEXT NOT NULL,
      reason TEXT,
      run_id TEXT,
      occurred_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX schedule_outcome_by_workspace ON schedule_outcome (schedule_id, workspace_id, id);
CREATE INDEX schedule_outcome_by_schedule ON schedule_outcome (schedule_id, id);
CREATE INDEX schedule_outcome_of_workspace ON schedule_outcome (workspace_id);
CREATE INDEX run_scheduled ON run (organization_id, queue_class) WHERE queued = 1 AND trigger_reason IN ('schedule', 'assessment');
CREATE TABLE approval_rule (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id TEXT REFERENCES project (id) ON DELETE CASCADE,
      workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      required INTEGER NOT NULL,
      requester_may_approve INTEGER NOT NULL,
      operations TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX approval_rule_by_project ON approval_rule (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX approval_rule_by_workspace ON approval_rule (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE TABLE approval_rule_team (
      rule_id TEXT NOT NULL REFERENCES approval_rule (id) ON DELETE CASCADE,
      team_id TEXT NOT NULL,
      team_name TEXT NOT NULL,
      PRIMARY KEY (rule_id, team_id)
    )STRICT;
CREATE TABLE run_approval (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      comment_id TEXT,
      times INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      revoked_at INTEGER,
      UNIQUE (run_id, user_id)
    )STRICT;
CREATE TABLE "notification_configuration" (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    destination_type TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    triggers TEXT NOT NULL,
    url BLOB NOT NULL,
    token BLOB,
    responses BLOB,
    target TEXT NOT NULL,
    origin TEXT NOT NULL,
    version INTEGER NOT NULL,
    queued INTEGER NOT NULL,
    due_at INTEGER,
    claim TEXT,
    claimed_until INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  , project_id TEXT REFERENCES project (id) ON DELETE CASCADE, team_id TEXT REFERENCES team (id) ON DELETE CASCADE, email_users TEXT NOT NULL DEFAULT '[]', email_addresses TEXT NOT NULL DEFAULT '[]', digest TEXT, digest_at INTEGER)STRICT;
CREATE TABLE "notification_delivery" (
    id TEXT PRIMARY KEY,
    configuration_id TEXT NOT NULL REFERENCES "notification_configuration" (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    content TEXT NOT NULL,
    tries INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )STRICT;
CREATE INDEX notification_configuration_by_workspace ON notification_configuration (workspace_id, id);
CREATE INDEX notification_configuration_by_organization ON notification_configuration (organization_id);
CREATE INDEX notification_configuration_due ON notification_configuration (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notification_delivery_in_turn
   ON notification_delivery (configuration_id, created_at, place, id);
CREATE INDEX notification_configuration_by_project ON notification_configuration (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX notification_configuration_by_team ON notification_configuration (team_id, id) WHERE team_id IS NOT NULL;
CREATE INDEX notification_configuration_of_all ON notification_configuration (organization_id, id)
     WHERE workspace_id IS NULL AND project_id IS NULL AND team_id IS NULL;
CREATE INDEX notification_configuration_digest ON notification_configuration (digest_at, id)
     WHERE digest_at IS NOT NULL;
CREATE INDEX workspace_assessed ON workspace (organization_id, name, assessment_result_id, id, project_id) WHERE assessment_result_id IS NOT NULL;
CREATE TRIGGER workspace_update_touched AFTER UPDATE OF name, project_id, latest_change_at, current_run_status, current_run_created_at, settings, current_state_version_id, version ON workspace FOR EACH ROW
       WHEN (OLD.name IS NOT NEW.name OR OLD.project_id IS NOT NEW.project_id OR OLD.latest_change_at IS NOT NEW.latest_change_at OR OLD.current_run_status IS NOT NEW.current_run_status OR OLD.current_run_created_at IS NOT NEW.current_run_created_at OR OLD.settings IS NOT NEW.settings OR OLD.current_state_version_id IS NOT NEW.current_state_version_id OR (OLD.version <> NEW.version AND NOT (OLD.lock_holder_id IS NOT NEW.lock_holder_id))) BEGIN UPDATE workspace_clock SET ticks = ticks + 1;
       UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = NEW.id; END;
CREATE TRIGGER workspace_tag_delete_touched AFTER DELETE ON workspace_tag FOR EACH ROW
       BEGIN UPDATE workspace_clock SET ticks = ticks + 1;
       UPDATE workspace SET touched = (SELECT ticks FROM workspace_clock) WHERE id = OLD.workspace_id; END;
CREATE TABLE run_packages (
      run_id TEXT PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      packages TEXT NOT NULL
    )STRICT;
CREATE TABLE workspace_packages (
      workspace_id TEXT PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      packages TEXT,
      recorded_at INTEGER,
      applied_at INTEGER
    )STRICT;
CREATE TABLE explorer_view (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      query_type TEXT NOT NULL,
      query TEXT NOT NULL,
      created_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX explorer_view_by_organization ON explorer_view (organization_id, name, id);
CREATE TABLE run_requester (
      run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      part TEXT NOT NULL,
      type TEXT NOT NULL,
      id TEXT NOT NULL,
      members TEXT,
      PRIMARY KEY (run_id, part, type, id)
    )STRICT;
CREATE TABLE schedule_author (
      schedule_id TEXT PRIMARY KEY REFERENCES schedule (id) ON DELETE CASCADE,
      by_type TEXT NOT NULL,
      by_id TEXT NOT NULL
    )STRICT;
CREATE TABLE auto_destroy_author (
      workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      part TEXT NOT NULL,
      by_type TEXT NOT NULL,
      by_id TEXT NOT NULL,
      PRIMARY KEY (workspace_id, part)
    )STRICT;
CREATE TABLE auto_destroy_project_author (
      project_id TEXT PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
      by_type TEXT NOT NULL,
      by_id TEXT NOT NULL
    )STRICT;
CREATE TABLE organization_turn (
      work TEXT NOT NULL,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      due_at INTEGER NOT NULL,
      served_at INTEGER NOT NULL,
      PRIMARY KEY (work, organization_id)
    )STRICT;
CREATE INDEX organization_turn_by_time ON organization_turn (work, due_at, served_at, organization_id);
CREATE INDEX organization_turn_by_clock ON organization_turn (work, served_at);
CREATE INDEX organization_turn_of ON organization_turn (organization_id);
CREATE TRIGGER schedule_insert_turn AFTER INSERT ON schedule FOR EACH ROW WHEN (NEW.next_at IS NOT NULL) BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'schedule', NEW.organization_id, NEW.next_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'schedule' AND organization_id = NEW.organization_id AND due_at <= NEW.next_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.next_at; END;
CREATE TRIGGER schedule_update_turn AFTER UPDATE OF next_at ON schedule FOR EACH ROW WHEN (NEW.next_at IS NOT NULL AND (OLD.next_at IS NULL OR NEW.next_at < OLD.next_at)) BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'schedule', NEW.organization_id, NEW.next_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'schedule' AND organization_id = NEW.organization_id AND due_at <= NEW.next_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.next_at; END;
CREATE TRIGGER schedule_task_insert_turn AFTER INSERT ON schedule_task FOR EACH ROW WHEN (NEW.due_at IS NOT NULL) BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'schedule_task', NEW.organization_id, NEW.due_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'schedule_task' AND organization_id = NEW.organization_id AND due_at <= NEW.due_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.due_at; END;
CREATE TRIGGER schedule_task_update_turn AFTER UPDATE OF due_at ON schedule_task FOR EACH ROW WHEN (NEW.due_at IS NOT NULL AND (OLD.due_at IS NULL OR NEW.due_at < OLD.due_at)) BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'schedule_task', NEW.organization_id, NEW.due_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'schedule_task' AND organization_id = NEW.organization_id AND due_at <= NEW.due_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.due_at; END;
CREATE TRIGGER auto_destroy_insert_turn AFTER INSERT ON auto_destroy FOR EACH ROW WHEN (NEW.next_at IS NOT NULL) BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'auto_destroy', NEW.organization_id, NEW.next_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'auto_destroy' AND organization_id = NEW.organization_id AND due_at <= NEW.next_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.next_at; END;
CREATE TRIGGER auto_destroy_update_turn AFTER UPDATE OF next_at ON auto_destroy FOR EACH ROW WHEN (NEW.next_at IS NOT NULL AND (OLD.next_at IS NULL OR NEW.next_at < OLD.next_at)) BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'auto_destroy', NEW.organization_id, NEW.next_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'auto_destroy' AND organization_id = NEW.organization_id AND due_at <= NEW.next_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.next_at; END;
CREATE INDEX schedule_by_turn ON schedule (organization_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX schedule_task_by_turn ON schedule_task (organization_id, due_at, schedule_id, workspace_id);
CREATE INDEX auto_destroy_by_turn ON auto_destroy (organization_id, next_at, due_at) WHERE next_at IS NOT NULL;
CREATE INDEX auto_destroy_look ON auto_destroy (organization_id, next_at, due_at)
     WHERE next_at IS NOT NULL AND (state = 'running' OR due_at IS NULL OR next_at < due_at);
CREATE INDEX auto_destroy_project_by_time ON auto_destroy_project (next_at, project_id);
CREATE TABLE email_usage (
       organization_id TEXT PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
       began_at INTEGER NOT NULL,
       recipients INTEGER NOT NULL
     ) STRICT;
CREATE TABLE postponed_work (
       kind TEXT NOT NULL,
       id TEXT NOT NULL,
       due_at INTEGER NOT NULL,
       PRIMARY KEY (kind, id)
     ) STRICT;
CREATE TABLE passkey (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      credential_id TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      host TEXT NOT NULL,
      name TEXT NOT NULL,
      transports TEXT NOT NULL,
      is_syncable INTEGER NOT NULL,
      is_synced INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    )STRICT;
CREATE INDEX passkey_by_account ON passkey (account_id, id);
CREATE TABLE answered_challenge (
      challenge TEXT PRIMARY KEY,
      expires_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX answered_challenge_by_end ON answered_challenge (expires_at);
CREATE INDEX session_by_passkey ON session (passkey_id);
CREATE TABLE invitation_link (
      hash TEXT PRIMARY KEY,
      membership_id TEXT NOT NULL REFERENCES organization_membership (id) ON DELETE CASCADE,
      mailed INTEGER NOT NULL,
      created_by TEXT REFERENCES account (id) ON DELETE SET NULL,
      expires_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX invitation_link_by_membership ON invitation_link (membership_id);
CREATE INDEX invitation_link_by_creator ON invitation_link (created_by);
CREATE INDEX invitation_link_by_end ON invitation_link (expires_at);
CREATE TABLE invitation_mail (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      membership_id TEXT NOT NULL,
      invited_by TEXT REFERENCES account (id) ON DELETE SET NULL,
      target TEXT NOT NULL,
      due_at INTEGER,
      claim TEXT,
      claimed_until INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    )STRICT;
CREATE INDEX invitation_mail_due ON invitation_mail (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX invitation_mail_by_organization ON invitation_mail (organization_id, created_at);
CREATE INDEX invitation_mail_by_membership ON invitation_mail (membership_id);
CREATE INDEX invitation_mail_by_inviter ON invitation_mail (invited_by);
INSERT INTO change_counter (topic, version) VALUES ('mounts', 0);
INSERT INTO change_counter (topic, version) VALUES ('policies', 0);
INSERT INTO change_counter (topic, version) VALUES ('identity', 0);
INSERT INTO retention_sweep (id, policy_id, workspace_name, holder, held_until, due_at) VALUES (1, '', '', '', 0, 0);
INSERT INTO workspace_clock (ticks) VALUES (0);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0001-mounts-roles-tokens', '7a24a4be084437bf2ff21e59b2f7d1d1cf3c59150fa1b49442be682d6a125722', 1795831611702, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0002-crls', '2a567f6486df25239fbfcbb2803e298a8d59021812e95b6d26aa5d56ec118973', 1795831611706, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0003-access-control', '581f3e1f8788f726fd50fab7b26a6b95d4ed8468eb2e88839126d6db95603591', 1795831611713, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0004-intermediates', '52e7283bbaba01e95e237fd8cc704d81938e8780095311ef8044acd3ccc6638b', 1795831611716, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0005-removed-roles', 'f498b2e564af28dfb56b56566723b7d1f486e0ea73f46d231b7e49d8e840db06', 1795831611719, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0006-policy-fields', 'e77b2ca813dae1038dcd7d739c035a913d3e8763a493466f567b4cabaed9b7fa', 1795831611726, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0007-identity-groups', 'dff8e1ddb0f3002edce2ca0a908b37a6b42f16f6dd8c75f9b2283e626743ca01', 1795831611732, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0008-mount-flags', 'fc1758b81779db565a4d210cae1ad552c6af0c482494ce90bf7d069161c782f4', 1795831611735, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0009-token-parents', '69d28855ff0237fc2776cd46b98bcf7fb683145cddc69eef2a4ad61b8d81031a', 1795831611738, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('access', '0011-policy-uses', '28a31b15bf4f5162550f3c3002f5fe900304461df4112d07f66ea083478bb321', 1795831611745, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0001-people', '2f660c2ab12bdcb6f524e18c0ee34f5e30c0c4240acf8c65dbbec1728e98ab36', 1795831611779, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0002-work', 'fa0bc3d126b5287e3f328231f34c9cd3714890278d6708ca2e0cb8d36ef86a10', 1795831611785, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0003-access', 'd2204e16fe8bf221174adae40c59207f2ce87d85384acc21be666b234f289d47', 1795831611794, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0004-settings', '4ed86f0ee7cb6ca625b00b38bc744da3e6f9728e854b44ecb1c470062ac7f9a0', 1795831611817, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0005-workspace', '66a386f718ae0ce9f6095cdb4fb8ccbf1cfaa255c73f84a341fb1bc395ecdbfc', 1795831611835, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0006-variables', '4f3fd76a7d115002ab718800dedac1ddc8baf396a3c724eccbe869796d3235c2', 1795831611842, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0007-states', 'cdaa112537083174e8c078877d2234b4ea5e2e59537db74fe021bcfc047314a8', 1795831611844, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0008-runs', '4552d9d50a2ad46c43dd20bc1b65420b08611e1bcb28ab3830b07a0d944c04e6', 1795831611847, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0009-login', '1a002605e7075f094e64a90083828991eaeef5b966d7346faa5455f30c177cee', 1795831611851, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0010-listing', '59f795ac3833f90c52830f59d8378df0e89bc8e37aefad1b77a9da45aeb114e1', 1795831611858, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0011-agents', 'fba23481c6e84755a64e0ae9b9296961add0668d2b520420509dfa3e037fc568', 1795831611867, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0012-roster', '1580b2509c656614ad22a70d567441304a00752c98776d805bca992f44ce5dd6', 1795831611889, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0013-invitations', '00c5024c44cf929309ebf3d84aa3588c6f07a96e3916596557b8f9c9ed4e34a5', 1795831611895, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0014-notifications', 'b9ffcc4a32fbe13177fbbc1c0d6c606a78c0fbde4822b770dc7a018893b38f72', 1795831611901, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0015-tally', '12bd45abc45c2458ab2361f8319d79a3d6b30dc9dca791dfb1890a8eaa419dcc', 1795831611904, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0016-queue', 'f47343d633d3b27a6a1056f016e1deb354bf36919eba6f11411b0b082d039718', 1795831611916, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0017-run-tasks', 'f81c4a54b8a9a4ec438a033392cb861aee03ce2444c7221c2d1382d5799d98d8', 1795831611918, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0018-pool-identities', 'abf961304361653efa818b5e0ebfd2675bd9ca1dbbcc58b5fc8bfd5f72f3f918', 1795831611921, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0019-certified-agents', '92bec4f7cbd18e58129f2bf7d6b0155a1d545ff3f6dce7a484db1fe6672aa719', 1795831611923, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0020-run-outputs', '13e47f99eac680ec5caaf3603acafbb29b9e147312aa92a0ddf8ad0f79592413', 1795831611925, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0021-engines', '5859087d2bee2d3e6e4a0269499c9fa125da1ae41d1b45167023e306b4542197', 1795831611927, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0022-jobs', '51d60a58d99be6b041dfa5f3cb2e8406895999de66e20354e5c37c15c1e7c733', 1795831611934, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0023-workload-identity', 'c1fc1a174d9fcbdc61278c523d99548f554948b2228216dde53415e77716070a', 1795831611935, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0024-assessments', '4e953c5fe09a933283fb4ab25bb76c02276cbb639add85f81eacfaf9d1b22e35', 1795831611940, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0025-dependencies', '4f3a7a1b3c1070138291916f10724101f140db6ad6d2bbecf2951af6cbd66d89', 1795831611942, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0026-standing', 'cc58dba4c9a36e5b997455ec96108a5a57c7611e967f25fb0248a161bf9834bf', 1795831611946, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0028-site-admins', 'c8fbc4e7b0df126d07e17c76890f8e24d721d13fb23a6c76cf8d691a78311481', 1795831611950, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0029-changes', 'be6edfebf588705f0f840f35065744168357b9ff24db163d745dc5a2b7efcd63', 1795831611953, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0031-identity-list', 'c358093285aa491f2a65a5685c97c3eb32553f772cd7f78d1ce7f1c2271a8f5a', 1795831611958, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0033-sessions', 'bf8b85b354c585e8d4be85d2c6b7cf2f2a85330a4a4200e85c0558624cc54ab8', 1795831611961, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0034-federation', '52a786a980ea261b98ca9e0aca6e92fc7c6434622eec6abb471eda87ea056697', 1795831611966, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0035-provider-sessions', '517058322e1e1b11e26bc38891a4fefa38f8d4af8db358c9cb5636df3765d3e1', 1795831611970, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0036-pipeline-identities', 'e4db442e8ea0573be6e14704cd12333e07411d162b8f2cb20764a229fb2bdc7f', 1795831611972, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0037-scim', 'e217bd3b65fb6b5a6b78b3d39f523d07bd22a02d9d167f6797700a48da19051a', 1795831611980, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0038-organization-providers', '99e879f691d45785bbdd4e4f9965a8b09351667db7e2b31f86d647c5806c8a83', 1795831611984, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0039-run-counts', 'dbb6eecf72f34428b6656675ec1243845377b937ae52288e9a2a8e808845b579', 1795831611986, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0040-well-formed', '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945', 1795831611987, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0050-backups', '53129bbd0d33d8c6304c66f5f7f1933af2167e72c3863c38a2d56ad2b9d85038', 1795831611989, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0052-waiting', '4929aff0c564b7bc7f09906efbc1f752fed8c928f60a3e8b564b4ff593a785c6', 1795831611991, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0053-audit-trail', 'fad98a8cbdb89edefb8f24ce886a11f1cb8977a5ebbb38621ad0c2d5a6fe45e3', 1795831611993, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0054-planned', '44efadc75b622505ec330ce68f9ca7f0fbb2aebdd0a37824c41d1d9f3c921594', 1795831611994, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0058-derived-tokens', 'd0661d385b2030f523931cce8aa29958208ccd7b8b0b7b37248b09a0ebae7816', 1795831611999, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0062-any-engine', 'c9cf2b99c452e4cf22ca97524ee42f39235787389974a8c6713e69854ac611ed', 1795831612002, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0063-vcs', '8b67185144f92cd4369ddf79b0ffd42093073357183058881c9b6529f97a7169', 1795831612006, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0064-vcs-connections', '982cbbb289c33d90553cbcfd41ff62278276e7bbdd2c1ee52491fa0ebc866c8a', 1795831612035, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0065-organization-blobs', 'a32408b3959d0f2e69a49a0febb6200495a1fe439dd127b22d6dcb89aed4f7a5', 1795831612039, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0066-commit-runs', '5356ebaa92e5f56051b5a799d7c8235cfd85b5d839fa9381457bf97045113b9e', 1795831612050, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0067-vcs-reports', '3eae128d2e719cdc65f80f21e8bbd2ac5954a107e5c98989eaf8c18f764157cf', 1795831612053, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0068-fork-approvals', '461796b114d2b33386d404fcf0662f8647eb4b565b5c6311b4b9b1c9e2bd6ab8', 1795831612056, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0069-apply-only', '948b5320d367aa0497639694fb5f4a16e812df40e95e8442db76f90824d6c5d0', 1795831612059, NULL);
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0070-vcs-webhooks', '3bf522dd008709f911dd86297ab575c69560fd0cee4eae0793eff1499fccf471', 1795831612064, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0071-forwarded-requests', '00aaf5000fd4788aedb52ec0c4b77aa42cbec86beff121d781f80b4399b63a0f', 1795831612067, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0072-auto-destroy', '08bb1e0db91714eb9a4fc79d5d8478c6ea784f4588ed5c3eb65199a9fa25fece', 1795831612074, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0074-schedules', '85b6ab16d5af8e1ec14e54bf7a8d1dbf98e220521c8a46da809dad8ecd6f5308', 1795831612078, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0075-scheduled-runs', 'b99463aef817d7ba7bfd1924a6027d269c394a47d7b2676db659751c72455aa7', 1795831612080, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0076-approvals', '23ea1cf5638d3b22a091bdef297a14e91c574cdccdf65ac84766f1d724673279', 1795831612084, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0077-log-preface', '2832859014816738d99f9c6793c1f6ea500809307ae256339d697c27571e3dc6', 1795831612088, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0078-notification-scopes', '61c464fdadd9bf069d376aae655588c41f755b71737e923722493d5254f67745', 1795831612107, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0079-notification-digest', '3394da0de7a7958ea52ed8e10f50bae2eec0166f2f0d1008960b3db07766c047', 1795831612112, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0080-assessed-workspaces', '453c9ca1305268f6d2629f32f0a138e7774752309aace6a90960a8735dd312ef', 1795831612115, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0081-state-uses', '34d4389e55bbfd61c03b00f17b96271da052e952315ba5b75df991502e96e1ec', 1795831612119, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0082-change-numbers', 'cee69138f4ad4c331d1890fb765946607561d3f566e9a2736a1c4d78eb3b6f8e', 1795831612121, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0083-explorer', '2194564c8321fa590d1a771e6533d97a2e4ae05b7d3520202c05408c0ff56720', 1795831612124, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0084-requesters', '1dff0d6374ed66a0563ef2c3f6d199c343bd0fbc05542467f5cac0e34d19cc59', 1795831612126, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0086-organization-turns', '687ac4841a268560e76242c7f603a5800762ad546f3e9b9c923cf04c57f3d2de', 1795831612133, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0088-email-usage', 'f2148420156532e53be1a5dbdf80736ad61eca37bdd03a691158c27c8b3aa3ab', 1795831612136, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0089-password-policy', '35c372417eebea41ac2a019ead3f1d1890e436d3e2e48abfab2cf0fbe5573d00', 1795831612138, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0090-passkeys', 'ca4fa6f9bf33270482b4f21fa333391d34901da58c90a94514f33b7c599b7ad5', 1795831612143, '0040-well-formed');
INSERT INTO schema_migration (migration_set, name, checksum, applied_at, compatible_from) VALUES ('workspaces', '0091-invitation-links', '1ef6cddb0b715510b0dd8b93b66da4490bcd3fb3734ed5dccd6fe9bca094f909', 1795831612145, '0040-well-formed');
