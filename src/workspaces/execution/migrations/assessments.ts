import type { Migration } from '../../../storage/index.ts';

/** Adds health assessments: their schedule and results. */
export const assessments: Migration = {
  name: '0024-assessments',
  statements: ({ text, integer, tableOptions }) => [
    // One assessment, executed as a run. `finished_at` is null until it ends; a canceled one has no row. `drifted` and
    // `succeeded` are 0 or 1. Counts are null if they were not reported.
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
    `INSERT INTO assessment_schedule (workspace_id, next_at)
     SELECT id, 0 FROM workspace WHERE current_run_status IN ('applied', 'planned_and_finished')`,
    `ALTER TABLE workspace ADD COLUMN assessment_result_id ${text}`,
    `ALTER TABLE workspace ADD COLUMN assessed_at ${integer}`,

    // Index of visible runs, without assessments.
    `CREATE INDEX run_shown ON run (organization_id, created_at, id) WHERE operation <> 'assessment'`,
    'CREATE INDEX run_assessment_takeable ON run (queue_pool, queue_turn, id) WHERE queued = 1 AND queue_class = 5',
    'CREATE INDEX run_assessment_waiting ON run (created_at, id) WHERE queued = 1 AND queue_class = 5',
    `CREATE INDEX run_assessment ON run (workspace_id, finished_at, id) WHERE operation = 'assessment'`,
    // Index of running jobs, including assessments.
    'DROP INDEX run_running',
    'CREATE INDEX run_running ON run (queue_turn, id) WHERE queued = 1 AND queue_class IN (0, 6)',
  ],
};
