import type { Migration } from '../../../storage/index.ts';

/** Adds configuration versions, runs, and run triggers. */
export const runs: Migration = {
  name: '0008-runs',
  statements: ({ text, integer, blob, tableOptions }) => [
    // `blob_name` is the uploaded archive. `backing` is kept, soft_deleted or deleted.
    `CREATE TABLE configuration_version (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      source ${text} NOT NULL,
      status ${text} NOT NULL,
      auto_queue_runs ${integer} NOT NULL,
      speculative ${integer} NOT NULL,
      provisional ${integer} NOT NULL,
      error ${text},
      error_message ${text},
      timestamps ${text} NOT NULL,
      blob_name ${text},
      size ${integer} NOT NULL,
      backing ${text} NOT NULL,
      created_by_type ${text} NOT NULL,
      created_by_id ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX configuration_version_by_workspace ON configuration_version (workspace_id, created_at, id)',
    `CREATE INDEX configuration_version_usable ON configuration_version (workspace_id, created_at, id)
     WHERE status = 'uploaded' AND speculative = 0`,

    // `waits`: the run waits for its workspace. `active`: it holds the workspace. `queued`: it is in the
    // organization's queue. `parameters` is JSON from the client; `variables` is encrypted.
    `CREATE TABLE run (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      configuration_version_id ${text} NOT NULL,
      status ${text} NOT NULL,
      operation ${text} NOT NULL,
      source ${text} NOT NULL,
      trigger_reason ${text} NOT NULL,
      message ${text} NOT NULL,
      parameters ${text} NOT NULL,
      variables ${blob},
      timestamps ${text} NOT NULL,
      has_changes ${integer} NOT NULL,
      waits ${integer} NOT NULL,
      active ${integer} NOT NULL,
      queued ${integer} NOT NULL,
      version ${integer} NOT NULL,
      created_by_type ${text} NOT NULL,
      created_by_id ${text} NOT NULL,
      created_by_name ${text} NOT NULL,
      confirmed_by_type ${text},
      confirmed_by_id ${text},
      canceled_at ${integer},
      finished_at ${integer},
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX run_by_workspace ON run (workspace_id, created_at, id)',
    'CREATE INDEX run_by_organization ON run (organization_id, created_at, id)',
    'CREATE INDEX run_by_configuration ON run (configuration_version_id)',
    'CREATE UNIQUE INDEX run_active ON run (workspace_id) WHERE active = 1',
    'CREATE INDEX run_waiting ON run (workspace_id, created_at, id) WHERE waits = 1',
    'CREATE INDEX run_queued ON run (organization_id, created_at, id, status) WHERE queued = 1',
    'CREATE INDEX run_unfinished ON run (workspace_id, created_at, id) WHERE finished_at IS NULL',
    // Index of runs that count in workspace metrics.
    `CREATE INDEX run_measured ON run (workspace_id, finished_at, id) WHERE status IN ('applied', 'errored')`,

    // Phases of a run: `kind` is plan or apply.
    `CREATE TABLE run_phase (
      id ${text} PRIMARY KEY,
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      status ${text} NOT NULL,
      timestamps ${text} NOT NULL,
      additions ${integer} NOT NULL,
      changes ${integer} NOT NULL,
      destructions ${integer} NOT NULL,
      imports ${integer} NOT NULL,
      log_bytes ${integer} NOT NULL,
      UNIQUE (run_id, kind)
    )${tableOptions}`,
    // `content` is encrypted. `first_byte` is its offset in the log.
    `CREATE TABLE run_log (
      phase_id ${text} NOT NULL REFERENCES run_phase (id) ON DELETE CASCADE,
      first_byte ${integer} NOT NULL,
      bytes ${integer} NOT NULL,
      content ${blob} NOT NULL,
      PRIMARY KEY (phase_id, first_byte)
    )${tableOptions}`,

    `CREATE TABLE run_comment (
      id ${text} PRIMARY KEY,
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      body ${text} NOT NULL,
      created_by_type ${text} NOT NULL,
      created_by_id ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX run_comment_by_run ON run_comment (run_id, created_at, id)',

    // `actor_type` and `actor_id` are null for events of the server.
    `CREATE TABLE run_event (
      id ${text} PRIMARY KEY,
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      number ${integer} NOT NULL,
      action ${text} NOT NULL,
      actor_type ${text},
      actor_id ${text},
      comment_id ${text} REFERENCES run_comment (id) ON DELETE SET NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (run_id, number)
    )${tableOptions}`,
    'CREATE INDEX run_event_by_comment ON run_event (comment_id)',

    // An applied run in the source workspace starts a run in the workspace.
    `CREATE TABLE run_trigger (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      source_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, source_id)
    )${tableOptions}`,
    'CREATE INDEX run_trigger_by_source ON run_trigger (source_id, id)',
  ],
};
