import type { Migration } from '../../../storage/index.ts';

/**
 * Schedule of automatic destroy runs. Workspaces that have a setting already get the state `found`: earlier versions
 * of the server did not act on it, so a time that has passed must not destroy anything by surprise.
 */
export const autoDestroy: Migration = {
  name: '0072-auto-destroy',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text, tableOptions }) => [
    // Start of the newest run that could change the workspace, in milliseconds since 1970. Null: unknown.
    `ALTER TABLE workspace ADD COLUMN worked_at ${integer}`,
    // Outcome of a destroy run that was due, as JSON. Null: the settings say everything.
    `ALTER TABLE workspace ADD COLUMN auto_destroy ${text}`,

    // A row for each workspace with a setting, its own or that of its project. kind: at, idle. due_at: time of the
    // destroy run when it was last calculated; activity may have moved it since. next_at: time to calculate it again;
    // null waits for an event. reminded: number of reminders that are over. attempts: failed ones.
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
    'CREATE INDEX auto_destroy_by_time ON auto_destroy (next_at, due_at) WHERE next_at IS NOT NULL',
    `CREATE INDEX auto_destroy_running ON auto_destroy (organization_id) WHERE state = 'running'`,
    `CREATE INDEX auto_destroy_errored ON auto_destroy (organization_id, due_at)
     WHERE state IN ('blocked', 'failed', 'stopped')`,
    `INSERT INTO auto_destroy (workspace_id, organization_id, kind, state, next_at)
     SELECT w.id, w.organization_id, 'idle', 'found', 0 FROM workspace w JOIN project j ON j.id = w.project_id
     WHERE j.auto_destroy_activity_duration IS NOT NULL OR w.settings LIKE '%"auto-destroy-at":"%'
       OR w.settings LIKE '%"auto-destroy-activity-duration":"%'`,

    // Projects whose setting changed and whose workspaces get a new time, in steps. after_id: the last one that has it.
    `CREATE TABLE auto_destroy_project (
      project_id ${text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
      after_id ${text} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX workspace_in_project ON workspace (project_id, id)',
  ],
};
