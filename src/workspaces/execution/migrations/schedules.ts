import type { ColumnTypes, Migration } from '../../../storage/index.ts';

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

/** Tables with work of organizations, and the column with the time at which the work is due. */
const WORK = [
  { table: 'schedule', at: 'next_at' },
  { table: 'schedule_task', at: 'due_at' },
  { table: 'auto_destroy', at: 'next_at' },
] as const;

/** No work is due. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Triggers move the turn of an organization forward when it gets earlier work, so every writer is covered. They never
 * move it back: the turn is early at most. `NOT EXISTS` reads the turn without a lock, so a transaction that moves it
 * back at the same time could leave it too late. This relies on SERIALIZABLE isolation, in which one of the two fails and
 * is retried. Every write of these tables must be in such a transaction.
 */
function noting({ dialect }: ColumnTypes): string[] {
  return WORK.flatMap(({ table, at }) => {
    const earlier = `NEW.${at} IS NOT NULL AND (OLD.${at} IS NULL OR NEW.${at} < OLD.${at})`;
    const events = [
      { on: 'insert', event: 'INSERT', when: `NEW.${at} IS NOT NULL` },
      { on: 'update', event: `UPDATE OF ${at}`, when: earlier },
    ];
    const known = `SELECT 1 FROM organization_turn
      WHERE work = '${table}' AND organization_id = NEW.organization_id AND due_at <= NEW.${at}`;
    // Most work is due later than the first one. It must not wait for the row, which all work of the organization has
    // in common.
    const note = `INSERT INTO organization_turn (work, organization_id, due_at, served_at)
      SELECT '${table}', NEW.organization_id, NEW.${at}, 0 WHERE NOT EXISTS (${known})
      ON CONFLICT (work, organization_id) DO UPDATE SET due_at = NEW.${at};`;
    const triggers = events.map(
      ({ on, event, when }) =>
        `CREATE TRIGGER ${table}_${on}_turn AFTER ${event} ON ${table} FOR EACH ROW WHEN (${when})`,
    );
    if (dialect === 'sqlite') return triggers.map((trigger) => `${trigger} BEGIN ${note} END`);
    return [
      `CREATE FUNCTION ${table}_turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${note} RETURN NULL; END $$`,
      ...triggers.map((trigger) => `${trigger} EXECUTE FUNCTION ${table}_turn()`),
    ];
  });
}

/**
 * Adds the turns of organizations, so that one with much work does not delay the others (turn/). Changed projects get
 * the time of their change. Runs that are executing are looked at as well, because their result may be lost.
 */
export const organizationTurns: Migration = {
  name: '0086-organization-turns',
  compatibleFrom: '0040-well-formed',
  statements: (types) => [
    // work: name of the table. due_at: no later than the first work of the organization is due. served_at: time of the
    // clock at its last turn.
    `CREATE TABLE organization_turn (
      work ${types.text} NOT NULL,
      organization_id ${types.text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      due_at ${types.integer} NOT NULL,
      served_at ${types.integer} NOT NULL,
      PRIMARY KEY (work, organization_id)
    )${types.tableOptions}`,
    'CREATE INDEX organization_turn_by_time ON organization_turn (work, due_at, served_at, organization_id)',
    'CREATE INDEX organization_turn_by_clock ON organization_turn (work, served_at)',
    'CREATE INDEX organization_turn_of ON organization_turn (organization_id)',
    ...noting(types),
    `UPDATE auto_destroy SET next_at = 0 WHERE state = 'running' AND next_at IS NULL`,
    ...WORK.map(
      ({ table, at }) => `INSERT INTO organization_turn (work, organization_id, due_at, served_at)
        SELECT '${table}', t.organization_id, COALESCE(min(t.${at}), ${NEVER}), 0
        FROM ${table} t JOIN organization g ON g.id = t.organization_id
        WHERE NOT EXISTS (SELECT 1 FROM organization_turn o WHERE o.work = '${table}' AND o.organization_id = t.organization_id)
        GROUP BY t.organization_id`,
    ),

    'CREATE INDEX schedule_by_turn ON schedule (organization_id, next_at, id) WHERE next_at IS NOT NULL',
    'CREATE INDEX schedule_task_by_turn ON schedule_task (organization_id, due_at, schedule_id, workspace_id)',
    'CREATE INDEX auto_destroy_by_turn ON auto_destroy (organization_id, next_at, due_at) WHERE next_at IS NOT NULL',
    // Rows that start no run when their time comes.
    `CREATE INDEX auto_destroy_look ON auto_destroy (organization_id, next_at, due_at)
     WHERE next_at IS NOT NULL AND (state = 'running' OR due_at IS NULL OR next_at < due_at)`,
    'DROP INDEX schedule_by_time',
    'DROP INDEX schedule_task_by_time',
    'DROP INDEX auto_destroy_by_time',

    // Time at which a change of a project is passed on, or tried again.
    `ALTER TABLE auto_destroy_project ADD COLUMN next_at ${types.integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX auto_destroy_project_by_time ON auto_destroy_project (next_at, project_id)',
  ],
};
