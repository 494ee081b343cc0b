import type { ColumnTypes } from '../../../storage/index.ts';

/** Tables of runs, their configurations, tasks, approvals and results. */
export function runTables({ text, integer, blob, tableOptions, dialect }: ColumnTypes): string[] {
  return [
    // `blob_name` is the uploaded archive. `backing` is kept, soft_deleted or deleted. Whether strangers wrote the
    // configuration, so that its runs get no secrets.
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
      created_at ${integer} NOT NULL,
      ingress_id ${text},
      untrusted ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX configuration_version_by_workspace ON configuration_version (workspace_id, created_at, id)',
    `CREATE INDEX configuration_version_usable ON configuration_version (workspace_id, created_at, id)
     WHERE status = 'uploaded' AND speculative = 0`,
    // `waits`: the run waits for its workspace. `active`: it holds the workspace. `queued`: it is in the
    // organization's queue. `parameters` is JSON from the client; `variables` is encrypted. Agent of the run, from
    // the queue to the end of the plan or apply. The agent may no longer exist. Whether the settings of the
    // workspace allow the automatic apply, whatever the creator may do. Fencing token: number of times the job was
    // taken. Credentials with an earlier number are refused. Agent that took it last, even if it no longer has it.
    // Whether the client prints the log unformatted. Pool whose agents it waits for. Empty: the server's own agents.
    // Null: none. `queue_class` and `queue_turn`, in this order, are the position in the queue (lifecycle/queue.ts).
    // Turns are times in milliseconds. Marks a saved plan in progress whose state version is not current any more.
    // Reason why no agent takes the run. Reason of the server for canceling the run.
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
      created_at ${integer} NOT NULL,
      agent_id ${text},
      queue_class ${integer} NOT NULL DEFAULT 4,
      queue_turn ${integer} NOT NULL DEFAULT 0,
      stale ${integer} NOT NULL DEFAULT 0,
      waiting_for ${text},
      cancel_reason ${text},
      fence ${integer} NOT NULL DEFAULT 0,
      carried_by ${text},
      plain_log ${integer} NOT NULL DEFAULT 0,
      queue_pool ${text},
      queued_since ${integer},
      applies_by_settings ${integer} NOT NULL DEFAULT 0,
      untrusted ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX run_by_workspace ON run (workspace_id, created_at, id)',
    'CREATE INDEX run_by_organization ON run (organization_id, created_at, id)',
    'CREATE INDEX run_by_configuration ON run (configuration_version_id)',
    'CREATE UNIQUE INDEX run_active ON run (workspace_id) WHERE active = 1',
    'CREATE INDEX run_waiting ON run (workspace_id, created_at, id) WHERE waits = 1',
    'CREATE INDEX run_unfinished ON run (workspace_id, created_at, id) WHERE finished_at IS NULL',
    // Index of runs that count in workspace metrics.
    `CREATE INDEX run_measured ON run (workspace_id, finished_at, id) WHERE status IN ('applied', 'errored')`,
    'CREATE INDEX run_by_agent ON run (agent_id) WHERE agent_id IS NOT NULL',
    'CREATE INDEX run_stale ON run (id) WHERE stale = 1',
    'CREATE INDEX run_told ON run (id) WHERE waiting_for IS NOT NULL',
    'CREATE INDEX run_queued ON run (organization_id, queue_class, queue_turn, id) WHERE queued = 1',
    'CREATE INDEX run_queued_in_workspace ON run (workspace_id, queue_class, queue_turn) WHERE queued = 1',
    `CREATE INDEX run_takeable ON run (queue_turn, id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND waiting_for IS NULL`,
    `CREATE INDEX run_saved ON run (created_at, id) WHERE status = 'planned_and_saved'`,
    `CREATE INDEX run_by_queue_pool ON run (queue_pool, queue_class, queue_turn, id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3)`,
    // Index of visible runs, without assessments.
    `CREATE INDEX run_shown ON run (organization_id, created_at, id) WHERE operation <> 'assessment'`,
    'CREATE INDEX run_assessment_takeable ON run (queue_pool, queue_turn, id) WHERE queued = 1 AND queue_class = 5',
    'CREATE INDEX run_assessment_waiting ON run (created_at, id) WHERE queued = 1 AND queue_class = 5',
    `CREATE INDEX run_assessment ON run (workspace_id, finished_at, id) WHERE operation = 'assessment'`,
    'CREATE INDEX run_running ON run (queue_turn, id) WHERE queued = 1 AND queue_class IN (0, 6)',
    `CREATE INDEX run_by_status ON run (organization_id, status, created_at, workspace_id)
     WHERE operation <> 'assessment'`,
    // The last three columns make the index covering on SQLite.
    `CREATE INDEX run_waits_for_agent ON run (queue_pool, queued_since, queue_class, queued, agent_id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND agent_id IS NULL`,
    `CREATE INDEX run_not_over ON run (status, finished_at, operation)
     WHERE finished_at IS NULL AND operation <> 'assessment'`,
    `CREATE INDEX run_scheduled ON run (organization_id, queue_class)
     WHERE queued = 1 AND trigger_reason IN ('schedule', 'assessment')`,
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
      preface_bytes ${integer} NOT NULL DEFAULT 0,
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
      description ${text},
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
    // `url` and `hmac_key` are encrypted; `target` is the host of the URL. `global_stages` is JSON. `origin` is the
    // URL of this API when the task was saved.
    `CREATE TABLE run_task (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      description ${text} NOT NULL,
      url ${blob} NOT NULL,
      hmac_key ${blob},
      enabled ${integer} NOT NULL,
      global_enabled ${integer} NOT NULL,
      global_stages ${text} NOT NULL,
      global_enforcement ${text} NOT NULL,
      target ${text} NOT NULL,
      origin ${text} NOT NULL,
      version ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,
    // `stages` is JSON.
    `CREATE TABLE workspace_task (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      task_id ${text} NOT NULL REFERENCES run_task (id) ON DELETE CASCADE,
      enforcement_level ${text} NOT NULL,
      stages ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, task_id)
    )${tableOptions}`,
    'CREATE INDEX workspace_task_by_task ON workspace_task (task_id, id)',
    // One row for each stage of a run with tasks, created with the run. `timestamps` is JSON.
    `CREATE TABLE task_stage (
      id ${text} PRIMARY KEY,
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      stage ${text} NOT NULL,
      status ${text} NOT NULL,
      timestamps ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (run_id, stage)
    )${tableOptions}`,
    // Result of a task. It outlives the task: name and URL are copies from the creation of the run, and `url` is
    // encrypted. `due_at` is the time to send the request or, after that, the time to stop waiting; null before its
    // stage starts and after it ends. The sender holds `claim` until `claimed_until`. `began_at` is the start of its
    // stage. `place` is the order.
    `CREATE TABLE task_result (
      id ${text} PRIMARY KEY,
      stage_id ${text} NOT NULL REFERENCES task_stage (id) ON DELETE CASCADE,
      place ${integer} NOT NULL,
      organization_id ${text} NOT NULL,
      task_id ${text} NOT NULL,
      task_name ${text} NOT NULL,
      task_url ${blob} NOT NULL,
      workspace_task_id ${text},
      enforcement_level ${text} NOT NULL,
      status ${text} NOT NULL,
      message ${text} NOT NULL,
      url ${text} NOT NULL,
      timestamps ${text} NOT NULL,
      target ${text} NOT NULL,
      tries ${integer} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL,
      began_at ${integer},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX task_result_by_stage ON task_result (stage_id, place)',
    'CREATE INDEX task_result_due ON task_result (due_at) WHERE due_at IS NOT NULL',
    // Outcomes of a result, ordered by `place`. `tags` is JSON.
    `CREATE TABLE task_outcome (
      id ${text} PRIMARY KEY,
      result_id ${text} NOT NULL REFERENCES task_result (id) ON DELETE CASCADE,
      place ${integer} NOT NULL,
      outcome_id ${text} NOT NULL,
      description ${text} NOT NULL,
      body ${text} NOT NULL,
      url ${text} NOT NULL,
      tags ${text} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX task_outcome_by_result ON task_outcome (result_id, place)',
    `CREATE TABLE run_output (
      phase_id ${text} NOT NULL REFERENCES run_phase (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      blob_name ${text} NOT NULL,
      size ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (phase_id, kind)
    )${tableOptions}`,
    // The table has no foreign keys, because deletions are reported too.
    `CREATE TABLE change (
      ${dialect === 'sqlite' ? 'number INTEGER PRIMARY KEY,' : ''}
      kind ${text} NOT NULL,
      subject_id ${text} NOT NULL,
      workspace_id ${text} NOT NULL,
      organization_id ${text} NOT NULL,
      happened_at ${integer} NOT NULL${
        dialect === 'sqlite'
          ? ''
          : `,
      tick ${integer} NOT NULL,
      number ${integer} GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (tick, number)`
      }
    )${tableOptions}`,
    `CREATE TABLE run_planned (
      run_id ${text} NOT NULL PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      facts ${text} NOT NULL
    )${tableOptions}`,
    // Origin of a configuration version that came from a repository. attributes is JSON.
    `CREATE TABLE ingress_attributes (
      id ${text} PRIMARY KEY,
      configuration_version_id ${text} NOT NULL UNIQUE REFERENCES configuration_version (id) ON DELETE CASCADE,
      attributes ${text} NOT NULL
    )${tableOptions}`,
    // Commits that users asked for, whose configuration versions are being fetched. The id is that of the version. A
    // queue (workspaces/delivery).
    `CREATE TABLE commit_fetch (
      id ${text} PRIMARY KEY REFERENCES configuration_version (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      ref ${text},
      created_by_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX commit_fetch_due ON commit_fetch (due_at) WHERE due_at IS NOT NULL',
    // READMEs that were extracted from archives, encrypted with the keys of the archives.
    `CREATE TABLE configuration_readme (
      blob_name ${text} NOT NULL REFERENCES blob (name) ON DELETE CASCADE,
      working_directory ${text} NOT NULL,
      content ${blob} NOT NULL,
      PRIMARY KEY (blob_name, working_directory)
    )${tableOptions}`,
    // Either project_id or workspace_id is set. operations: all or destroy.
    `CREATE TABLE approval_rule (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id ${text} REFERENCES project (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      required ${integer} NOT NULL,
      requester_may_approve ${integer} NOT NULL,
      operations ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX approval_rule_by_project ON approval_rule (project_id) WHERE project_id IS NOT NULL',
    'CREATE INDEX approval_rule_by_workspace ON approval_rule (workspace_id) WHERE workspace_id IS NOT NULL',
    // team_id refers to no row, so that a rule survives its team and refuses the apply. team_name names it then.
    `CREATE TABLE approval_rule_team (
      rule_id ${text} NOT NULL REFERENCES approval_rule (id) ON DELETE CASCADE,
      team_id ${text} NOT NULL,
      team_name ${text} NOT NULL,
      PRIMARY KEY (rule_id, team_id)
    )${tableOptions}`,
    // user_id refers to no row, so that the history of a run survives its users. times: how often they approved.
    `CREATE TABLE run_approval (
      id ${text} PRIMARY KEY,
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      user_id ${text} NOT NULL,
      user_name ${text} NOT NULL,
      comment_id ${text},
      times ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      revoked_at ${integer},
      UNIQUE (run_id, user_id)
    )${tableOptions}`,
    // Versions of providers and modules that `init` selected, as JSON, until the run is deleted.
    `CREATE TABLE run_packages (
      run_id ${text} PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      packages ${text} NOT NULL
    )${tableOptions}`,
    // Packages of the last run of a workspace that was applied or found nothing to change, with its end; null if
    // unknown. applied_at: end of the last applied run.
    `CREATE TABLE workspace_packages (
      workspace_id ${text} PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      packages ${text},
      recorded_at ${integer},
      applied_at ${integer}
    )${tableOptions}`,
    // Until the run is over. part: what they did. type: users, teams, names (user names at a provider) or
    // organization (the account of its token). members: IDs of the users who were in the team at the start, as JSON;
    // null for no team, and for a team with too many members.
    `CREATE TABLE run_requester (
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      part ${text} NOT NULL,
      type ${text} NOT NULL,
      id ${text} NOT NULL,
      members ${text},
      PRIMARY KEY (run_id, part, type, id)
    )${tableOptions}`,
  ];
}
