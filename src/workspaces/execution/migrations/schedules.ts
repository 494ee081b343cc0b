import type { Migration } from '../../../storage/index.ts';

/** Adds schedules of workspaces and projects (schedule/). */
export const schedules: Migration = {
  name: '0074-schedules',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text, tableOptions }) => [
    // Either the workspace or the project is set. next_at: time of the next occurrence, null while it is paused.
    // distributed_to: workspace up to which the tasks of the occurrence at next_at exist. fired_at: time of the clock
    // when the last occurrence was complete.
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
    'CREATE INDEX schedule_by_time ON schedule (next_at, id) WHERE next_at IS NOT NULL',
    'CREATE INDEX schedule_by_clock ON schedule (fired_at, id) WHERE next_at IS NOT NULL',

    // Workspaces in which a schedule of their project does not act.
    `CREATE TABLE schedule_exclusion (
      schedule_id ${text} NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (schedule_id, workspace_id)
    )${tableOptions}`,
    'CREATE INDEX schedule_exclusion_by_workspace ON schedule_exclusion (workspace_id)',

    // Occurrences that are to start in a workspace, at due_at or later. Deleted in the transaction that starts the run.
    `CREATE TABLE schedule_task (
      schedule_id ${text} NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL,
      occurred_at ${integer} NOT NULL,
      due_at ${integer} NOT NULL,
      PRIMARY KEY (schedule_id, workspace_id)
    )${tableOptions}`,
    'CREATE INDEX schedule_task_by_time ON schedule_task (due_at, schedule_id, workspace_id, organization_id)',
    'CREATE INDEX schedule_task_by_workspace ON schedule_task (workspace_id)',

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
  ],
};

/** Adds the index that counts the scheduled runs of an organization which wait for an agent. */
export const scheduledRuns: Migration = {
  name: '0075-scheduled-runs',
  compatibleFrom: '0040-well-formed',
  indexes: [
    {
      name: 'run_scheduled',
      on: "run (organization_id, queue_class) WHERE queued = 1 AND trigger_reason IN ('schedule', 'assessment')",
    },
  ],
};
