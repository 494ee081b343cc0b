import type { Migration } from '../../../storage/index.ts';

/** Adds run tasks and their results. */
export const runTasks: Migration = {
  name: '0017-run-tasks',
  statements: ({ text, integer, blob, tableOptions }) => [
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
  ],
};
