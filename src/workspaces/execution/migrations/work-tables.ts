import type { ColumnTypes } from '../../../storage/index.ts';

/** Tables of notifications, schedules, assessments, auto-destroy and the explorer. */
export function workTables({ text, integer, blob, tableOptions }: ColumnTypes): string[] {
  return [
    // One assessment, executed as a run. `finished_at` is null until it ends; a canceled one has no row. `drifted`
    // and `succeeded` are 0 or 1. Counts are null if they were not reported.
    `CREATE TABLE assessment_result (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      run_id ${text} NOT NULL UNIQUE REFERENCES run (id) ON DELETE CASCADE,
      drifted ${integer},
      succeeded ${integer},
      error_message ${text},
      resources_drifted ${integer},
      resources_undrifted ${integer},
      checks_passed ${integer},
      checks_failed ${integer},
      checks_errored ${integer},
      checks_unknown ${integer},
      created_at ${integer} NOT NULL,
      finished_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX assessment_result_by_workspace ON assessment_result (workspace_id, finished_at, id)',
    // Next assessment of a workspace; 0 if it has no time of day yet.
    `CREATE TABLE assessment_schedule (
      workspace_id ${text} PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      next_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX assessment_schedule_by_time ON assessment_schedule (next_at, workspace_id)',
    // A row for each workspace with a setting, its own or that of its project. kind: at, idle. due_at: time of the
    // destroy run when it was last calculated; activity may have moved it since. next_at: time to calculate it
    // again; null waits for an event. reminded: number of reminders that are over. attempts: failed ones.
    `CREATE TABLE auto_destroy (
      workspace_id ${text} PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      state ${text} NOT NULL,
      due_at ${integer},
      next_at ${integer},
      reminded ${integer} NOT NULL DEFAULT 0,
      attempts ${integer} NOT NULL DEFAULT 0,
      run_id ${text}
    )${tableOptions}`,
    `CREATE INDEX auto_destroy_running ON auto_destroy (organization_id) WHERE state = 'running'`,
    `CREATE INDEX auto_destroy_errored ON auto_destroy (organization_id, due_at)
     WHERE state IN ('blocked', 'failed', 'stopped')`,
    'CREATE INDEX auto_destroy_by_turn ON auto_destroy (organization_id, next_at, due_at) WHERE next_at IS NOT NULL',
    // Rows that start no run when their time comes.
    `CREATE INDEX auto_destroy_look ON auto_destroy (organization_id, next_at, due_at)
     WHERE next_at IS NOT NULL AND (state = 'running' OR due_at IS NULL OR next_at < due_at)`,
    // Projects whose setting changed and whose workspaces get a new time, in steps. after_id: the last one that has
    // it. Time at which a change of a project is passed on, or tried again.
    `CREATE TABLE auto_destroy_project (
      project_id ${text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
      after_id ${text} NOT NULL,
      next_at ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX auto_destroy_project_by_time ON auto_destroy_project (next_at, project_id)',
    // Either the workspace or the project is set. next_at: time of the next occurrence, null while it is paused.
    // distributed_to: workspace up to which the tasks of the occurrence at next_at exist. fired_at: time of the
    // clock when the last occurrence was complete.
    `CREATE TABLE schedule (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      project_id ${text} REFERENCES project (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      operation ${text} NOT NULL,
      cron ${text} NOT NULL,
      time_zone ${text} NOT NULL,
      jitter ${integer} NOT NULL,
      when_busy ${text} NOT NULL,
      paused ${integer} NOT NULL,
      next_at ${integer},
      distributed_to ${text} NOT NULL,
      occurred_at ${integer},
      fired_at ${integer},
      created_at ${integer} NOT NULL,
      CHECK ((workspace_id IS NULL) <> (project_id IS NULL)),
      UNIQUE (workspace_id, name),
      UNIQUE (project_id, name)
    )${tableOptions}`,
    'CREATE INDEX schedule_by_organization ON schedule (organization_id)',
    'CREATE INDEX schedule_by_clock ON schedule (fired_at, id) WHERE next_at IS NOT NULL',
    'CREATE INDEX schedule_by_turn ON schedule (organization_id, next_at, id) WHERE next_at IS NOT NULL',
    // Workspaces in which a schedule of their project does not act.
    `CREATE TABLE schedule_exclusion (
      schedule_id ${text} NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (schedule_id, workspace_id)
    )${tableOptions}`,
    'CREATE INDEX schedule_exclusion_by_workspace ON schedule_exclusion (workspace_id)',
    // Occurrences that are to start in a workspace, at due_at or later. Deleted in the transaction that starts the
    // run.
    `CREATE TABLE schedule_task (
      schedule_id ${text} NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL,
      occurred_at ${integer} NOT NULL,
      due_at ${integer} NOT NULL,
      PRIMARY KEY (schedule_id, workspace_id)
    )${tableOptions}`,
    'CREATE INDEX schedule_task_by_workspace ON schedule_task (workspace_id)',
    'CREATE INDEX schedule_task_by_turn ON schedule_task (organization_id, due_at, schedule_id, workspace_id)',
    // Results of occurrences. run_id: the run that was started; it may be deleted.
    `CREATE TABLE schedule_outcome (
      id ${text} PRIMARY KEY,
      schedule_id ${text} NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      status ${text} NOT NULL,
      reason ${text},
      run_id ${text},
      occurred_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX schedule_outcome_by_workspace ON schedule_outcome (schedule_id, workspace_id, id)',
    'CREATE INDEX schedule_outcome_by_schedule ON schedule_outcome (schedule_id, id)',
    'CREATE INDEX schedule_outcome_of_workspace ON schedule_outcome (workspace_id)',
    // `url`, `token` and `responses` are encrypted; `target` is the host of the URL. `triggers` is JSON. `origin` is
    // the URL of this API when the configuration was saved. `queued` counts its rows in notification_delivery;
    // `due_at` is the time of the first, or null. The sender holds `claim` until `claimed_until`. `failures` counts
    // consecutive failures. At most one of workspace_id, project_id and team_id has a value; without any, it is of
    // the organization. Recipients of emails, as JSON lists: IDs of users, and addresses.
    `CREATE TABLE notification_configuration (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      destination_type ${text} NOT NULL,
      enabled ${integer} NOT NULL,
      triggers ${text} NOT NULL,
      url ${blob} NOT NULL,
      token ${blob},
      responses ${blob},
      target ${text} NOT NULL,
      origin ${text} NOT NULL,
      version ${integer} NOT NULL,
      queued ${integer} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      project_id ${text} REFERENCES project (id) ON DELETE CASCADE,
      team_id ${text} REFERENCES team (id) ON DELETE CASCADE,
      email_users ${text} NOT NULL DEFAULT '[]',
      email_addresses ${text} NOT NULL DEFAULT '[]',
      digest ${text},
      digest_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX notification_configuration_by_workspace ON notification_configuration (workspace_id, id)',
    'CREATE INDEX notification_configuration_by_organization ON notification_configuration (organization_id)',
    'CREATE INDEX notification_configuration_due ON notification_configuration (due_at) WHERE due_at IS NOT NULL',
    `CREATE INDEX notification_configuration_by_project ON notification_configuration (project_id, id)
     WHERE project_id IS NOT NULL`,
    `CREATE INDEX notification_configuration_by_team ON notification_configuration (team_id, id)
     WHERE team_id IS NOT NULL`,
    `CREATE INDEX notification_configuration_of_all ON notification_configuration (organization_id, id)
     WHERE workspace_id IS NULL AND project_id IS NULL AND team_id IS NULL`,
    `CREATE INDEX notification_configuration_digest ON notification_configuration (digest_at, id)
     WHERE digest_at IS NOT NULL`,
    // Outbox, ordered by (created_at, place, id). `content` is JSON.
    `CREATE TABLE notification_delivery (
      id ${text} PRIMARY KEY,
      configuration_id ${text} NOT NULL REFERENCES notification_configuration (id) ON DELETE CASCADE,
      place ${integer} NOT NULL,
      content ${text} NOT NULL,
      tries ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX notification_delivery_in_turn ON notification_delivery (configuration_id, created_at, place, id)',
    // Saved queries of the explorer. query is JSON: filter, fields and sort.
    `CREATE TABLE explorer_view (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      query_type ${text} NOT NULL,
      query ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX explorer_view_by_organization ON explorer_view (organization_id, name, id)',
    // Users or teams who changed settings by which the server starts runs. by_id refers to no row, so that it
    // survives.
    `CREATE TABLE schedule_author (
      schedule_id ${text} PRIMARY KEY REFERENCES schedule (id) ON DELETE CASCADE,
      by_type ${text} NOT NULL,
      by_id ${text} NOT NULL
    )${tableOptions}`,
    // part: auto_destroy (last change of the setting) or retry (last retry of a failed destroy run).
    `CREATE TABLE auto_destroy_author (
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      part ${text} NOT NULL,
      by_type ${text} NOT NULL,
      by_id ${text} NOT NULL,
      PRIMARY KEY (workspace_id, part)
    )${tableOptions}`,
    `CREATE TABLE auto_destroy_project_author (
      project_id ${text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
      by_type ${text} NOT NULL,
      by_id ${text} NOT NULL
    )${tableOptions}`,
    // work: name of the table. due_at: no later than the first work of the organization is due. served_at: time of
    // the clock at its last turn.
    `CREATE TABLE organization_turn (
      work ${text} NOT NULL,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      due_at ${integer} NOT NULL,
      served_at ${integer} NOT NULL,
      PRIMARY KEY (work, organization_id)
    )${tableOptions}`,
    'CREATE INDEX organization_turn_by_time ON organization_turn (work, due_at, served_at, organization_id)',
    'CREATE INDEX organization_turn_by_clock ON organization_turn (work, served_at)',
    'CREATE INDEX organization_turn_of ON organization_turn (organization_id)',
    `CREATE TABLE email_usage (
      organization_id ${text} PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
      began_at ${integer} NOT NULL,
      recipients ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE TABLE postponed_work (
      kind ${text} NOT NULL,
      id ${text} NOT NULL,
      due_at ${integer} NOT NULL,
      PRIMARY KEY (kind, id)
    )${tableOptions}`,
  ];
}
