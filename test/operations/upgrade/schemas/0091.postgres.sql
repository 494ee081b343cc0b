CREATE FUNCTION auto_destroy_turn() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'auto_destroy', NEW.organization_id, NEW.next_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'auto_destroy' AND organization_id = NEW.organization_id AND due_at <= NEW.next_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.next_at; RETURN NULL; END $$;
CREATE FUNCTION entity_delete_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'entity' AND scope = '' AND holder = OLD.id; RETURN NULL; END $$;
CREATE FUNCTION entity_insert_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'entity', '', NEW.id
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb) WHEN 'array' THEN regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION entity_update_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'entity' AND scope = '' AND holder = OLD.id; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'entity', '', NEW.id
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb) WHEN 'array' THEN regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION identity_group_delete_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'group' AND scope = '' AND holder = OLD.id; RETURN NULL; END $$;
CREATE FUNCTION identity_group_insert_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'group', '', NEW.id
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb) WHEN 'array' THEN regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION identity_group_update_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'group' AND scope = '' AND holder = OLD.id; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'group', '', NEW.id
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb) WHEN 'array' THEN regexp_replace(NEW.policies, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION project_tag_binding_delete_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM organization WHERE id = OLD.organization_id; RETURN NULL; END $$;
CREATE FUNCTION project_tag_binding_insert_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM organization WHERE id = NEW.organization_id; RETURN NULL; END $$;
CREATE FUNCTION project_tag_binding_update_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM organization WHERE id = NEW.organization_id; RETURN NULL; END $$;
CREATE FUNCTION role_delete_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'role' AND scope = OLD.mount_id AND holder = OLD.name; RETURN NULL; END $$;
CREATE FUNCTION role_insert_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'role', NEW.mount_id, NEW.name
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'token_policies') WHEN 'array' THEN regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'token_policies' ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION role_update_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'role' AND scope = OLD.mount_id AND holder = OLD.name; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'role', NEW.mount_id, NEW.name
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'token_policies') WHEN 'array' THEN regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'token_policies' ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION run_insert_told_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
         INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (pg_current_xact_id()::text::bigint, 'run', NEW.id, NEW.workspace_id, NEW.organization_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         RETURN NULL; END $$;
CREATE FUNCTION run_output_release() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0; RETURN NULL; END $$;
CREATE FUNCTION run_update_told_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
         INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (pg_current_xact_id()::text::bigint, 'run', NEW.id, NEW.workspace_id, NEW.organization_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         RETURN NULL; END $$;
CREATE FUNCTION schedule_task_turn() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'schedule_task', NEW.organization_id, NEW.due_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'schedule_task' AND organization_id = NEW.organization_id AND due_at <= NEW.due_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.due_at; RETURN NULL; END $$;
CREATE FUNCTION schedule_turn() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT 'schedule', NEW.organization_id, NEW.next_at, 0 WHERE NOT EXISTS (SELECT 1 FROM organization_turn
      WHERE work = 'schedule' AND organization_id = NEW.organization_id AND due_at <= NEW.next_at)
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.next_at; RETURN NULL; END $$;
CREATE FUNCTION tag_binding_delete_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM organization WHERE id = OLD.organization_id; RETURN NULL; END $$;
CREATE FUNCTION tag_binding_insert_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM organization WHERE id = NEW.organization_id; RETURN NULL; END $$;
CREATE FUNCTION tag_binding_update_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM organization WHERE id = NEW.organization_id; RETURN NULL; END $$;
CREATE FUNCTION tally_fold() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
     WITH gone AS (DELETE FROM tally WHERE subject = NEW.subject RETURNING amount, changes)
     INSERT INTO tally (subject, amount, changes) SELECT NEW.subject, SUM(amount), SUM(changes) FROM gone;
     RETURN NULL; END $$;
CREATE FUNCTION tally_forget() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
       DELETE FROM tally WHERE subject = OLD.id; RETURN NULL; END $$;
CREATE FUNCTION team_workspace_delete_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM team WHERE id = OLD.team_id; RETURN NULL; END $$;
CREATE FUNCTION team_workspace_insert_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM team WHERE id = NEW.team_id; RETURN NULL; END $$;
CREATE FUNCTION team_workspace_update_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 0, 1 FROM team WHERE id = NEW.team_id; RETURN NULL; END $$;
CREATE FUNCTION token_role_delete_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'token_role' AND scope = '' AND holder = OLD.name; RETURN NULL; END $$;
CREATE FUNCTION token_role_insert_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'token_role', '', NEW.name
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'allowed_policies') WHEN 'array' THEN regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'allowed_policies' ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION token_role_update_policy_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM policy_use
  WHERE kind = 'token_role' AND scope = '' AND holder = OLD.name; INSERT INTO policy_use (policy, kind, scope, holder)
    SELECT DISTINCT lower(trim(named.value)), 'token_role', '', NEW.name
    FROM jsonb_array_elements_text(CASE jsonb_typeof(regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'allowed_policies') WHEN 'array' THEN regexp_replace(NEW.settings, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::jsonb -> 'allowed_policies' ELSE '[]'::jsonb END) AS named (value); RETURN NULL; END $$;
CREATE FUNCTION workspace_insert_told_workspace() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
         INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (pg_current_xact_id()::text::bigint, 'workspace', NEW.id, NEW.id, NEW.organization_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         RETURN NULL; END $$;
CREATE FUNCTION workspace_tag_delete_touched() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
       UPDATE workspace SET touched = pg_current_xact_id()::text::bigint WHERE id = OLD.workspace_id; RETURN NULL; END $$;
CREATE FUNCTION workspace_tag_delete_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, -1, 1 FROM tag WHERE id = OLD.tag_id; RETURN NULL; END $$;
CREATE FUNCTION workspace_tag_insert_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
        INSERT INTO tally (subject, amount, changes) SELECT id, 1, 1 FROM tag WHERE id = NEW.tag_id; RETURN NULL; END $$;
CREATE FUNCTION workspace_touched() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
       NEW.touched := pg_current_xact_id()::text::bigint; RETURN NEW; END $$;
CREATE FUNCTION workspace_update_told_lock() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
         INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (pg_current_xact_id()::text::bigint, 'lock', NEW.id, NEW.id, NEW.organization_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         RETURN NULL; END $$;
CREATE FUNCTION workspace_update_told_workspace() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
         INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
         VALUES (pg_current_xact_id()::text::bigint, 'workspace', NEW.id, NEW.id, NEW.organization_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         RETURN NULL; END $$;
CREATE TABLE account (
    id text NOT NULL COLLATE pg_catalog."C",
    username text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    service bigint DEFAULT 0 NOT NULL,
    invited bigint DEFAULT 0 NOT NULL,
    unconfirmed_email text COLLATE pg_catalog."C",
    site_admin bigint DEFAULT 0 NOT NULL,
    suspended_at bigint,
    managed_site_admin bigint DEFAULT 0 NOT NULL,
    organization_id text COLLATE pg_catalog."C"
);
CREATE TABLE agent (
    id text NOT NULL COLLATE pg_catalog."C",
    agent_pool_id text COLLATE pg_catalog."C",
    agent_token_id text COLLATE pg_catalog."C",
    machine_identity_id text COLLATE pg_catalog."C",
    common_name text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    ip_address text NOT NULL COLLATE pg_catalog."C",
    credential text NOT NULL COLLATE pg_catalog."C",
    engines text NOT NULL COLLATE pg_catalog."C",
    ended text COLLATE pg_catalog."C",
    last_ping_at bigint NOT NULL,
    created_at bigint NOT NULL,
    any_engine bigint DEFAULT 1 NOT NULL,
    forwards_at bigint DEFAULT 0 NOT NULL,
    CONSTRAINT agent_check CHECK (((agent_token_id IS NULL) OR (machine_identity_id IS NULL))),
    CONSTRAINT agent_check1 CHECK (((agent_pool_id IS NULL) = ((agent_token_id IS NULL) AND (machine_identity_id IS NULL))))
);
CREATE TABLE agent_pool (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    organization_scoped bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE agent_pool_project (
    agent_pool_id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE agent_pool_workspace (
    agent_pool_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    excluded bigint NOT NULL
);
CREATE TABLE agent_token (
    id text NOT NULL COLLATE pg_catalog."C",
    agent_pool_id text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    description text NOT NULL COLLATE pg_catalog."C",
    created_by_type text NOT NULL COLLATE pg_catalog."C",
    created_by_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_used_at bigint,
    expires_at bigint
);
CREATE TABLE answered_challenge (
    challenge text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE approval_rule (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    project_id text COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    required bigint NOT NULL,
    requester_may_approve bigint NOT NULL,
    operations text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE approval_rule_team (
    rule_id text NOT NULL COLLATE pg_catalog."C",
    team_id text NOT NULL COLLATE pg_catalog."C",
    team_name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE assessment_result (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    drifted bigint,
    succeeded bigint,
    error_message text COLLATE pg_catalog."C",
    resources_drifted bigint,
    resources_undrifted bigint,
    checks_passed bigint,
    checks_failed bigint,
    checks_errored bigint,
    checks_unknown bigint,
    created_at bigint NOT NULL,
    finished_at bigint
);
CREATE TABLE assessment_schedule (
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    next_at bigint NOT NULL
);
CREATE TABLE audit_trail (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    last_number bigint NOT NULL,
    first_number bigint NOT NULL,
    happened_at bigint NOT NULL,
    events text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE authentication_token (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    description text NOT NULL COLLATE pg_catalog."C",
    created_by text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint,
    team_id text COLLATE pg_catalog."C",
    organization_id text COLLATE pg_catalog."C",
    only_one bigint DEFAULT 0 NOT NULL,
    purpose text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by_team text COLLATE pg_catalog."C",
    idle_ms bigint,
    pipeline_identity_id text COLLATE pg_catalog."C",
    derived_from text COLLATE pg_catalog."C"
);
CREATE TABLE auto_destroy (
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    next_at bigint,
    reminded bigint DEFAULT 0 NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    run_id text COLLATE pg_catalog."C"
);
CREATE TABLE auto_destroy_author (
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    part text NOT NULL COLLATE pg_catalog."C",
    by_type text NOT NULL COLLATE pg_catalog."C",
    by_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE auto_destroy_project (
    project_id text NOT NULL COLLATE pg_catalog."C",
    after_id text NOT NULL COLLATE pg_catalog."C",
    next_at bigint DEFAULT 0 NOT NULL
);
CREATE TABLE auto_destroy_project_author (
    project_id text NOT NULL COLLATE pg_catalog."C",
    by_type text NOT NULL COLLATE pg_catalog."C",
    by_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE backup_attempt (
    id text NOT NULL COLLATE pg_catalog."C",
    scheduled bigint NOT NULL,
    destination text NOT NULL COLLATE pg_catalog."C",
    started_at bigint NOT NULL,
    alive_until bigint NOT NULL,
    ended_at bigint,
    whole bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    missing bigint DEFAULT 0 NOT NULL
);
CREATE TABLE blob (
    name text NOT NULL COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    size bigint NOT NULL,
    data_key bytea NOT NULL,
    key_version bigint NOT NULL,
    uses bigint NOT NULL,
    created_at bigint NOT NULL,
    organization_id text COLLATE pg_catalog."C"
);
CREATE TABLE change (
    kind text NOT NULL COLLATE pg_catalog."C",
    subject_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    happened_at bigint NOT NULL,
    tick bigint NOT NULL,
    number bigint NOT NULL
);
CREATE TABLE change_counter (
    topic text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL
);
ALTER TABLE change ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME change_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE commit_fetch (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    ref text COLLATE pg_catalog."C",
    created_by_name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE configuration_readme (
    blob_name text NOT NULL COLLATE pg_catalog."C",
    working_directory text NOT NULL COLLATE pg_catalog."C",
    content bytea NOT NULL
);
CREATE TABLE configuration_version (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    auto_queue_runs bigint NOT NULL,
    speculative bigint NOT NULL,
    provisional bigint NOT NULL,
    error text COLLATE pg_catalog."C",
    error_message text COLLATE pg_catalog."C",
    timestamps text NOT NULL COLLATE pg_catalog."C",
    blob_name text COLLATE pg_catalog."C",
    size bigint NOT NULL,
    backing text NOT NULL COLLATE pg_catalog."C",
    created_by_type text NOT NULL COLLATE pg_catalog."C",
    created_by_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    ingress_id text COLLATE pg_catalog."C",
    untrusted bigint DEFAULT 0 NOT NULL
);
CREATE TABLE crl (
    mount_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    settings text NOT NULL COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C",
    content_id text NOT NULL COLLATE pg_catalog."C",
    fetched_at bigint NOT NULL,
    etag text COLLATE pg_catalog."C",
    last_modified text COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    last_error text COLLATE pg_catalog."C",
    next_fetch_at bigint
);
CREATE TABLE crl_chunk (
    content_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE data_retention_policy (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    settings text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE email_usage (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    began_at bigint NOT NULL,
    recipients bigint NOT NULL
);
CREATE TABLE entity (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    disabled bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    policies text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE entity_alias (
    id text NOT NULL COLLATE pg_catalog."C",
    entity_id text NOT NULL COLLATE pg_catalog."C",
    mount_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    metadata text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    custom_metadata text COLLATE pg_catalog."C",
    merged_from text COLLATE pg_catalog."C"
);
CREATE TABLE explorer_view (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    query_type text NOT NULL COLLATE pg_catalog."C",
    query text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE federated_identity (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    directory_id text COLLATE pg_catalog."C"
);
CREATE TABLE forwarded_part (
    request_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    content bytea NOT NULL
);
CREATE TABLE forwarded_request (
    id text NOT NULL COLLATE pg_catalog."C",
    agent_pool_id text NOT NULL COLLATE pg_catalog."C",
    agent_id text COLLATE pg_catalog."C",
    request bytea NOT NULL,
    parts bigint DEFAULT 0 NOT NULL,
    taken bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    deadline bigint NOT NULL
);
CREATE TABLE github_app (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    http_url text NOT NULL COLLATE pg_catalog."C",
    api_url text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    secrets bytea NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE github_app_account (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    github_app_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE github_app_installation (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    github_app_id text NOT NULL COLLATE pg_catalog."C",
    installation_id bigint NOT NULL,
    account_type text NOT NULL COLLATE pg_catalog."C",
    icon_url text NOT NULL COLLATE pg_catalog."C",
    installation_url text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    account text COLLATE pg_catalog."C",
    scopes text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'unverified'::text NOT NULL COLLATE pg_catalog."C",
    status_reason text COLLATE pg_catalog."C",
    status_since bigint,
    checked_at bigint,
    target text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE group_alias (
    id text NOT NULL COLLATE pg_catalog."C",
    group_id text NOT NULL COLLATE pg_catalog."C",
    mount_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE group_entity (
    entity_id text NOT NULL COLLATE pg_catalog."C",
    group_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE group_member (
    member_id text NOT NULL COLLATE pg_catalog."C",
    group_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE identity_group (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    policies text NOT NULL COLLATE pg_catalog."C",
    entities bigint NOT NULL,
    modify_index bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE identity_key (
    id text NOT NULL COLLATE pg_catalog."C",
    generation bigint NOT NULL,
    public_key text NOT NULL COLLATE pg_catalog."C",
    private_key bytea NOT NULL,
    signs_from bigint NOT NULL,
    tokens_until bigint NOT NULL
);
CREATE TABLE ingress_attributes (
    id text NOT NULL COLLATE pg_catalog."C",
    configuration_version_id text NOT NULL COLLATE pg_catalog."C",
    attributes text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE intermediate (
    mount_id text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    certificate bytea NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint NOT NULL
);
CREATE TABLE invitation_link (
    hash text NOT NULL COLLATE pg_catalog."C",
    membership_id text NOT NULL COLLATE pg_catalog."C",
    mailed bigint NOT NULL,
    created_by text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE invitation_mail (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    membership_id text NOT NULL COLLATE pg_catalog."C",
    invited_by text COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint NOT NULL,
    failures bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE lock_event (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    holder_type text NOT NULL COLLATE pg_catalog."C",
    holder_id text NOT NULL COLLATE pg_catalog."C",
    holder_name text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL COLLATE pg_catalog."C",
    locked_at bigint NOT NULL,
    unlocked_at bigint,
    unlocker_type text COLLATE pg_catalog."C",
    unlocker_id text COLLATE pg_catalog."C",
    unlocker_name text COLLATE pg_catalog."C",
    forced bigint NOT NULL
);
CREATE TABLE login_code (
    hash text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    challenge text NOT NULL COLLATE pg_catalog."C",
    redirect_uri text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    token_ttl bigint NOT NULL,
    expires_at bigint NOT NULL,
    derived_from text COLLATE pg_catalog."C"
);
CREATE TABLE machine_identity (
    id text NOT NULL COLLATE pg_catalog."C",
    team_id text COLLATE pg_catalog."C",
    agent_pool_id text COLLATE pg_catalog."C",
    mount text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    common_name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    organization_id text COLLATE pg_catalog."C",
    last_used_at bigint,
    CONSTRAINT machine_identity_check CHECK (((team_id IS NULL) <> (agent_pool_id IS NULL)))
);
CREATE TABLE merged_entity (
    id text NOT NULL COLLATE pg_catalog."C",
    entity_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE mount (
    id text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    accessor text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    config text NOT NULL COLLATE pg_catalog."C",
    description text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    tuning text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    removed_at bigint,
    moved_from text COLLATE pg_catalog."C",
    intermediates bigint DEFAULT 0 NOT NULL,
    flags text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE notification_configuration (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    destination_type text NOT NULL COLLATE pg_catalog."C",
    enabled bigint NOT NULL,
    triggers text NOT NULL COLLATE pg_catalog."C",
    url bytea NOT NULL,
    token bytea,
    responses bytea,
    target text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    queued bigint NOT NULL,
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint NOT NULL,
    failures bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    project_id text COLLATE pg_catalog."C",
    team_id text COLLATE pg_catalog."C",
    email_users text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C",
    email_addresses text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C",
    digest text COLLATE pg_catalog."C",
    digest_at bigint
);
CREATE TABLE notification_delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    configuration_id text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C",
    tries bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE oauth_client (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    service_provider text NOT NULL COLLATE pg_catalog."C",
    http_url text NOT NULL COLLATE pg_catalog."C",
    api_url text NOT NULL COLLATE pg_catalog."C",
    consumer_key text COLLATE pg_catalog."C",
    rsa_public_key text COLLATE pg_catalog."C",
    secrets bytea NOT NULL,
    organization_scoped bigint NOT NULL,
    agent_pool_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    entra_tenant_id text COLLATE pg_catalog."C",
    updated_at bigint,
    allowed_repositories text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE oauth_client_project (
    oauth_client_id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE oauth_token (
    id text NOT NULL COLLATE pg_catalog."C",
    oauth_client_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    token bytea NOT NULL,
    ssh_key bytea,
    created_at bigint NOT NULL,
    kind text DEFAULT 'token'::text NOT NULL COLLATE pg_catalog."C",
    refresh_token bytea,
    expires_at bigint,
    account text COLLATE pg_catalog."C",
    scopes text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'unverified'::text NOT NULL COLLATE pg_catalog."C",
    status_reason text COLLATE pg_catalog."C",
    status_since bigint,
    checked_at bigint,
    target text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE organization (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    default_project_id text NOT NULL COLLATE pg_catalog."C",
    default_execution_mode text NOT NULL COLLATE pg_catalog."C",
    allow_force_delete_workspaces bigint NOT NULL,
    workspace_count bigint NOT NULL,
    created_at bigint NOT NULL,
    settings text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    default_agent_pool_id text COLLATE pg_catalog."C",
    user_tokens_enabled bigint DEFAULT 1 NOT NULL,
    user_token_max_ttl bigint,
    service_account_id text COLLATE pg_catalog."C",
    deleted_at bigint,
    binding_version bigint DEFAULT 0 NOT NULL,
    default_engine text DEFAULT 'opentofu'::text NOT NULL COLLATE pg_catalog."C",
    executes bigint DEFAULT 0 NOT NULL
);
CREATE TABLE organization_identity (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE organization_membership (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    managed bigint DEFAULT 0 NOT NULL
);
CREATE TABLE organization_turn (
    work text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    served_at bigint NOT NULL
);
CREATE TABLE passkey (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    credential_id text NOT NULL COLLATE pg_catalog."C",
    public_key text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    host text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    transports text NOT NULL COLLATE pg_catalog."C",
    is_syncable bigint NOT NULL,
    is_synced bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE TABLE pipeline_identity (
    id text NOT NULL COLLATE pg_catalog."C",
    team_id text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    jwks_url text NOT NULL COLLATE pg_catalog."C",
    audiences text NOT NULL COLLATE pg_catalog."C",
    claims text NOT NULL COLLATE pg_catalog."C",
    token_ttl bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE TABLE policy (
    name text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    cas_required bigint DEFAULT 0 NOT NULL,
    wildcards bigint DEFAULT 0 NOT NULL,
    slashes bigint DEFAULT 0 NOT NULL,
    expires_at bigint
);
CREATE TABLE policy_use (
    policy text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE postponed_work (
    kind text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    due_at bigint NOT NULL
);
CREATE TABLE program_version (
    version text NOT NULL COLLATE pg_catalog."C",
    installed_at bigint NOT NULL
);
CREATE TABLE project (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    workspace_count bigint NOT NULL,
    created_at bigint NOT NULL,
    default_execution_mode text COLLATE pg_catalog."C",
    default_agent_pool_id text COLLATE pg_catalog."C",
    auto_destroy_activity_duration text COLLATE pg_catalog."C"
);
CREATE TABLE project_tag_binding (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE recoverable_item (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C",
    kept text NOT NULL COLLATE pg_catalog."C",
    deleted_by_type text NOT NULL COLLATE pg_catalog."C",
    deleted_by_id text NOT NULL COLLATE pg_catalog."C",
    deleted_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    purging bigint NOT NULL
);
CREATE TABLE remote_state_consumer (
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    consumer_id text NOT NULL COLLATE pg_catalog."C",
    consumer_name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE removed_parent (
    id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE removed_role (
    mount_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE reserved_tag_key (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    disable_overrides bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE retention_sweep (
    id bigint NOT NULL,
    policy_id text NOT NULL COLLATE pg_catalog."C",
    workspace_name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    held_until bigint NOT NULL,
    due_at bigint NOT NULL
);
CREATE TABLE role (
    mount_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    settings text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE run (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    configuration_version_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    trigger_reason text NOT NULL COLLATE pg_catalog."C",
    message text NOT NULL COLLATE pg_catalog."C",
    parameters text NOT NULL COLLATE pg_catalog."C",
    variables bytea,
    timestamps text NOT NULL COLLATE pg_catalog."C",
    has_changes bigint NOT NULL,
    waits bigint NOT NULL,
    active bigint NOT NULL,
    queued bigint NOT NULL,
    version bigint NOT NULL,
    created_by_type text NOT NULL COLLATE pg_catalog."C",
    created_by_id text NOT NULL COLLATE pg_catalog."C",
    created_by_name text NOT NULL COLLATE pg_catalog."C",
    confirmed_by_type text COLLATE pg_catalog."C",
    confirmed_by_id text COLLATE pg_catalog."C",
    canceled_at bigint,
    finished_at bigint,
    created_at bigint NOT NULL,
    agent_id text COLLATE pg_catalog."C",
    queue_class bigint DEFAULT 4 NOT NULL,
    queue_turn bigint DEFAULT 0 NOT NULL,
    stale bigint DEFAULT 0 NOT NULL,
    waiting_for text COLLATE pg_catalog."C",
    cancel_reason text COLLATE pg_catalog."C",
    fence bigint DEFAULT 0 NOT NULL,
    carried_by text COLLATE pg_catalog."C",
    plain_log bigint DEFAULT 0 NOT NULL,
    queue_pool text COLLATE pg_catalog."C",
    queued_since bigint,
    applies_by_settings bigint DEFAULT 0 NOT NULL,
    untrusted bigint DEFAULT 0 NOT NULL
);
CREATE TABLE run_approval (
    id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    user_name text NOT NULL COLLATE pg_catalog."C",
    comment_id text COLLATE pg_catalog."C",
    times bigint NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE TABLE run_comment (
    id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    created_by_type text NOT NULL COLLATE pg_catalog."C",
    created_by_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE run_event (
    id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    actor_type text COLLATE pg_catalog."C",
    actor_id text COLLATE pg_catalog."C",
    comment_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    description text COLLATE pg_catalog."C"
);
CREATE TABLE run_log (
    phase_id text NOT NULL COLLATE pg_catalog."C",
    first_byte bigint NOT NULL,
    bytes bigint NOT NULL,
    content bytea NOT NULL
);
CREATE TABLE run_output (
    phase_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    blob_name text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE run_packages (
    run_id text NOT NULL COLLATE pg_catalog."C",
    packages text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE run_phase (
    id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    timestamps text NOT NULL COLLATE pg_catalog."C",
    additions bigint NOT NULL,
    changes bigint NOT NULL,
    destructions bigint NOT NULL,
    imports bigint NOT NULL,
    log_bytes bigint NOT NULL,
    preface_bytes bigint DEFAULT 0 NOT NULL
);
CREATE TABLE run_planned (
    run_id text NOT NULL COLLATE pg_catalog."C",
    facts text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE run_requester (
    run_id text NOT NULL COLLATE pg_catalog."C",
    part text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    members text COLLATE pg_catalog."C"
);
CREATE TABLE run_task (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    url bytea NOT NULL,
    hmac_key bytea,
    enabled bigint NOT NULL,
    global_enabled bigint NOT NULL,
    global_stages text NOT NULL COLLATE pg_catalog."C",
    global_enforcement text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE run_trigger (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE schedule (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    project_id text COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    cron text NOT NULL COLLATE pg_catalog."C",
    time_zone text NOT NULL COLLATE pg_catalog."C",
    jitter bigint NOT NULL,
    when_busy text NOT NULL COLLATE pg_catalog."C",
    paused bigint NOT NULL,
    next_at bigint,
    distributed_to text NOT NULL COLLATE pg_catalog."C",
    occurred_at bigint,
    fired_at bigint,
    created_at bigint NOT NULL,
    CONSTRAINT schedule_check CHECK (((workspace_id IS NULL) <> (project_id IS NULL)))
);
CREATE TABLE schedule_author (
    schedule_id text NOT NULL COLLATE pg_catalog."C",
    by_type text NOT NULL COLLATE pg_catalog."C",
    by_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE schedule_exclusion (
    schedule_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE schedule_outcome (
    id text NOT NULL COLLATE pg_catalog."C",
    schedule_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    run_id text COLLATE pg_catalog."C",
    occurred_at bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE schedule_task (
    schedule_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    occurred_at bigint NOT NULL,
    due_at bigint NOT NULL
);
CREATE TABLE schema_migration (
    migration_set text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    checksum text NOT NULL COLLATE pg_catalog."C",
    applied_at bigint NOT NULL,
    compatible_from text COLLATE pg_catalog."C"
);
CREATE TABLE scim_group (
    id text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    folded_name text NOT NULL COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE scim_group_member (
    group_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE scim_setting (
    id bigint NOT NULL,
    enabled bigint NOT NULL,
    paused bigint NOT NULL,
    site_admin_group_id text COLLATE pg_catalog."C",
    CONSTRAINT scim_setting_id_check CHECK ((id = 1))
);
CREATE TABLE scim_user (
    account_id text NOT NULL COLLATE pg_catalog."C",
    user_name text NOT NULL COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    resource text NOT NULL COLLATE pg_catalog."C",
    active bigint NOT NULL,
    deleted bigint NOT NULL,
    suspended_at bigint,
    adopted bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE session (
    token_id text NOT NULL COLLATE pg_catalog."C",
    signed_in_by text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    browser text NOT NULL COLLATE pg_catalog."C",
    provider_session text COLLATE pg_catalog."C",
    authenticated_at bigint,
    passkey_id text COLLATE pg_catalog."C"
);
CREATE TABLE sign_in_provider (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    revision text NOT NULL COLLATE pg_catalog."C",
    settings text NOT NULL COLLATE pg_catalog."C",
    client_secret bytea,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE ssh_key (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    value bytea NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE state_content (
    blob_name text NOT NULL COLLATE pg_catalog."C",
    format bigint,
    encrypted bigint NOT NULL,
    engine_version text COLLATE pg_catalog."C",
    resource_count bigint NOT NULL,
    output_count bigint NOT NULL,
    outputs bytea NOT NULL,
    resources bytea NOT NULL,
    overview bytea NOT NULL,
    dependencies bytea,
    summary bytea
);
CREATE TABLE state_version (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    intermediate bigint NOT NULL,
    serial bigint NOT NULL,
    lineage text COLLATE pg_catalog."C",
    md5 text NOT NULL COLLATE pg_catalog."C",
    forced bigint NOT NULL,
    size bigint NOT NULL,
    creator text NOT NULL COLLATE pg_catalog."C",
    run_id text COLLATE pg_catalog."C",
    rollback_of text COLLATE pg_catalog."C",
    state_blob text COLLATE pg_catalog."C",
    json_blob text COLLATE pg_catalog."C",
    given_outputs bytea,
    created_at bigint NOT NULL,
    deleted_at bigint
);
CREATE TABLE tag (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    instance_count bigint NOT NULL,
    created_at bigint NOT NULL,
    version bigint DEFAULT 0 NOT NULL
);
CREATE TABLE tag_binding (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    workspace_name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE tally (
    subject text NOT NULL COLLATE pg_catalog."C",
    amount bigint DEFAULT 0 NOT NULL,
    changes bigint DEFAULT 0 NOT NULL
);
CREATE TABLE task_outcome (
    id text NOT NULL COLLATE pg_catalog."C",
    result_id text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    outcome_id text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    tags text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE task_result (
    id text NOT NULL COLLATE pg_catalog."C",
    stage_id text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    organization_id text NOT NULL COLLATE pg_catalog."C",
    task_id text NOT NULL COLLATE pg_catalog."C",
    task_name text NOT NULL COLLATE pg_catalog."C",
    task_url bytea NOT NULL,
    workspace_task_id text COLLATE pg_catalog."C",
    enforcement_level text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    message text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    timestamps text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    tries bigint NOT NULL,
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint NOT NULL,
    began_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE task_stage (
    id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    stage text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    timestamps text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE team (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    owners bigint NOT NULL,
    visibility text NOT NULL COLLATE pg_catalog."C",
    access text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    sso_team_id text COLLATE pg_catalog."C",
    allow_member_token_management bigint DEFAULT 1 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    scim_group_id text COLLATE pg_catalog."C",
    scim_sync_paused bigint DEFAULT 0 NOT NULL,
    scim_updated_at bigint
);
CREATE TABLE team_member (
    team_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    managed bigint DEFAULT 0 NOT NULL
);
CREATE TABLE team_project (
    id text NOT NULL COLLATE pg_catalog."C",
    team_id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C",
    access text NOT NULL COLLATE pg_catalog."C",
    project_custom text NOT NULL COLLATE pg_catalog."C",
    custom text NOT NULL COLLATE pg_catalog."C",
    shows bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE team_workspace (
    id text NOT NULL COLLATE pg_catalog."C",
    team_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    workspace_name text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C",
    access text NOT NULL COLLATE pg_catalog."C",
    custom text NOT NULL COLLATE pg_catalog."C",
    shows bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE token (
    id text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL,
    accessor text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    policies text NOT NULL COLLATE pg_catalog."C",
    metadata text COLLATE pg_catalog."C",
    bound_cidrs text NOT NULL COLLATE pg_catalog."C",
    orphan bigint NOT NULL,
    period bigint NOT NULL,
    explicit_max_ttl bigint NOT NULL,
    uses_left bigint,
    creation_ttl bigint NOT NULL,
    created_at bigint NOT NULL,
    renewed_at bigint,
    expires_at bigint,
    mount_id text COLLATE pg_catalog."C",
    certificate text COLLATE pg_catalog."C",
    parent_id text COLLATE pg_catalog."C",
    entity_id text COLLATE pg_catalog."C",
    role text COLLATE pg_catalog."C",
    renewable bigint DEFAULT 1 NOT NULL
);
CREATE TABLE token_role (
    name text NOT NULL COLLATE pg_catalog."C",
    settings text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE token_ttl_policy (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    token_type text NOT NULL COLLATE pg_catalog."C",
    max_ttl bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE variable (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    variable_set_id text COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    value bytea NOT NULL,
    size bigint NOT NULL,
    description text COLLATE pg_catalog."C",
    hcl bigint NOT NULL,
    sensitive bigint NOT NULL,
    version_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    apply_only bigint DEFAULT 0 NOT NULL
);
CREATE TABLE variable_set (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    project_id text COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    global bigint NOT NULL,
    priority bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE variable_set_project (
    variable_set_id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE variable_set_workspace (
    variable_set_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE vcs_archive (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    repository_id text NOT NULL COLLATE pg_catalog."C",
    commit_id text NOT NULL COLLATE pg_catalog."C",
    submodules bigint NOT NULL,
    blob_name text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    notes text NOT NULL COLLATE pg_catalog."C",
    used_at bigint NOT NULL
);
CREATE TABLE vcs_authorization (
    hash text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    subject_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE vcs_delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    hook_id text NOT NULL COLLATE pg_catalog."C",
    repository_id text COLLATE pg_catalog."C",
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    hints text NOT NULL COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    received_at bigint NOT NULL
);
CREATE TABLE vcs_event (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    repository_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    ref text NOT NULL COLLATE pg_catalog."C",
    before_id text COLLATE pg_catalog."C",
    after_id text COLLATE pg_catalog."C",
    details text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    problem text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE vcs_fork_approval (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    repository_id text NOT NULL COLLATE pg_catalog."C",
    pull_number bigint NOT NULL,
    commit_id text NOT NULL COLLATE pg_catalog."C",
    approved_by text NOT NULL COLLATE pg_catalog."C",
    approved_by_name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE vcs_hook (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    repository_id text COLLATE pg_catalog."C",
    service_provider text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    secret bytea NOT NULL,
    provider_hook_id text COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    problem text COLLATE pg_catalog."C",
    tried_at bigint NOT NULL,
    created_at bigint NOT NULL,
    last_delivery_at bigint,
    github_app_id text COLLATE pg_catalog."C"
);
CREATE TABLE vcs_hook_removal (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    service_provider text NOT NULL COLLATE pg_catalog."C",
    api_url text NOT NULL COLLATE pg_catalog."C",
    http_url text NOT NULL COLLATE pg_catalog."C",
    agent_pool_id text COLLATE pg_catalog."C",
    credential_kind text NOT NULL COLLATE pg_catalog."C",
    token bytea NOT NULL,
    provider_id text NOT NULL COLLATE pg_catalog."C",
    identifier text NOT NULL COLLATE pg_catalog."C",
    provider_hook_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE vcs_pull (
    repository_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    head_id text NOT NULL COLLATE pg_catalog."C",
    head_ref text NOT NULL COLLATE pg_catalog."C",
    base_ref text NOT NULL COLLATE pg_catalog."C",
    is_fork bigint NOT NULL,
    is_draft bigint NOT NULL,
    changed_at bigint NOT NULL
);
CREATE TABLE vcs_ref (
    repository_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    commit_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE vcs_report (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    repository_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    event_id text COLLATE pg_catalog."C",
    closed bigint DEFAULT 0 NOT NULL,
    marks bigint DEFAULT 0 NOT NULL,
    problem text COLLATE pg_catalog."C",
    sent_at bigint,
    changed_at bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE vcs_report_item (
    report_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    context text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    sent text COLLATE pg_catalog."C",
    provider_id text COLLATE pg_catalog."C",
    sent_at bigint NOT NULL
);
CREATE TABLE vcs_repository (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    connection_id text NOT NULL COLLATE pg_catalog."C",
    oauth_token_id text COLLATE pg_catalog."C",
    provider_id text NOT NULL COLLATE pg_catalog."C",
    identifier text NOT NULL COLLATE pg_catalog."C",
    display_identifier text NOT NULL COLLATE pg_catalog."C",
    http_url text NOT NULL COLLATE pg_catalog."C",
    git_url text NOT NULL COLLATE pg_catalog."C",
    default_branch text COLLATE pg_catalog."C",
    is_private bigint NOT NULL,
    health text NOT NULL COLLATE pg_catalog."C",
    health_reason text COLLATE pg_catalog."C",
    health_since bigint NOT NULL,
    looked_at bigint,
    described_at bigint NOT NULL,
    pulls_etag text COLLATE pg_catalog."C",
    wakes bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE vcs_run (
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    commit_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    event_id text COLLATE pg_catalog."C",
    pull_number bigint,
    created_at bigint NOT NULL
);
CREATE TABLE vcs_verdict (
    event_id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    detail text NOT NULL COLLATE pg_catalog."C",
    run_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE vcs_workspace (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    connection_id text NOT NULL COLLATE pg_catalog."C",
    identifier text NOT NULL COLLATE pg_catalog."C",
    branch text COLLATE pg_catalog."C",
    follows_tags bigint NOT NULL,
    first_run bigint NOT NULL,
    repository_id text COLLATE pg_catalog."C",
    problem text COLLATE pg_catalog."C",
    linked_at bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    due_at bigint,
    claim text COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
);
CREATE TABLE workspace (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    settings text NOT NULL COLLATE pg_catalog."C",
    lock_holder_type text COLLATE pg_catalog."C",
    lock_holder_id text COLLATE pg_catalog."C",
    lock_reason text COLLATE pg_catalog."C",
    resource_count bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    latest_change_at bigint NOT NULL,
    agent_pool_id text COLLATE pg_catalog."C",
    ssh_key_id text COLLATE pg_catalog."C",
    oauth_token_id text COLLATE pg_catalog."C",
    current_run_id text COLLATE pg_catalog."C",
    current_run_status text COLLATE pg_catalog."C",
    current_run_created_at bigint,
    current_configuration_version_id text COLLATE pg_catalog."C",
    current_state_version_id text COLLATE pg_catalog."C",
    performance text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    touched bigint DEFAULT 0 NOT NULL,
    assessment_result_id text COLLATE pg_catalog."C",
    assessed_at bigint,
    locked_at bigint,
    lock_holder_name text COLLATE pg_catalog."C",
    github_app_installation_id text COLLATE pg_catalog."C",
    worked_at bigint,
    auto_destroy text COLLATE pg_catalog."C"
);
CREATE TABLE workspace_packages (
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    packages text COLLATE pg_catalog."C",
    recorded_at bigint,
    applied_at bigint
);
CREATE TABLE workspace_tag (
    tag_id text NOT NULL COLLATE pg_catalog."C",
    workspace_name text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE workspace_task (
    id text NOT NULL COLLATE pg_catalog."C",
    workspace_id text NOT NULL COLLATE pg_catalog."C",
    task_id text NOT NULL COLLATE pg_catalog."C",
    enforcement_level text NOT NULL COLLATE pg_catalog."C",
    stages text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE wrapped_answer (
    token_id text NOT NULL COLLATE pg_catalog."C",
    answer bytea NOT NULL,
    creation_path text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
INSERT INTO change_counter VALUES ('mounts', 0);
INSERT INTO change_counter VALUES ('policies', 0);
INSERT INTO change_counter VALUES ('identity', 0);
INSERT INTO retention_sweep VALUES (1, '', '', '', 0, 0);
INSERT INTO schema_migration VALUES ('access', '0001-mounts-roles-tokens', 'd64405f87012541556fc294810d1afc526bb1456cedd2164fdc3d0736bdaaef4', 1795831621754, NULL);
INSERT INTO schema_migration VALUES ('access', '0002-crls', '5984967a20456ef38f44e4e511d940e215f131129751a370582b27aadbe2f9b1', 1795831621757, NULL);
INSERT INTO schema_migration VALUES ('access', '0003-access-control', '44299a47e3c91bd89f43b2a5463a137c06bb7c1a0cbd66758719ca2271ac4d12', 1795831621771, NULL);
INSERT INTO schema_migration VALUES ('access', '0004-intermediates', 'cff0eb656fd6cfe8823672e8919973d90855b2abf2e1ab94131c5e931382a7d7', 1795831621833, NULL);
INSERT INTO schema_migration VALUES ('access', '0005-removed-roles', 'dac08a919120e0808c98672fafa2be0133c1f3f2e02a2859d58098bd70b0b31f', 1795831621841, NULL);
INSERT INTO schema_migration VALUES ('access', '0006-policy-fields', '81b530060abb4bcb6bbef3cadc622e9f54fb2153beebe4af715bb5235b6fae2b', 1795831621855, NULL);
INSERT INTO schema_migration VALUES ('access', '0007-identity-groups', '4e7c51f45b45728476570255c2733ec4ae645af7a96e52553bfed6b540518b51', 1795831621917, NULL);
INSERT INTO schema_migration VALUES ('access', '0008-mount-flags', '9957075b044ccfa76139c30f15c0c276d3626f99e9ebb65ff6b868034ebb2f90', 1795831621927, NULL);
INSERT INTO schema_migration VALUES ('access', '0009-token-parents', '69d28855ff0237fc2776cd46b98bcf7fb683145cddc69eef2a4ad61b8d81031a', 1795831621945, NULL);
INSERT INTO schema_migration VALUES ('access', '0011-policy-uses', '08f9d7a681dd575a0a508ba87bd8cd050f6f71088020ddf3172b0d637f7dd219', 1795831622092, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0001-people', '02e4ff936ff28f763317ed7e244e6ad21029ef79684b2d0452c7569b7ad0ebc5', 1795831622191, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0002-work', '8d0f43b04f21d9f3c3d2914971a0310da2a534c1096d3a29839d1440a6efd17d', 1795831622283, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0003-access', '759117c212e498e9e2a9744d57a659c54a1c657573a7a399c7c4e7d1951b6419', 1795831622300, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0004-settings', 'a039c89875c72d4676f9ce38d92e6dd27841846a293282dd12054ea21b1c8940', 1795831622311, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0005-workspace', 'f7d66b4b6ca99a02879e6ff54842d8057f1239d4b8e5cd2ffdf7f6c3c3b2c993', 1795831622353, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0006-variables', 'df59823f13093812df16a4eb8ebd0249f83b1ff62698d96ed0389a5973dddf55', 1795831622373, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0007-states', 'c61ede30376bb6c4c2fa3c0777fd455f51e9112c7e05ab556f973d02ae45bd73', 1795831622378, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0008-runs', '3e5779602a5d59747e056df669910c85aec5417dbdb2ceb0e688381a1bbedbb3', 1795831622406, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0009-login', '95ad938e375e9f24360be533bf8ec1e1b337c77764f7b5f969587e61598fe131', 1795831622412, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0010-listing', '120a27c8b5946f249680e481436b1ed25f72f1bed681aeb77acf9c5e2dca4523', 1795831622419, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0011-agents', 'dc3880a59e40965926a8eaffe94d36941febd49ae84e258d2295918815210e5f', 1795831622423, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0012-roster', 'b5c969dbde2b4345ff90ded6f63b179f1e4684224eaeb72f93ed2ee00de66351', 1795831622437, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0013-invitations', '00c5024c44cf929309ebf3d84aa3588c6f07a96e3916596557b8f9c9ed4e34a5', 1795831622439, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0014-notifications', '4ce1e8f8feef4f516a44e28821bafdd415372003cce8ab84eb56656947df765c', 1795831622445, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0015-tally', 'b37aad37170b77a984239bae1876115285063c09ae6bd9c981ac08ab6525acf2', 1795831622451, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0016-queue', 'ca0de914c7e4b11092a657613024dea9eb019ac9ef092445c7abc010cc132e63', 1795831622457, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0017-run-tasks', '4c9e184d80858d0d2feccf2cc1fdd2a9bfd8a4416e653ba38e94835868d6f707', 1795831622466, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0018-pool-identities', 'f4a47ae5d174b0deaa340e4b39870d94f512aebe7c5219ac843d514274ea05c8', 1795831622473, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0019-certified-agents', '04b9edd0b9e1482bf37f94b2fb73a16218d5965845dd50dc3f219e91541bde7f', 1795831622479, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0020-run-outputs', '6a7898e8aed2f687b00c753977142ad7c36a0f66252c5adcbf6e8f36197d6d04', 1795831622483, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0021-engines', '9464c4d6036d4f8b43db21827f59d388760b40f940ae490cdee091d45527410d', 1795831622484, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0022-jobs', '7c6a34c817c4cda2bfdcd87b0487539ca5d26e5c1f73f0e9bd073a02437798bb', 1795831622493, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0023-workload-identity', '805151c04b879e8f5e2585882bda86ab04a299d4c3afd14a4441f2aa966a6b7d', 1795831622498, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0024-assessments', 'e7316ba26d8e3858fe8b66c767b7af984a84df09dd911def31acede8b56bb665', 1795831622511, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0025-dependencies', 'dc6ffdf1b16c36779f8c2fd5f5ddeac772dd5d023108d72e09992898b9104aca', 1795831622516, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0026-standing', '13059259161ed6528da2296547d7c91ab664a04d65a9e4d3bf48e85050cce133', 1795831622518, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0028-site-admins', '245f3493d47e1fc47b2aa3b6faf63021bf607a90ad0979bf2a7c916bd0b26301', 1795831622519, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0029-changes', 'da8eea4ee8f2008a3cb05e1f470bc32cf705ecc175398d941d3971ab06a79ff2', 1795831622524, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0031-identity-list', 'e66dd0278b3c4b20b70e01cb5969d94062f94a41dcc453ea0d3e6847199df6d9', 1795831622532, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0033-sessions', '1441c39b09929fb35a207687bfb11f38cb9e54fa08fdb2bc39e520441b6cd24c', 1795831622534, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0034-federation', 'c524b98c7cb3402feebb1c7b34dae57e63f53a4332a33b0a3e018c173cfbf02c', 1795831622538, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0035-provider-sessions', 'd6d76a59e56f32c383c79046bd85e40dc99102991ee741992e99506279fded0a', 1795831622539, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0036-pipeline-identities', '4e88383cac8a6e85b94a6265699af8614aedcf4913d90e11ae3dac79f1dc1d46', 1795831622542, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0037-scim', '25991fff3d6a0efb2451b3896cc910b3d17af022d9d948666d37034f4cecbc30', 1795831622553, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0038-organization-providers', '3cbe5d9a2cf59eb03aaaedead7d0ac676d1dff976292757a7ed2e8de79eba744', 1795831622561, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0039-run-counts', 'dbb6eecf72f34428b6656675ec1243845377b937ae52288e9a2a8e808845b579', 1795831622562, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0040-well-formed', 'ee377b9b46b89fed8ab7c385b51908370761d3372ea50450310b0f256de9002e', 1795831622564, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0050-backups', 'f53e1dbe054b777bb412de650e4bfb6fa985fb535d6a39c37eccc7f3a0a0bbdb', 1795831622590, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0052-waiting', 'ba93f4b3ac317b27ec7f2752a697b65a7f4d9b216f6ac271f35c9f9b84b1895e', 1795831622594, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0053-audit-trail', 'b07cb38a36b35f1847102ad9448fa1610aee2f9bb81456c205f58e0e5f820ebd', 1795831622596, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0054-planned', '04c5307290abc388cb6b99e4ae899bfd0a438d615824abf0507a6e3f2486856f', 1795831622598, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0058-derived-tokens', 'eddd7b179b31cf554eb4e9f648096735573bade87dd660b652cb8c1ed4e5bad0', 1795831622601, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0062-any-engine', '202f14343a0af416f214a95cbe765a2398b50d21be91874fb0e52229b7157709', 1795831622602, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0063-vcs', '3558f24a10cd4a875b0d472545feb59ae3b3f17ed2e1d45b314b667cdd6eb1ba', 1795831622637, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0064-vcs-connections', 'c8c478e4c47d9b8bc7a95ab7c15c7f8d1898a84ecc9589bb8d7097aaa243b169', 1795831622657, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0065-organization-blobs', '38fbea97dfa462de1412dee29c1949b0216e5d7fa605529ee5cf82545abab91c', 1795831622658, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0066-commit-runs', '92e5bf971b2b6f06753d5ee92565ed57639a8c5868063d538fbacf4603eff581', 1795831622675, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0067-vcs-reports', 'a1d305b69a24c39a914ca7e76aee533b0ea176c16466bdb8be72d9c3f3cf1b83', 1795831622680, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0068-fork-approvals', 'a6ea0eeaa895cdbb658c64e5e62a79fda9f51022388e61b5c2e92516669b7853', 1795831622684, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0069-apply-only', '5f71ac0635995fdecdf6c39654a2a1f6ec0b3a47ea8089351a55d5af96b2448d', 1795831622685, NULL);
INSERT INTO schema_migration VALUES ('workspaces', '0070-vcs-webhooks', 'a12754bc872bca9083335d5c5b9e8624a54ab30c0fe82ea03fda6072b866330d', 1795831622691, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0071-forwarded-requests', 'e0cd709f599f55385f2c2da8ce3e2564bca309a90c4c53e816284176068d11d6', 1795831622697, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0072-auto-destroy', '40cd6162da57b7c77b5a9b4de3cee5db7fb229f228b51c0b8275997566dc8379', 1795831622708, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0074-schedules', '213e2f9189694bd711948de7a2aedf1fc1befacf87aed3ba4cde8ebe3ddf7a58', 1795831622722, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0075-scheduled-runs', 'b99463aef817d7ba7bfd1924a6027d269c394a47d7b2676db659751c72455aa7', 1795831622725, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0076-approvals', 'c5d524251263832a0e37b3345234ee195d3538451c405b8e87a80838ee76ef57', 1795831622735, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0077-log-preface', 'f68a0ea0b8e3f842724c1fd3eeb40bc244f015b6a8b57caeaa5631c135207850', 1795831622736, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0078-notification-scopes', '4c2aa4d936c6b2c2463db1f930f903a675b2f271e4da47a0606bdf0282e2b746', 1795831622739, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0079-notification-digest', 'a30cc2ab2e483c6ce068f21bcd368aa4eac972ab7298ab34ec2c8ea57a5d5788', 1795831622740, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0080-assessed-workspaces', '453c9ca1305268f6d2629f32f0a138e7774752309aace6a90960a8735dd312ef', 1795831622742, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0081-state-uses', '3b4edd825bee0162c2d82e13c98e55b37beecd4db0bc0675c50f290fe9f34dc8', 1795831622743, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0082-change-numbers', '9f26087a10e3734336255b09895b11f220806d258deb72933d30b299b20a1bc8', 1795831622745, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0083-explorer', 'f8abd5380b3701976ba5862a4662986044fe5594b352243db02b6bf407333090', 1795831622763, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0084-requesters', '98b309eda27346cf88d5c7430671677a56871335eb321f0235b3c1b121113926', 1795831622775, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0086-organization-turns', '32b10ada8ecbf47936b605b939ddc5cec7c16c83150f4956f00f532768597251', 1795831622786, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0088-email-usage', '0663b1bc9e03aa375097b66b9ba73848d891f68ab0e063e9c87bfa72db469ced', 1795831622789, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0089-password-policy', '35c372417eebea41ac2a019ead3f1d1890e436d3e2e48abfab2cf0fbe5573d00', 1795831622790, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0090-passkeys', '5326a842a52869b101992d383fd1d540abec494e68f4c154648128f8c0f7a97c', 1795831622793, '0040-well-formed');
INSERT INTO schema_migration VALUES ('workspaces', '0091-invitation-links', 'f1efab485e6814edfc3e8ba06786ce1cf8f01c555d6200c7122e0c7140a57bf6', 1795831622798, '0040-well-formed');
SELECT pg_catalog.setval('change_number_seq', 1, false);
ALTER TABLE ONLY account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY account
    ADD CONSTRAINT account_username_key UNIQUE (username);
ALTER TABLE ONLY agent
    ADD CONSTRAINT agent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY agent_pool
    ADD CONSTRAINT agent_pool_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY agent_pool
    ADD CONSTRAINT agent_pool_pkey PRIMARY KEY (id);
ALTER TABLE ONLY agent_pool_project
    ADD CONSTRAINT agent_pool_project_pkey PRIMARY KEY (agent_pool_id, project_id);
ALTER TABLE ONLY agent_pool_workspace
    ADD CONSTRAINT agent_pool_workspace_pkey PRIMARY KEY (agent_pool_id, excluded, workspace_id);
ALTER TABLE ONLY agent_token
    ADD CONSTRAINT agent_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY answered_challenge
    ADD CONSTRAINT answered_challenge_pkey PRIMARY KEY (challenge);
ALTER TABLE ONLY approval_rule
    ADD CONSTRAINT approval_rule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY approval_rule_team
    ADD CONSTRAINT approval_rule_team_pkey PRIMARY KEY (rule_id, team_id);
ALTER TABLE ONLY assessment_result
    ADD CONSTRAINT assessment_result_pkey PRIMARY KEY (id);
ALTER TABLE ONLY assessment_result
    ADD CONSTRAINT assessment_result_run_id_key UNIQUE (run_id);
ALTER TABLE ONLY assessment_schedule
    ADD CONSTRAINT assessment_schedule_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY audit_trail
    ADD CONSTRAINT audit_trail_pkey PRIMARY KEY (organization_id, last_number);
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auto_destroy_author
    ADD CONSTRAINT auto_destroy_author_pkey PRIMARY KEY (workspace_id, part);
ALTER TABLE ONLY auto_destroy
    ADD CONSTRAINT auto_destroy_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY auto_destroy_project_author
    ADD CONSTRAINT auto_destroy_project_author_pkey PRIMARY KEY (project_id);
ALTER TABLE ONLY auto_destroy_project
    ADD CONSTRAINT auto_destroy_project_pkey PRIMARY KEY (project_id);
ALTER TABLE ONLY backup_attempt
    ADD CONSTRAINT backup_attempt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY blob
    ADD CONSTRAINT blob_pkey PRIMARY KEY (name);
ALTER TABLE ONLY blob
    ADD CONSTRAINT blob_workspace_id_content_hash_key UNIQUE (workspace_id, content_hash);
ALTER TABLE ONLY change_counter
    ADD CONSTRAINT change_counter_pkey PRIMARY KEY (topic);
ALTER TABLE ONLY change
    ADD CONSTRAINT change_pkey PRIMARY KEY (tick, number);
ALTER TABLE ONLY commit_fetch
    ADD CONSTRAINT commit_fetch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY configuration_readme
    ADD CONSTRAINT configuration_readme_pkey PRIMARY KEY (blob_name, working_directory);
ALTER TABLE ONLY configuration_version
    ADD CONSTRAINT configuration_version_pkey PRIMARY KEY (id);
ALTER TABLE ONLY crl_chunk
    ADD CONSTRAINT crl_chunk_pkey PRIMARY KEY (content_id, number);
ALTER TABLE ONLY crl
    ADD CONSTRAINT crl_pkey PRIMARY KEY (mount_id, name);
ALTER TABLE ONLY data_retention_policy
    ADD CONSTRAINT data_retention_policy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY email_usage
    ADD CONSTRAINT email_usage_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY entity_alias
    ADD CONSTRAINT entity_alias_pkey PRIMARY KEY (id);
ALTER TABLE ONLY entity
    ADD CONSTRAINT entity_name_key UNIQUE (name);
ALTER TABLE ONLY entity
    ADD CONSTRAINT entity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY explorer_view
    ADD CONSTRAINT explorer_view_pkey PRIMARY KEY (id);
ALTER TABLE ONLY federated_identity
    ADD CONSTRAINT federated_identity_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY forwarded_part
    ADD CONSTRAINT forwarded_part_pkey PRIMARY KEY (request_id, number);
ALTER TABLE ONLY forwarded_request
    ADD CONSTRAINT forwarded_request_pkey PRIMARY KEY (id);
ALTER TABLE ONLY github_app_account
    ADD CONSTRAINT github_app_account_account_id_github_app_id_key UNIQUE (account_id, github_app_id);
ALTER TABLE ONLY github_app_account
    ADD CONSTRAINT github_app_account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY github_app_installation
    ADD CONSTRAINT github_app_installation_github_app_id_installation_id_key UNIQUE (github_app_id, installation_id);
ALTER TABLE ONLY github_app_installation
    ADD CONSTRAINT github_app_installation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY github_app
    ADD CONSTRAINT github_app_organization_id_key UNIQUE (organization_id);
ALTER TABLE ONLY github_app
    ADD CONSTRAINT github_app_pkey PRIMARY KEY (id);
ALTER TABLE ONLY group_alias
    ADD CONSTRAINT group_alias_group_id_key UNIQUE (group_id);
ALTER TABLE ONLY group_alias
    ADD CONSTRAINT group_alias_pkey PRIMARY KEY (id);
ALTER TABLE ONLY group_entity
    ADD CONSTRAINT group_entity_pkey PRIMARY KEY (entity_id, group_id);
ALTER TABLE ONLY group_member
    ADD CONSTRAINT group_member_pkey PRIMARY KEY (member_id, group_id);
ALTER TABLE ONLY identity_group
    ADD CONSTRAINT identity_group_name_key UNIQUE (name);
ALTER TABLE ONLY identity_group
    ADD CONSTRAINT identity_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY identity_key
    ADD CONSTRAINT identity_key_generation_key UNIQUE (generation);
ALTER TABLE ONLY identity_key
    ADD CONSTRAINT identity_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ingress_attributes
    ADD CONSTRAINT ingress_attributes_configuration_version_id_key UNIQUE (configuration_version_id);
ALTER TABLE ONLY ingress_attributes
    ADD CONSTRAINT ingress_attributes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY intermediate
    ADD CONSTRAINT intermediate_pkey PRIMARY KEY (mount_id, fingerprint);
ALTER TABLE ONLY invitation_link
    ADD CONSTRAINT invitation_link_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY invitation_mail
    ADD CONSTRAINT invitation_mail_pkey PRIMARY KEY (id);
ALTER TABLE ONLY lock_event
    ADD CONSTRAINT lock_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY login_code
    ADD CONSTRAINT login_code_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY machine_identity
    ADD CONSTRAINT machine_identity_agent_pool_id_mount_role_common_name_key UNIQUE (agent_pool_id, mount, role, common_name);
ALTER TABLE ONLY machine_identity
    ADD CONSTRAINT machine_identity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY machine_identity
    ADD CONSTRAINT machine_identity_team_id_mount_role_common_name_key UNIQUE (team_id, mount, role, common_name);
ALTER TABLE ONLY merged_entity
    ADD CONSTRAINT merged_entity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY mount
    ADD CONSTRAINT mount_accessor_key UNIQUE (accessor);
ALTER TABLE ONLY mount
    ADD CONSTRAINT mount_path_key UNIQUE (path);
ALTER TABLE ONLY mount
    ADD CONSTRAINT mount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY notification_configuration
    ADD CONSTRAINT notification_configuration_pkey PRIMARY KEY (id);
ALTER TABLE ONLY notification_delivery
    ADD CONSTRAINT notification_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY oauth_client
    ADD CONSTRAINT oauth_client_pkey PRIMARY KEY (id);
ALTER TABLE ONLY oauth_client_project
    ADD CONSTRAINT oauth_client_project_pkey PRIMARY KEY (oauth_client_id, project_id);
ALTER TABLE ONLY oauth_token
    ADD CONSTRAINT oauth_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY organization_identity
    ADD CONSTRAINT organization_identity_pkey PRIMARY KEY (organization_id, issuer, subject);
ALTER TABLE ONLY organization_membership
    ADD CONSTRAINT organization_membership_organization_id_email_key UNIQUE (organization_id, email);
ALTER TABLE ONLY organization_membership
    ADD CONSTRAINT organization_membership_pkey PRIMARY KEY (id);
ALTER TABLE ONLY organization
    ADD CONSTRAINT organization_name_key UNIQUE (name);
ALTER TABLE ONLY organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);
ALTER TABLE ONLY organization_turn
    ADD CONSTRAINT organization_turn_pkey PRIMARY KEY (work, organization_id);
ALTER TABLE ONLY passkey
    ADD CONSTRAINT passkey_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pipeline_identity
    ADD CONSTRAINT pipeline_identity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY policy
    ADD CONSTRAINT policy_pkey PRIMARY KEY (name);
ALTER TABLE ONLY policy_use
    ADD CONSTRAINT policy_use_pkey PRIMARY KEY (policy, kind, scope, holder);
ALTER TABLE ONLY postponed_work
    ADD CONSTRAINT postponed_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY program_version
    ADD CONSTRAINT program_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY project
    ADD CONSTRAINT project_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY project
    ADD CONSTRAINT project_pkey PRIMARY KEY (id);
ALTER TABLE ONLY project_tag_binding
    ADD CONSTRAINT project_tag_binding_pkey PRIMARY KEY (id);
ALTER TABLE ONLY project_tag_binding
    ADD CONSTRAINT project_tag_binding_project_id_key_key UNIQUE (project_id, key);
ALTER TABLE ONLY recoverable_item
    ADD CONSTRAINT recoverable_item_pkey PRIMARY KEY (id);
ALTER TABLE ONLY recoverable_item
    ADD CONSTRAINT recoverable_item_workspace_id_key UNIQUE (workspace_id);
ALTER TABLE ONLY remote_state_consumer
    ADD CONSTRAINT remote_state_consumer_consumer_id_workspace_id_key UNIQUE (consumer_id, workspace_id);
ALTER TABLE ONLY remote_state_consumer
    ADD CONSTRAINT remote_state_consumer_pkey PRIMARY KEY (workspace_id, consumer_name, consumer_id);
ALTER TABLE ONLY removed_parent
    ADD CONSTRAINT removed_parent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY removed_role
    ADD CONSTRAINT removed_role_pkey PRIMARY KEY (mount_id, version);
ALTER TABLE ONLY reserved_tag_key
    ADD CONSTRAINT reserved_tag_key_organization_id_key_key UNIQUE (organization_id, key);
ALTER TABLE ONLY reserved_tag_key
    ADD CONSTRAINT reserved_tag_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY retention_sweep
    ADD CONSTRAINT retention_sweep_pkey PRIMARY KEY (id);
ALTER TABLE ONLY role
    ADD CONSTRAINT role_pkey PRIMARY KEY (mount_id, name);
ALTER TABLE ONLY run_approval
    ADD CONSTRAINT run_approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_approval
    ADD CONSTRAINT run_approval_run_id_user_id_key UNIQUE (run_id, user_id);
ALTER TABLE ONLY run_comment
    ADD CONSTRAINT run_comment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_event
    ADD CONSTRAINT run_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_event
    ADD CONSTRAINT run_event_run_id_number_key UNIQUE (run_id, number);
ALTER TABLE ONLY run_log
    ADD CONSTRAINT run_log_pkey PRIMARY KEY (phase_id, first_byte);
ALTER TABLE ONLY run_output
    ADD CONSTRAINT run_output_pkey PRIMARY KEY (phase_id, kind);
ALTER TABLE ONLY run_packages
    ADD CONSTRAINT run_packages_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY run_phase
    ADD CONSTRAINT run_phase_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_phase
    ADD CONSTRAINT run_phase_run_id_kind_key UNIQUE (run_id, kind);
ALTER TABLE ONLY run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_planned
    ADD CONSTRAINT run_planned_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY run_requester
    ADD CONSTRAINT run_requester_pkey PRIMARY KEY (run_id, part, type, id);
ALTER TABLE ONLY run_task
    ADD CONSTRAINT run_task_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY run_task
    ADD CONSTRAINT run_task_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_trigger
    ADD CONSTRAINT run_trigger_pkey PRIMARY KEY (id);
ALTER TABLE ONLY run_trigger
    ADD CONSTRAINT run_trigger_workspace_id_source_id_key UNIQUE (workspace_id, source_id);
ALTER TABLE ONLY schedule_author
    ADD CONSTRAINT schedule_author_pkey PRIMARY KEY (schedule_id);
ALTER TABLE ONLY schedule_exclusion
    ADD CONSTRAINT schedule_exclusion_pkey PRIMARY KEY (schedule_id, workspace_id);
ALTER TABLE ONLY schedule_outcome
    ADD CONSTRAINT schedule_outcome_pkey PRIMARY KEY (id);
ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_project_id_name_key UNIQUE (project_id, name);
ALTER TABLE ONLY schedule_task
    ADD CONSTRAINT schedule_task_pkey PRIMARY KEY (schedule_id, workspace_id);
ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_workspace_id_name_key UNIQUE (workspace_id, name);
ALTER TABLE ONLY schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (migration_set, name);
ALTER TABLE ONLY scim_group_member
    ADD CONSTRAINT scim_group_member_pkey PRIMARY KEY (group_id, account_id);
ALTER TABLE ONLY scim_group
    ADD CONSTRAINT scim_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scim_setting
    ADD CONSTRAINT scim_setting_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scim_user
    ADD CONSTRAINT scim_user_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY session
    ADD CONSTRAINT session_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY sign_in_provider
    ADD CONSTRAINT sign_in_provider_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY ssh_key
    ADD CONSTRAINT ssh_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY state_content
    ADD CONSTRAINT state_content_pkey PRIMARY KEY (blob_name);
ALTER TABLE ONLY state_version
    ADD CONSTRAINT state_version_pkey PRIMARY KEY (id);
ALTER TABLE ONLY state_version
    ADD CONSTRAINT state_version_workspace_id_position_key UNIQUE (workspace_id, "position");
ALTER TABLE ONLY tag_binding
    ADD CONSTRAINT tag_binding_pkey PRIMARY KEY (id);
ALTER TABLE ONLY tag_binding
    ADD CONSTRAINT tag_binding_workspace_id_key_key UNIQUE (workspace_id, key);
ALTER TABLE ONLY tag
    ADD CONSTRAINT tag_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY tag
    ADD CONSTRAINT tag_pkey PRIMARY KEY (id);
ALTER TABLE ONLY task_outcome
    ADD CONSTRAINT task_outcome_pkey PRIMARY KEY (id);
ALTER TABLE ONLY task_result
    ADD CONSTRAINT task_result_pkey PRIMARY KEY (id);
ALTER TABLE ONLY task_stage
    ADD CONSTRAINT task_stage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY task_stage
    ADD CONSTRAINT task_stage_run_id_stage_key UNIQUE (run_id, stage);
ALTER TABLE ONLY team_member
    ADD CONSTRAINT team_member_pkey PRIMARY KEY (team_id, account_id);
ALTER TABLE ONLY team
    ADD CONSTRAINT team_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY team
    ADD CONSTRAINT team_pkey PRIMARY KEY (id);
ALTER TABLE ONLY team_project
    ADD CONSTRAINT team_project_pkey PRIMARY KEY (id);
ALTER TABLE ONLY team_project
    ADD CONSTRAINT team_project_project_id_team_id_key UNIQUE (project_id, team_id);
ALTER TABLE ONLY team_workspace
    ADD CONSTRAINT team_workspace_pkey PRIMARY KEY (id);
ALTER TABLE ONLY team_workspace
    ADD CONSTRAINT team_workspace_workspace_id_team_id_key UNIQUE (workspace_id, team_id);
ALTER TABLE ONLY token
    ADD CONSTRAINT token_accessor_key UNIQUE (accessor);
ALTER TABLE ONLY token
    ADD CONSTRAINT token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY token_role
    ADD CONSTRAINT token_role_pkey PRIMARY KEY (name);
ALTER TABLE ONLY token_ttl_policy
    ADD CONSTRAINT token_ttl_policy_pkey PRIMARY KEY (organization_id, token_type);
ALTER TABLE ONLY variable
    ADD CONSTRAINT variable_pkey PRIMARY KEY (id);
ALTER TABLE ONLY variable_set
    ADD CONSTRAINT variable_set_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY variable_set
    ADD CONSTRAINT variable_set_pkey PRIMARY KEY (id);
ALTER TABLE ONLY variable_set_project
    ADD CONSTRAINT variable_set_project_pkey PRIMARY KEY (variable_set_id, project_id);
ALTER TABLE ONLY variable_set_workspace
    ADD CONSTRAINT variable_set_workspace_pkey PRIMARY KEY (variable_set_id, workspace_id);
ALTER TABLE ONLY variable
    ADD CONSTRAINT variable_variable_set_id_category_key_key UNIQUE (variable_set_id, category, key);
ALTER TABLE ONLY variable
    ADD CONSTRAINT variable_workspace_id_category_key_key UNIQUE (workspace_id, category, key);
ALTER TABLE ONLY vcs_archive
    ADD CONSTRAINT vcs_archive_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_archive
    ADD CONSTRAINT vcs_archive_repository_id_commit_id_submodules_key UNIQUE (repository_id, commit_id, submodules);
ALTER TABLE ONLY vcs_authorization
    ADD CONSTRAINT vcs_authorization_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY vcs_delivery
    ADD CONSTRAINT vcs_delivery_hook_id_delivery_id_key UNIQUE (hook_id, delivery_id);
ALTER TABLE ONLY vcs_delivery
    ADD CONSTRAINT vcs_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_event
    ADD CONSTRAINT vcs_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_fork_approval
    ADD CONSTRAINT vcs_fork_approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_fork_approval
    ADD CONSTRAINT vcs_fork_approval_workspace_id_repository_id_pull_number_co_key UNIQUE (workspace_id, repository_id, pull_number, commit_id);
ALTER TABLE ONLY vcs_hook
    ADD CONSTRAINT vcs_hook_key_key UNIQUE (key);
ALTER TABLE ONLY vcs_hook
    ADD CONSTRAINT vcs_hook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_hook_removal
    ADD CONSTRAINT vcs_hook_removal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_hook
    ADD CONSTRAINT vcs_hook_repository_id_key UNIQUE (repository_id);
ALTER TABLE ONLY vcs_pull
    ADD CONSTRAINT vcs_pull_pkey PRIMARY KEY (repository_id, number);
ALTER TABLE ONLY vcs_ref
    ADD CONSTRAINT vcs_ref_pkey PRIMARY KEY (repository_id, name);
ALTER TABLE ONLY vcs_report_item
    ADD CONSTRAINT vcs_report_item_pkey PRIMARY KEY (report_id, kind, context);
ALTER TABLE ONLY vcs_report
    ADD CONSTRAINT vcs_report_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_report
    ADD CONSTRAINT vcs_report_repository_id_kind_subject_key UNIQUE (repository_id, kind, subject);
ALTER TABLE ONLY vcs_repository
    ADD CONSTRAINT vcs_repository_connection_id_provider_id_key UNIQUE (connection_id, provider_id);
ALTER TABLE ONLY vcs_repository
    ADD CONSTRAINT vcs_repository_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_run
    ADD CONSTRAINT vcs_run_pkey PRIMARY KEY (workspace_id, commit_id, kind);
ALTER TABLE ONLY vcs_verdict
    ADD CONSTRAINT vcs_verdict_pkey PRIMARY KEY (event_id, workspace_id);
ALTER TABLE ONLY vcs_workspace
    ADD CONSTRAINT vcs_workspace_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vcs_workspace
    ADD CONSTRAINT vcs_workspace_workspace_id_key UNIQUE (workspace_id);
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_organization_id_name_key UNIQUE (organization_id, name);
ALTER TABLE ONLY workspace_packages
    ADD CONSTRAINT workspace_packages_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (id);
ALTER TABLE ONLY workspace_tag
    ADD CONSTRAINT workspace_tag_pkey PRIMARY KEY (tag_id, workspace_name, workspace_id);
ALTER TABLE ONLY workspace_tag
    ADD CONSTRAINT workspace_tag_workspace_id_tag_id_key UNIQUE (workspace_id, tag_id);
ALTER TABLE ONLY workspace_task
    ADD CONSTRAINT workspace_task_pkey PRIMARY KEY (id);
ALTER TABLE ONLY workspace_task
    ADD CONSTRAINT workspace_task_workspace_id_task_id_key UNIQUE (workspace_id, task_id);
ALTER TABLE ONLY wrapped_answer
    ADD CONSTRAINT wrapped_answer_pkey PRIMARY KEY (token_id);
CREATE INDEX account_by_email ON account USING btree (lower(email));
CREATE INDEX account_by_organization ON account USING btree (organization_id);
CREATE INDEX agent_by_identity ON agent USING btree (machine_identity_id);
CREATE INDEX agent_by_ping ON agent USING btree (last_ping_at);
CREATE INDEX agent_by_pool ON agent USING btree (agent_pool_id, created_at, id);
CREATE INDEX agent_by_token ON agent USING btree (agent_token_id);
CREATE INDEX agent_pool_project_by_project ON agent_pool_project USING btree (project_id);
CREATE INDEX agent_pool_workspace_by_workspace ON agent_pool_workspace USING btree (workspace_id);
CREATE INDEX agent_token_by_pool ON agent_token USING btree (agent_pool_id, id);
CREATE INDEX answered_challenge_by_end ON answered_challenge USING btree (expires_at);
CREATE INDEX approval_rule_by_project ON approval_rule USING btree (project_id) WHERE (project_id IS NOT NULL);
CREATE INDEX approval_rule_by_workspace ON approval_rule USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);
CREATE INDEX assessment_result_by_workspace ON assessment_result USING btree (workspace_id, finished_at, id);
CREATE INDEX assessment_schedule_by_time ON assessment_schedule USING btree (next_at, workspace_id);
CREATE INDEX audit_trail_by_time ON audit_trail USING btree (organization_id, happened_at, last_number);
CREATE INDEX authentication_token_by_account ON authentication_token USING btree (account_id, id);
CREATE INDEX authentication_token_by_organization ON authentication_token USING btree (organization_id, id);
CREATE INDEX authentication_token_by_origin ON authentication_token USING btree (derived_from);
CREATE INDEX authentication_token_by_pipeline ON authentication_token USING btree (pipeline_identity_id, expires_at);
CREATE INDEX authentication_token_by_team ON authentication_token USING btree (team_id, id);
CREATE UNIQUE INDEX authentication_token_description ON authentication_token USING btree (team_id, description) WHERE ((team_id IS NOT NULL) AND (only_one = 0));
CREATE INDEX authentication_token_of_scim ON authentication_token USING btree (id) WHERE (purpose = 'scim'::text);
CREATE INDEX auto_destroy_by_turn ON auto_destroy USING btree (organization_id, next_at, due_at) WHERE (next_at IS NOT NULL);
CREATE INDEX auto_destroy_errored ON auto_destroy USING btree (organization_id, due_at) WHERE (state = ANY (ARRAY['blocked'::text, 'failed'::text, 'stopped'::text]));
CREATE INDEX auto_destroy_look ON auto_destroy USING btree (organization_id, next_at, due_at) WHERE ((next_at IS NOT NULL) AND ((state = 'running'::text) OR (due_at IS NULL) OR (next_at < due_at)));
CREATE INDEX auto_destroy_project_by_time ON auto_destroy_project USING btree (next_at, project_id);
CREATE INDEX auto_destroy_running ON auto_destroy USING btree (organization_id) WHERE (state = 'running'::text);
CREATE INDEX backup_attempt_by_end ON backup_attempt USING btree (whole, ended_at);
CREATE INDEX backup_attempt_by_start ON backup_attempt USING btree (scheduled, started_at);
CREATE INDEX blob_by_key ON blob USING btree (key_version, name);
CREATE UNIQUE INDEX blob_by_organization ON blob USING btree (organization_id, content_hash);
CREATE INDEX commit_fetch_due ON commit_fetch USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX configuration_version_by_workspace ON configuration_version USING btree (workspace_id, created_at, id);
CREATE INDEX configuration_version_usable ON configuration_version USING btree (workspace_id, created_at, id) WHERE ((status = 'uploaded'::text) AND (speculative = 0));
CREATE UNIQUE INDEX data_retention_policy_of_organization ON data_retention_policy USING btree (organization_id) WHERE (workspace_id IS NULL);
CREATE UNIQUE INDEX data_retention_policy_of_workspace ON data_retention_policy USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);
CREATE UNIQUE INDEX entity_alias_of_entity ON entity_alias USING btree (entity_id, mount_id);
CREATE UNIQUE INDEX entity_alias_of_mount ON entity_alias USING btree (mount_id, name, issuer);
CREATE INDEX explorer_view_by_organization ON explorer_view USING btree (organization_id, name, id);
CREATE INDEX federated_identity_by_account ON federated_identity USING btree (account_id);
CREATE INDEX federated_identity_by_directory_id ON federated_identity USING btree (directory_id);
CREATE INDEX forwarded_request_by_deadline ON forwarded_request USING btree (deadline);
CREATE INDEX forwarded_request_by_pool ON forwarded_request USING btree (agent_pool_id, created_at);
CREATE INDEX github_app_installation_by_organization ON github_app_installation USING btree (organization_id, id);
CREATE INDEX github_app_installation_due ON github_app_installation USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX group_alias_of_mount ON group_alias USING btree (mount_id, name);
CREATE INDEX group_entity_by_group ON group_entity USING btree (group_id, entity_id);
CREATE INDEX group_member_by_group ON group_member USING btree (group_id, member_id);
CREATE INDEX invitation_link_by_creator ON invitation_link USING btree (created_by);
CREATE INDEX invitation_link_by_end ON invitation_link USING btree (expires_at);
CREATE INDEX invitation_link_by_membership ON invitation_link USING btree (membership_id);
CREATE INDEX invitation_mail_by_inviter ON invitation_mail USING btree (invited_by);
CREATE INDEX invitation_mail_by_membership ON invitation_mail USING btree (membership_id);
CREATE INDEX invitation_mail_by_organization ON invitation_mail USING btree (organization_id, created_at);
CREATE INDEX invitation_mail_due ON invitation_mail USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX lock_event_by_end ON lock_event USING btree (unlocked_at);
CREATE INDEX lock_event_by_workspace ON lock_event USING btree (workspace_id, id);
CREATE UNIQUE INDEX lock_event_open ON lock_event USING btree (workspace_id) WHERE (unlocked_at IS NULL);
CREATE INDEX login_code_by_account ON login_code USING btree (account_id);
CREATE INDEX login_code_by_end ON login_code USING btree (expires_at);
CREATE INDEX login_code_by_origin ON login_code USING btree (derived_from);
CREATE INDEX machine_identity_by_organization ON machine_identity USING btree (organization_id, mount, role, id);
CREATE INDEX machine_identity_by_role ON machine_identity USING btree (mount, role);
CREATE INDEX merged_entity_by_entity ON merged_entity USING btree (entity_id, id);
CREATE INDEX notification_configuration_by_organization ON notification_configuration USING btree (organization_id);
CREATE INDEX notification_configuration_by_project ON notification_configuration USING btree (project_id, id) WHERE (project_id IS NOT NULL);
CREATE INDEX notification_configuration_by_team ON notification_configuration USING btree (team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX notification_configuration_by_workspace ON notification_configuration USING btree (workspace_id, id);
CREATE INDEX notification_configuration_digest ON notification_configuration USING btree (digest_at, id) WHERE (digest_at IS NOT NULL);
CREATE INDEX notification_configuration_due ON notification_configuration USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX notification_configuration_of_all ON notification_configuration USING btree (organization_id, id) WHERE ((workspace_id IS NULL) AND (project_id IS NULL) AND (team_id IS NULL));
CREATE INDEX notification_delivery_in_turn ON notification_delivery USING btree (configuration_id, created_at, place, id);
CREATE INDEX oauth_client_by_organization ON oauth_client USING btree (organization_id, id);
CREATE INDEX oauth_client_by_pool ON oauth_client USING btree (agent_pool_id);
CREATE INDEX oauth_client_project_by_project ON oauth_client_project USING btree (project_id);
CREATE INDEX oauth_token_by_client ON oauth_token USING btree (oauth_client_id, id);
CREATE INDEX oauth_token_by_organization ON oauth_token USING btree (organization_id, id);
CREATE INDEX oauth_token_due ON oauth_token USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX organization_by_deletion ON organization USING btree (deleted_at);
CREATE INDEX organization_by_service_account ON organization USING btree (service_account_id);
CREATE INDEX organization_identity_by_account ON organization_identity USING btree (account_id);
CREATE INDEX organization_membership_by_account ON organization_membership USING btree (account_id, organization_id);
CREATE INDEX organization_membership_by_email ON organization_membership USING btree (email, status);
CREATE INDEX organization_membership_by_organization ON organization_membership USING btree (organization_id, id);
CREATE INDEX organization_turn_by_clock ON organization_turn USING btree (work, served_at);
CREATE INDEX organization_turn_by_time ON organization_turn USING btree (work, due_at, served_at, organization_id);
CREATE INDEX organization_turn_of ON organization_turn USING btree (organization_id);
CREATE INDEX passkey_by_account ON passkey USING btree (account_id, id);
CREATE INDEX pipeline_identity_by_team ON pipeline_identity USING btree (team_id, id);
CREATE INDEX policy_expiry ON policy USING btree (expires_at);
CREATE INDEX policy_use_by_holder ON policy_use USING btree (kind, scope, holder);
CREATE INDEX project_by_age ON project USING btree (organization_id, id);
CREATE INDEX project_tag_binding_by_key ON project_tag_binding USING btree (organization_id, key, project_id);
CREATE INDEX recoverable_item_by_expiry ON recoverable_item USING btree (expires_at);
CREATE INDEX recoverable_item_by_organization ON recoverable_item USING btree (organization_id, deleted_at, id);
CREATE INDEX role_by_version ON role USING btree (mount_id, version);
CREATE UNIQUE INDEX run_active ON run USING btree (workspace_id) WHERE (active = 1);
CREATE INDEX run_assessment ON run USING btree (workspace_id, finished_at, id) WHERE (operation = 'assessment'::text);
CREATE INDEX run_assessment_takeable ON run USING btree (queue_pool, queue_turn, id) WHERE ((queued = 1) AND (queue_class = 5));
CREATE INDEX run_assessment_waiting ON run USING btree (created_at, id) WHERE ((queued = 1) AND (queue_class = 5));
CREATE INDEX run_by_agent ON run USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX run_by_configuration ON run USING btree (configuration_version_id);
CREATE INDEX run_by_organization ON run USING btree (organization_id, created_at, id);
CREATE INDEX run_by_queue_pool ON run USING btree (queue_pool, queue_class, queue_turn, id) WHERE ((queued = 1) AND (queue_class = ANY (ARRAY[(1)::bigint, (2)::bigint, (3)::bigint])));
CREATE INDEX run_by_status ON run USING btree (organization_id, status, created_at, workspace_id) WHERE (operation <> 'assessment'::text);
CREATE INDEX run_by_workspace ON run USING btree (workspace_id, created_at, id);
CREATE INDEX run_comment_by_run ON run_comment USING btree (run_id, created_at, id);
CREATE INDEX run_event_by_comment ON run_event USING btree (comment_id);
CREATE INDEX run_measured ON run USING btree (workspace_id, finished_at, id) WHERE (status = ANY (ARRAY['applied'::text, 'errored'::text]));
CREATE INDEX run_not_over ON run USING btree (status, finished_at, operation) WHERE ((finished_at IS NULL) AND (operation <> 'assessment'::text));
CREATE INDEX run_queued ON run USING btree (organization_id, queue_class, queue_turn, id) WHERE (queued = 1);
CREATE INDEX run_queued_in_workspace ON run USING btree (workspace_id, queue_class, queue_turn) WHERE (queued = 1);
CREATE INDEX run_running ON run USING btree (queue_turn, id) WHERE ((queued = 1) AND (queue_class = ANY (ARRAY[(0)::bigint, (6)::bigint])));
CREATE INDEX run_saved ON run USING btree (created_at, id) WHERE (status = 'planned_and_saved'::text);
CREATE INDEX run_scheduled ON run USING btree (organization_id, queue_class) WHERE ((queued = 1) AND (trigger_reason = ANY (ARRAY['schedule'::text, 'assessment'::text])));
CREATE INDEX run_shown ON run USING btree (organization_id, created_at, id) WHERE (operation <> 'assessment'::text);
CREATE INDEX run_stale ON run USING btree (id) WHERE (stale = 1);
CREATE INDEX run_takeable ON run USING btree (queue_turn, id) WHERE ((queued = 1) AND (queue_class = ANY (ARRAY[(1)::bigint, (2)::bigint, (3)::bigint])) AND (waiting_for IS NULL));
CREATE INDEX run_told ON run USING btree (id) WHERE (waiting_for IS NOT NULL);
CREATE INDEX run_trigger_by_source ON run_trigger USING btree (source_id, id);
CREATE INDEX run_unfinished ON run USING btree (workspace_id, created_at, id) WHERE (finished_at IS NULL);
CREATE INDEX run_waiting ON run USING btree (workspace_id, created_at, id) WHERE (waits = 1);
CREATE INDEX run_waits_for_agent ON run USING btree (queue_pool, queued_since, queue_class, queued, agent_id) WHERE ((queued = 1) AND (queue_class = ANY (ARRAY[(1)::bigint, (2)::bigint, (3)::bigint])) AND (agent_id IS NULL));
CREATE INDEX schedule_by_clock ON schedule USING btree (fired_at, id) WHERE (next_at IS NOT NULL);
CREATE INDEX schedule_by_organization ON schedule USING btree (organization_id);
CREATE INDEX schedule_by_turn ON schedule USING btree (organization_id, next_at, id) WHERE (next_at IS NOT NULL);
CREATE INDEX schedule_exclusion_by_workspace ON schedule_exclusion USING btree (workspace_id);
CREATE INDEX schedule_outcome_by_schedule ON schedule_outcome USING btree (schedule_id, id);
CREATE INDEX schedule_outcome_by_workspace ON schedule_outcome USING btree (schedule_id, workspace_id, id);
CREATE INDEX schedule_outcome_of_workspace ON schedule_outcome USING btree (workspace_id);
CREATE INDEX schedule_task_by_turn ON schedule_task USING btree (organization_id, due_at, schedule_id, workspace_id);
CREATE INDEX schedule_task_by_workspace ON schedule_task USING btree (workspace_id);
CREATE INDEX scim_group_by_external_id ON scim_group USING btree (external_id);
CREATE UNIQUE INDEX scim_group_by_name ON scim_group USING btree (folded_name);
CREATE INDEX scim_group_member_by_account ON scim_group_member USING btree (account_id);
CREATE INDEX scim_user_by_external_id ON scim_user USING btree (external_id);
CREATE UNIQUE INDEX scim_user_by_name ON scim_user USING btree (user_name);
CREATE INDEX scim_user_in_order ON scim_user USING btree (deleted, created_at, account_id);
CREATE UNIQUE INDEX scim_user_of_external_id ON scim_user USING btree (external_id) WHERE (deleted = 0);
CREATE INDEX session_by_passkey ON session USING btree (passkey_id);
CREATE INDEX session_by_provider_session ON session USING btree (provider_session);
CREATE INDEX ssh_key_by_organization ON ssh_key USING btree (organization_id, name, id);
CREATE INDEX state_version_by_status ON state_version USING btree (workspace_id, status, "position");
CREATE INDEX tag_binding_by_key ON tag_binding USING btree (organization_id, key, workspace_name, workspace_id);
CREATE INDEX tag_binding_by_value ON tag_binding USING btree (organization_id, key, value, workspace_name, workspace_id);
CREATE INDEX tally_by_subject ON tally USING btree (subject, amount, changes);
CREATE INDEX task_outcome_by_result ON task_outcome USING btree (result_id, place);
CREATE INDEX task_result_by_stage ON task_result USING btree (stage_id, place);
CREATE INDEX task_result_due ON task_result USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX team_by_scim_group ON team USING btree (scim_group_id);
CREATE INDEX team_by_sso_team_id ON team USING btree (sso_team_id);
CREATE INDEX team_member_by_account ON team_member USING btree (account_id, team_id);
CREATE INDEX team_project_by_team ON team_project USING btree (team_id, shows, project_id);
CREATE INDEX team_workspace_by_name ON team_workspace USING btree (team_id, shows, workspace_name, workspace_id);
CREATE INDEX team_workspace_by_project ON team_workspace USING btree (team_id, shows, project_id, workspace_id);
CREATE INDEX token_by_mount ON token USING btree (mount_id, id);
CREATE INDEX token_by_parent ON token USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX token_by_path ON token USING btree (path, id);
CREATE INDEX token_expiry ON token USING btree (expires_at);
CREATE INDEX variable_of_set ON variable USING btree (variable_set_id, id);
CREATE INDEX variable_of_workspace ON variable USING btree (workspace_id, id);
CREATE INDEX variable_set_by_project ON variable_set USING btree (project_id, name);
CREATE INDEX variable_set_global ON variable_set USING btree (organization_id, name) WHERE (global = 1);
CREATE INDEX variable_set_project_by_project ON variable_set_project USING btree (project_id, variable_set_id);
CREATE INDEX variable_set_workspace_by_workspace ON variable_set_workspace USING btree (workspace_id, variable_set_id);
CREATE INDEX vcs_archive_by_use ON vcs_archive USING btree (used_at);
CREATE INDEX vcs_authorization_by_session ON vcs_authorization USING btree (session_id);
CREATE INDEX vcs_delivery_by_repository ON vcs_delivery USING btree (repository_id, received_at);
CREATE INDEX vcs_delivery_by_time ON vcs_delivery USING btree (received_at);
CREATE INDEX vcs_event_by_commit ON vcs_event USING btree (repository_id, after_id);
CREATE INDEX vcs_event_by_only_workspace ON vcs_event USING btree (workspace_id);
CREATE INDEX vcs_event_by_organization ON vcs_event USING btree (organization_id, created_at);
CREATE INDEX vcs_event_by_ref ON vcs_event USING btree (repository_id, kind, ref, id);
CREATE INDEX vcs_event_by_repository ON vcs_event USING btree (repository_id, created_at);
CREATE INDEX vcs_event_by_time ON vcs_event USING btree (created_at);
CREATE INDEX vcs_event_due ON vcs_event USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX vcs_event_open ON vcs_event USING btree (state) WHERE (state <> 'done'::text);
CREATE INDEX vcs_fork_approval_by_commit ON vcs_fork_approval USING btree (repository_id, pull_number, commit_id);
CREATE INDEX vcs_hook_by_github_app ON vcs_hook USING btree (github_app_id);
CREATE INDEX vcs_hook_removal_by_organization ON vcs_hook_removal USING btree (organization_id);
CREATE INDEX vcs_hook_removal_due ON vcs_hook_removal USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX vcs_report_by_organization ON vcs_report USING btree (organization_id);
CREATE INDEX vcs_report_by_time ON vcs_report USING btree (changed_at);
CREATE INDEX vcs_report_due ON vcs_report USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX vcs_repository_by_organization ON vcs_repository USING btree (organization_id, identifier);
CREATE INDEX vcs_repository_by_token ON vcs_repository USING btree (oauth_token_id);
CREATE INDEX vcs_repository_due ON vcs_repository USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX vcs_run_by_pull ON vcs_run USING btree (workspace_id, pull_number);
CREATE INDEX vcs_run_by_run ON vcs_run USING btree (run_id);
CREATE INDEX vcs_run_by_time ON vcs_run USING btree (workspace_id, created_at);
CREATE INDEX vcs_verdict_by_workspace ON vcs_verdict USING btree (workspace_id, created_at);
CREATE INDEX vcs_workspace_by_connection ON vcs_workspace USING btree (connection_id, identifier);
CREATE INDEX vcs_workspace_by_repository ON vcs_workspace USING btree (repository_id, workspace_id);
CREATE INDEX vcs_workspace_due ON vcs_workspace USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX workspace_assessed ON workspace USING btree (organization_id, name, assessment_result_id, id, project_id) WHERE (assessment_result_id IS NOT NULL);
CREATE INDEX workspace_by_agent_pool ON workspace USING btree (agent_pool_id, name);
CREATE INDEX workspace_by_change ON workspace USING btree (organization_id, latest_change_at, name);
CREATE INDEX workspace_by_github_app_installation ON workspace USING btree (github_app_installation_id);
CREATE INDEX workspace_by_latest_run ON workspace USING btree (organization_id, COALESCE(current_run_created_at, (0)::bigint) DESC, name);
CREATE INDEX workspace_by_oauth_token ON workspace USING btree (oauth_token_id);
CREATE INDEX workspace_by_project ON workspace USING btree (project_id, name);
CREATE INDEX workspace_by_run ON workspace USING btree (organization_id, COALESCE(current_run_created_at, '9007199254740991'::bigint), name);
CREATE INDEX workspace_by_run_status ON workspace USING btree (organization_id, current_run_status, name);
CREATE INDEX workspace_by_ssh_key ON workspace USING btree (ssh_key_id);
CREATE INDEX workspace_by_touch ON workspace USING btree (organization_id, touched);
CREATE INDEX workspace_in_project ON workspace USING btree (project_id, id);
CREATE UNIQUE INDEX workspace_place ON workspace USING btree (id, name, project_id);
CREATE INDEX workspace_task_by_task ON workspace_task USING btree (task_id, id);
CREATE INDEX wrapped_answer_expiry ON wrapped_answer USING btree (expires_at);
CREATE TRIGGER auto_destroy_insert_turn AFTER INSERT ON auto_destroy FOR EACH ROW WHEN ((new.next_at IS NOT NULL)) EXECUTE FUNCTION auto_destroy_turn();
CREATE TRIGGER auto_destroy_update_turn AFTER UPDATE OF next_at ON auto_destroy FOR EACH ROW WHEN (((new.next_at IS NOT NULL) AND ((old.next_at IS NULL) OR (new.next_at < old.next_at)))) EXECUTE FUNCTION auto_destroy_turn();
CREATE TRIGGER configuration_version_delete_release AFTER DELETE ON configuration_version FOR EACH ROW WHEN ((old.blob_name IS NOT NULL)) EXECUTE FUNCTION run_output_release();
CREATE TRIGGER entity_delete_policy_use AFTER DELETE ON entity FOR EACH ROW EXECUTE FUNCTION entity_delete_policy_use();
CREATE TRIGGER entity_insert_policy_use AFTER INSERT ON entity FOR EACH ROW EXECUTE FUNCTION entity_insert_policy_use();
CREATE TRIGGER entity_update_policy_use AFTER UPDATE OF policies ON entity FOR EACH ROW WHEN ((new.policies <> old.policies)) EXECUTE FUNCTION entity_update_policy_use();
CREATE TRIGGER identity_group_delete_policy_use AFTER DELETE ON identity_group FOR EACH ROW EXECUTE FUNCTION identity_group_delete_policy_use();
CREATE TRIGGER identity_group_insert_policy_use AFTER INSERT ON identity_group FOR EACH ROW EXECUTE FUNCTION identity_group_insert_policy_use();
CREATE TRIGGER identity_group_update_policy_use AFTER UPDATE OF policies ON identity_group FOR EACH ROW WHEN ((new.policies <> old.policies)) EXECUTE FUNCTION identity_group_update_policy_use();
CREATE TRIGGER organization_delete_tally AFTER DELETE ON organization FOR EACH ROW EXECUTE FUNCTION tally_forget();
CREATE TRIGGER project_delete_tally AFTER DELETE ON project FOR EACH ROW EXECUTE FUNCTION tally_forget();
CREATE TRIGGER project_tag_binding_delete_version AFTER DELETE ON project_tag_binding FOR EACH ROW EXECUTE FUNCTION project_tag_binding_delete_version();
CREATE TRIGGER project_tag_binding_insert_version AFTER INSERT ON project_tag_binding FOR EACH ROW EXECUTE FUNCTION project_tag_binding_insert_version();
CREATE TRIGGER project_tag_binding_update_version AFTER UPDATE OF value ON project_tag_binding FOR EACH ROW WHEN ((old.value <> new.value)) EXECUTE FUNCTION project_tag_binding_update_version();
CREATE TRIGGER role_delete_policy_use AFTER DELETE ON role FOR EACH ROW EXECUTE FUNCTION role_delete_policy_use();
CREATE TRIGGER role_insert_policy_use AFTER INSERT ON role FOR EACH ROW EXECUTE FUNCTION role_insert_policy_use();
CREATE TRIGGER role_update_policy_use AFTER UPDATE OF settings ON role FOR EACH ROW WHEN ((new.settings <> old.settings)) EXECUTE FUNCTION role_update_policy_use();
CREATE TRIGGER run_insert_told_run AFTER INSERT ON run FOR EACH ROW EXECUTE FUNCTION run_insert_told_run();
CREATE TRIGGER run_output_delete_release AFTER DELETE ON run_output FOR EACH ROW EXECUTE FUNCTION run_output_release();
CREATE TRIGGER run_update_told_run AFTER UPDATE OF status ON run FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION run_update_told_run();
CREATE TRIGGER schedule_insert_turn AFTER INSERT ON schedule FOR EACH ROW WHEN ((new.next_at IS NOT NULL)) EXECUTE FUNCTION schedule_turn();
CREATE TRIGGER schedule_task_insert_turn AFTER INSERT ON schedule_task FOR EACH ROW WHEN ((new.due_at IS NOT NULL)) EXECUTE FUNCTION schedule_task_turn();
CREATE TRIGGER schedule_task_update_turn AFTER UPDATE OF due_at ON schedule_task FOR EACH ROW WHEN (((new.due_at IS NOT NULL) AND ((old.due_at IS NULL) OR (new.due_at < old.due_at)))) EXECUTE FUNCTION schedule_task_turn();
CREATE TRIGGER schedule_update_turn AFTER UPDATE OF next_at ON schedule FOR EACH ROW WHEN (((new.next_at IS NOT NULL) AND ((old.next_at IS NULL) OR (new.next_at < old.next_at)))) EXECUTE FUNCTION schedule_turn();
CREATE TRIGGER tag_binding_delete_version AFTER DELETE ON tag_binding FOR EACH ROW EXECUTE FUNCTION tag_binding_delete_version();
CREATE TRIGGER tag_binding_insert_version AFTER INSERT ON tag_binding FOR EACH ROW EXECUTE FUNCTION tag_binding_insert_version();
CREATE TRIGGER tag_binding_update_version AFTER UPDATE OF value ON tag_binding FOR EACH ROW WHEN ((old.value <> new.value)) EXECUTE FUNCTION tag_binding_update_version();
CREATE TRIGGER tag_delete_tally AFTER DELETE ON tag FOR EACH ROW EXECUTE FUNCTION tally_forget();
CREATE TRIGGER tally_insert_fold AFTER INSERT ON tally FOR EACH ROW WHEN ((random() < (0.01)::double precision)) EXECUTE FUNCTION tally_fold();
CREATE TRIGGER team_delete_tally AFTER DELETE ON team FOR EACH ROW EXECUTE FUNCTION tally_forget();
CREATE TRIGGER team_workspace_delete_version AFTER DELETE ON team_workspace FOR EACH ROW EXECUTE FUNCTION team_workspace_delete_version();
CREATE TRIGGER team_workspace_insert_version AFTER INSERT ON team_workspace FOR EACH ROW EXECUTE FUNCTION team_workspace_insert_version();
CREATE TRIGGER team_workspace_update_version AFTER UPDATE OF shows ON team_workspace FOR EACH ROW WHEN ((old.shows <> new.shows)) EXECUTE FUNCTION team_workspace_update_version();
CREATE TRIGGER token_role_delete_policy_use AFTER DELETE ON token_role FOR EACH ROW EXECUTE FUNCTION token_role_delete_policy_use();
CREATE TRIGGER token_role_insert_policy_use AFTER INSERT ON token_role FOR EACH ROW EXECUTE FUNCTION token_role_insert_policy_use();
CREATE TRIGGER token_role_update_policy_use AFTER UPDATE OF settings ON token_role FOR EACH ROW WHEN ((new.settings <> old.settings)) EXECUTE FUNCTION token_role_update_policy_use();
CREATE TRIGGER vcs_archive_delete_release AFTER DELETE ON vcs_archive FOR EACH ROW WHEN ((old.blob_name IS NOT NULL)) EXECUTE FUNCTION run_output_release();
CREATE TRIGGER workspace_insert_told_workspace AFTER INSERT ON workspace FOR EACH ROW EXECUTE FUNCTION workspace_insert_told_workspace();
CREATE TRIGGER workspace_insert_touched BEFORE INSERT ON workspace FOR EACH ROW EXECUTE FUNCTION workspace_touched();
CREATE TRIGGER workspace_tag_delete_touched AFTER DELETE ON workspace_tag FOR EACH ROW EXECUTE FUNCTION workspace_tag_delete_touched();
CREATE TRIGGER workspace_tag_delete_version AFTER DELETE ON workspace_tag FOR EACH ROW EXECUTE FUNCTION workspace_tag_delete_version();
CREATE TRIGGER workspace_tag_insert_version AFTER INSERT ON workspace_tag FOR EACH ROW EXECUTE FUNCTION workspace_tag_insert_version();
CREATE TRIGGER workspace_update_told_lock AFTER UPDATE OF lock_holder_id ON workspace FOR EACH ROW WHEN ((old.lock_holder_id IS DISTINCT FROM new.lock_holder_id)) EXECUTE FUNCTION workspace_update_told_lock();
CREATE TRIGGER workspace_update_told_workspace AFTER UPDATE OF name, project_id, settings, current_state_version_id ON workspace FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.settings IS DISTINCT FROM new.settings) OR (old.current_state_version_id IS DISTINCT FROM new.current_state_version_id))) EXECUTE FUNCTION workspace_update_told_workspace();
CREATE TRIGGER workspace_update_touched BEFORE UPDATE OF name, project_id, latest_change_at, current_run_status, current_run_created_at, settings, current_state_version_id, version ON workspace FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.latest_change_at IS DISTINCT FROM new.latest_change_at) OR (old.current_run_status IS DISTINCT FROM new.current_run_status) OR (old.current_run_created_at IS DISTINCT FROM new.current_run_created_at) OR (old.settings IS DISTINCT FROM new.settings) OR (old.current_state_version_id IS DISTINCT FROM new.current_state_version_id) OR ((old.version <> new.version) AND (NOT (old.lock_holder_id IS DISTINCT FROM new.lock_holder_id))))) EXECUTE FUNCTION workspace_touched();
ALTER TABLE ONLY agent
    ADD CONSTRAINT agent_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent
    ADD CONSTRAINT agent_agent_token_id_fkey FOREIGN KEY (agent_token_id) REFERENCES agent_token(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent
    ADD CONSTRAINT agent_machine_identity_id_fkey FOREIGN KEY (machine_identity_id) REFERENCES machine_identity(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_pool
    ADD CONSTRAINT agent_pool_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_pool_project
    ADD CONSTRAINT agent_pool_project_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_pool_project
    ADD CONSTRAINT agent_pool_project_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_pool_workspace
    ADD CONSTRAINT agent_pool_workspace_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_pool_workspace
    ADD CONSTRAINT agent_pool_workspace_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_token
    ADD CONSTRAINT agent_token_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE CASCADE;
ALTER TABLE ONLY approval_rule
    ADD CONSTRAINT approval_rule_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY approval_rule
    ADD CONSTRAINT approval_rule_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY approval_rule_team
    ADD CONSTRAINT approval_rule_team_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES approval_rule(id) ON DELETE CASCADE;
ALTER TABLE ONLY approval_rule
    ADD CONSTRAINT approval_rule_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY assessment_result
    ADD CONSTRAINT assessment_result_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY assessment_result
    ADD CONSTRAINT assessment_result_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY assessment_schedule
    ADD CONSTRAINT assessment_schedule_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY audit_trail
    ADD CONSTRAINT audit_trail_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_created_by_fkey FOREIGN KEY (created_by) REFERENCES account(id) ON DELETE SET NULL;
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_derived_from_fkey FOREIGN KEY (derived_from) REFERENCES authentication_token(id) ON DELETE CASCADE;
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_pipeline_identity_id_fkey FOREIGN KEY (pipeline_identity_id) REFERENCES pipeline_identity(id) ON DELETE CASCADE;
ALTER TABLE ONLY authentication_token
    ADD CONSTRAINT authentication_token_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY auto_destroy_author
    ADD CONSTRAINT auto_destroy_author_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY auto_destroy_project_author
    ADD CONSTRAINT auto_destroy_project_author_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY auto_destroy_project
    ADD CONSTRAINT auto_destroy_project_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY auto_destroy
    ADD CONSTRAINT auto_destroy_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY blob
    ADD CONSTRAINT blob_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE SET NULL;
ALTER TABLE ONLY blob
    ADD CONSTRAINT blob_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE SET NULL;
ALTER TABLE ONLY commit_fetch
    ADD CONSTRAINT commit_fetch_id_fkey FOREIGN KEY (id) REFERENCES configuration_version(id) ON DELETE CASCADE;
ALTER TABLE ONLY commit_fetch
    ADD CONSTRAINT commit_fetch_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY commit_fetch
    ADD CONSTRAINT commit_fetch_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY configuration_readme
    ADD CONSTRAINT configuration_readme_blob_name_fkey FOREIGN KEY (blob_name) REFERENCES blob(name) ON DELETE CASCADE;
ALTER TABLE ONLY configuration_version
    ADD CONSTRAINT configuration_version_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY crl
    ADD CONSTRAINT crl_mount_id_fkey FOREIGN KEY (mount_id) REFERENCES mount(id);
ALTER TABLE ONLY data_retention_policy
    ADD CONSTRAINT data_retention_policy_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY data_retention_policy
    ADD CONSTRAINT data_retention_policy_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY email_usage
    ADD CONSTRAINT email_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY entity_alias
    ADD CONSTRAINT entity_alias_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entity(id);
ALTER TABLE ONLY explorer_view
    ADD CONSTRAINT explorer_view_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY federated_identity
    ADD CONSTRAINT federated_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY forwarded_part
    ADD CONSTRAINT forwarded_part_request_id_fkey FOREIGN KEY (request_id) REFERENCES forwarded_request(id) ON DELETE CASCADE;
ALTER TABLE ONLY forwarded_request
    ADD CONSTRAINT forwarded_request_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE CASCADE;
ALTER TABLE ONLY github_app_account
    ADD CONSTRAINT github_app_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY github_app_account
    ADD CONSTRAINT github_app_account_github_app_id_fkey FOREIGN KEY (github_app_id) REFERENCES github_app(id) ON DELETE CASCADE;
ALTER TABLE ONLY github_app_installation
    ADD CONSTRAINT github_app_installation_github_app_id_fkey FOREIGN KEY (github_app_id) REFERENCES github_app(id) ON DELETE CASCADE;
ALTER TABLE ONLY github_app_installation
    ADD CONSTRAINT github_app_installation_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY github_app
    ADD CONSTRAINT github_app_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY group_alias
    ADD CONSTRAINT group_alias_group_id_fkey FOREIGN KEY (group_id) REFERENCES identity_group(id);
ALTER TABLE ONLY group_entity
    ADD CONSTRAINT group_entity_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entity(id);
ALTER TABLE ONLY group_entity
    ADD CONSTRAINT group_entity_group_id_fkey FOREIGN KEY (group_id) REFERENCES identity_group(id);
ALTER TABLE ONLY group_member
    ADD CONSTRAINT group_member_group_id_fkey FOREIGN KEY (group_id) REFERENCES identity_group(id);
ALTER TABLE ONLY group_member
    ADD CONSTRAINT group_member_member_id_fkey FOREIGN KEY (member_id) REFERENCES identity_group(id);
ALTER TABLE ONLY ingress_attributes
    ADD CONSTRAINT ingress_attributes_configuration_version_id_fkey FOREIGN KEY (configuration_version_id) REFERENCES configuration_version(id) ON DELETE CASCADE;
ALTER TABLE ONLY intermediate
    ADD CONSTRAINT intermediate_mount_id_fkey FOREIGN KEY (mount_id) REFERENCES mount(id);
ALTER TABLE ONLY invitation_link
    ADD CONSTRAINT invitation_link_created_by_fkey FOREIGN KEY (created_by) REFERENCES account(id) ON DELETE SET NULL;
ALTER TABLE ONLY invitation_link
    ADD CONSTRAINT invitation_link_membership_id_fkey FOREIGN KEY (membership_id) REFERENCES organization_membership(id) ON DELETE CASCADE;
ALTER TABLE ONLY invitation_mail
    ADD CONSTRAINT invitation_mail_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES account(id) ON DELETE SET NULL;
ALTER TABLE ONLY invitation_mail
    ADD CONSTRAINT invitation_mail_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY lock_event
    ADD CONSTRAINT lock_event_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY login_code
    ADD CONSTRAINT login_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY login_code
    ADD CONSTRAINT login_code_derived_from_fkey FOREIGN KEY (derived_from) REFERENCES authentication_token(id) ON DELETE CASCADE;
ALTER TABLE ONLY machine_identity
    ADD CONSTRAINT machine_identity_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE CASCADE;
ALTER TABLE ONLY machine_identity
    ADD CONSTRAINT machine_identity_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY machine_identity
    ADD CONSTRAINT machine_identity_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY merged_entity
    ADD CONSTRAINT merged_entity_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entity(id);
ALTER TABLE ONLY notification_configuration
    ADD CONSTRAINT notification_configuration_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY notification_configuration
    ADD CONSTRAINT notification_configuration_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY notification_configuration
    ADD CONSTRAINT notification_configuration_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY notification_configuration
    ADD CONSTRAINT notification_configuration_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY notification_delivery
    ADD CONSTRAINT notification_delivery_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES notification_configuration(id) ON DELETE CASCADE;
ALTER TABLE ONLY oauth_client
    ADD CONSTRAINT oauth_client_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE SET NULL;
ALTER TABLE ONLY oauth_client
    ADD CONSTRAINT oauth_client_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY oauth_client_project
    ADD CONSTRAINT oauth_client_project_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES oauth_client(id) ON DELETE CASCADE;
ALTER TABLE ONLY oauth_client_project
    ADD CONSTRAINT oauth_client_project_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY oauth_token
    ADD CONSTRAINT oauth_token_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES oauth_client(id) ON DELETE CASCADE;
ALTER TABLE ONLY oauth_token
    ADD CONSTRAINT oauth_token_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY organization_identity
    ADD CONSTRAINT organization_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY organization_identity
    ADD CONSTRAINT organization_identity_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY organization_membership
    ADD CONSTRAINT organization_membership_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY organization_membership
    ADD CONSTRAINT organization_membership_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY organization_turn
    ADD CONSTRAINT organization_turn_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY passkey
    ADD CONSTRAINT passkey_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY pipeline_identity
    ADD CONSTRAINT pipeline_identity_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY project
    ADD CONSTRAINT project_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY project_tag_binding
    ADD CONSTRAINT project_tag_binding_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY project_tag_binding
    ADD CONSTRAINT project_tag_binding_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY recoverable_item
    ADD CONSTRAINT recoverable_item_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY recoverable_item
    ADD CONSTRAINT recoverable_item_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY remote_state_consumer
    ADD CONSTRAINT remote_state_consumer_consumer_id_fkey FOREIGN KEY (consumer_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY remote_state_consumer
    ADD CONSTRAINT remote_state_consumer_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY removed_role
    ADD CONSTRAINT removed_role_mount_id_fkey FOREIGN KEY (mount_id) REFERENCES mount(id);
ALTER TABLE ONLY reserved_tag_key
    ADD CONSTRAINT reserved_tag_key_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY role
    ADD CONSTRAINT role_mount_id_fkey FOREIGN KEY (mount_id) REFERENCES mount(id);
ALTER TABLE ONLY run_approval
    ADD CONSTRAINT run_approval_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_comment
    ADD CONSTRAINT run_comment_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_event
    ADD CONSTRAINT run_event_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES run_comment(id) ON DELETE SET NULL;
ALTER TABLE ONLY run_event
    ADD CONSTRAINT run_event_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_log
    ADD CONSTRAINT run_log_phase_id_fkey FOREIGN KEY (phase_id) REFERENCES run_phase(id) ON DELETE CASCADE;
ALTER TABLE ONLY run
    ADD CONSTRAINT run_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_output
    ADD CONSTRAINT run_output_phase_id_fkey FOREIGN KEY (phase_id) REFERENCES run_phase(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_packages
    ADD CONSTRAINT run_packages_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_phase
    ADD CONSTRAINT run_phase_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_planned
    ADD CONSTRAINT run_planned_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_requester
    ADD CONSTRAINT run_requester_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_task
    ADD CONSTRAINT run_task_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_trigger
    ADD CONSTRAINT run_trigger_source_id_fkey FOREIGN KEY (source_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY run_trigger
    ADD CONSTRAINT run_trigger_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY run
    ADD CONSTRAINT run_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_author
    ADD CONSTRAINT schedule_author_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_exclusion
    ADD CONSTRAINT schedule_exclusion_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_exclusion
    ADD CONSTRAINT schedule_exclusion_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_outcome
    ADD CONSTRAINT schedule_outcome_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_outcome
    ADD CONSTRAINT schedule_outcome_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_task
    ADD CONSTRAINT schedule_task_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule_task
    ADD CONSTRAINT schedule_task_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY scim_group_member
    ADD CONSTRAINT scim_group_member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY scim_group_member
    ADD CONSTRAINT scim_group_member_group_id_fkey FOREIGN KEY (group_id) REFERENCES scim_group(id) ON DELETE CASCADE;
ALTER TABLE ONLY scim_user
    ADD CONSTRAINT scim_user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY session
    ADD CONSTRAINT session_token_id_fkey FOREIGN KEY (token_id) REFERENCES authentication_token(id) ON DELETE CASCADE;
ALTER TABLE ONLY sign_in_provider
    ADD CONSTRAINT sign_in_provider_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY ssh_key
    ADD CONSTRAINT ssh_key_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY state_content
    ADD CONSTRAINT state_content_blob_name_fkey FOREIGN KEY (blob_name) REFERENCES blob(name) ON DELETE CASCADE;
ALTER TABLE ONLY state_version
    ADD CONSTRAINT state_version_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY tag_binding
    ADD CONSTRAINT tag_binding_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY tag_binding
    ADD CONSTRAINT tag_binding_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY tag
    ADD CONSTRAINT tag_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY task_outcome
    ADD CONSTRAINT task_outcome_result_id_fkey FOREIGN KEY (result_id) REFERENCES task_result(id) ON DELETE CASCADE;
ALTER TABLE ONLY task_result
    ADD CONSTRAINT task_result_stage_id_fkey FOREIGN KEY (stage_id) REFERENCES task_stage(id) ON DELETE CASCADE;
ALTER TABLE ONLY task_stage
    ADD CONSTRAINT task_stage_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(id) ON DELETE CASCADE;
ALTER TABLE ONLY team_member
    ADD CONSTRAINT team_member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE ONLY team_member
    ADD CONSTRAINT team_member_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY team
    ADD CONSTRAINT team_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY team_project
    ADD CONSTRAINT team_project_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY team_project
    ADD CONSTRAINT team_project_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY team
    ADD CONSTRAINT team_scim_group_id_fkey FOREIGN KEY (scim_group_id) REFERENCES scim_group(id) ON DELETE SET NULL;
ALTER TABLE ONLY team_workspace
    ADD CONSTRAINT team_workspace_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE;
ALTER TABLE ONLY team_workspace
    ADD CONSTRAINT team_workspace_workspace_id_workspace_name_project_id_fkey FOREIGN KEY (workspace_id, workspace_name, project_id) REFERENCES workspace(id, name, project_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY token_ttl_policy
    ADD CONSTRAINT token_ttl_policy_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable_set
    ADD CONSTRAINT variable_set_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable_set
    ADD CONSTRAINT variable_set_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable_set_project
    ADD CONSTRAINT variable_set_project_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable_set_project
    ADD CONSTRAINT variable_set_project_variable_set_id_fkey FOREIGN KEY (variable_set_id) REFERENCES variable_set(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable_set_workspace
    ADD CONSTRAINT variable_set_workspace_variable_set_id_fkey FOREIGN KEY (variable_set_id) REFERENCES variable_set(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable_set_workspace
    ADD CONSTRAINT variable_set_workspace_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable
    ADD CONSTRAINT variable_variable_set_id_fkey FOREIGN KEY (variable_set_id) REFERENCES variable_set(id) ON DELETE CASCADE;
ALTER TABLE ONLY variable
    ADD CONSTRAINT variable_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_archive
    ADD CONSTRAINT vcs_archive_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_archive
    ADD CONSTRAINT vcs_archive_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_authorization
    ADD CONSTRAINT vcs_authorization_session_id_fkey FOREIGN KEY (session_id) REFERENCES authentication_token(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_delivery
    ADD CONSTRAINT vcs_delivery_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES vcs_hook(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_delivery
    ADD CONSTRAINT vcs_delivery_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_event
    ADD CONSTRAINT vcs_event_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_event
    ADD CONSTRAINT vcs_event_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_event
    ADD CONSTRAINT vcs_event_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_fork_approval
    ADD CONSTRAINT vcs_fork_approval_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_fork_approval
    ADD CONSTRAINT vcs_fork_approval_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_hook
    ADD CONSTRAINT vcs_hook_github_app_id_fkey FOREIGN KEY (github_app_id) REFERENCES github_app(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_hook
    ADD CONSTRAINT vcs_hook_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_hook_removal
    ADD CONSTRAINT vcs_hook_removal_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_hook
    ADD CONSTRAINT vcs_hook_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_pull
    ADD CONSTRAINT vcs_pull_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_ref
    ADD CONSTRAINT vcs_ref_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_report_item
    ADD CONSTRAINT vcs_report_item_report_id_fkey FOREIGN KEY (report_id) REFERENCES vcs_report(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_report
    ADD CONSTRAINT vcs_report_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_report
    ADD CONSTRAINT vcs_report_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_repository
    ADD CONSTRAINT vcs_repository_oauth_token_id_fkey FOREIGN KEY (oauth_token_id) REFERENCES oauth_token(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_repository
    ADD CONSTRAINT vcs_repository_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_run
    ADD CONSTRAINT vcs_run_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_verdict
    ADD CONSTRAINT vcs_verdict_event_id_fkey FOREIGN KEY (event_id) REFERENCES vcs_event(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_verdict
    ADD CONSTRAINT vcs_verdict_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_workspace
    ADD CONSTRAINT vcs_workspace_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY vcs_workspace
    ADD CONSTRAINT vcs_workspace_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES vcs_repository(id) ON DELETE SET NULL;
ALTER TABLE ONLY vcs_workspace
    ADD CONSTRAINT vcs_workspace_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pool(id) ON DELETE SET NULL;
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_github_app_installation_id_fkey FOREIGN KEY (github_app_installation_id) REFERENCES github_app_installation(id) ON DELETE SET NULL;
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_oauth_token_id_fkey FOREIGN KEY (oauth_token_id) REFERENCES oauth_token(id) ON DELETE SET NULL;
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
ALTER TABLE ONLY workspace_packages
    ADD CONSTRAINT workspace_packages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id);
ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_ssh_key_id_fkey FOREIGN KEY (ssh_key_id) REFERENCES ssh_key(id) ON DELETE SET NULL;
ALTER TABLE ONLY workspace_tag
    ADD CONSTRAINT workspace_tag_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tag(id) ON DELETE CASCADE;
ALTER TABLE ONLY workspace_tag
    ADD CONSTRAINT workspace_tag_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
ALTER TABLE ONLY workspace_task
    ADD CONSTRAINT workspace_task_task_id_fkey FOREIGN KEY (task_id) REFERENCES run_task(id) ON DELETE CASCADE;
ALTER TABLE ONLY workspace_task
    ADD CONSTRAINT workspace_task_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE;
