import type { Migration } from '../../../storage/index.ts';

/** Adds the order of runs in the queue, the reason why a run waits, and descriptions of events. */
export const queue: Migration = {
  name: '0016-queue',
  statements: ({ text, integer }) => [
    // `queue_class` and `queue_turn`, in this order, are the position in the queue (lifecycle/queue.ts). Turns are
    // times in milliseconds.
    `ALTER TABLE run ADD COLUMN queue_class ${integer} NOT NULL DEFAULT 4`,
    `ALTER TABLE run ADD COLUMN queue_turn ${integer} NOT NULL DEFAULT 0`,
    // Marks a saved plan in progress whose state version is not current any more.
    `ALTER TABLE run ADD COLUMN stale ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX run_stale ON run (id) WHERE stale = 1',
    // Reason why no agent takes the run.
    `ALTER TABLE run ADD COLUMN waiting_for ${text}`,
    'CREATE INDEX run_told ON run (id) WHERE waiting_for IS NOT NULL',
    // Reason of the server for canceling the run.
    `ALTER TABLE run ADD COLUMN cancel_reason ${text}`,
    `UPDATE run SET queue_turn = created_at, queue_class = CASE
       WHEN waits = 1 THEN 4
       WHEN status IN ('planning', 'applying') THEN 0
       WHEN status IN ('queuing_apply', 'apply_queued') THEN 1
       WHEN status IN ('queuing', 'plan_queued') AND operation = 'plan_only' THEN 3
       WHEN status IN ('queuing', 'plan_queued') THEN 2
       ELSE 4 END
     WHERE queued = 1`,
    // Running jobs started with their last event.
    `UPDATE run SET queue_turn = coalesce((SELECT max(e.created_at) FROM run_event e WHERE e.run_id = run.id), created_at)
     WHERE queue_class = 0 AND queued = 1`,
    'DROP INDEX run_queued',
    'CREATE INDEX run_queued ON run (organization_id, queue_class, queue_turn, id) WHERE queued = 1',
    'CREATE INDEX run_queued_in_workspace ON run (workspace_id, queue_class, queue_turn) WHERE queued = 1',
    // Indexes for the reconcilers: running jobs, and jobs that wait for an agent.
    'CREATE INDEX run_running ON run (queue_turn, id) WHERE queued = 1 AND queue_class = 0',
    `CREATE INDEX run_takeable ON run (queue_turn, id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND waiting_for IS NULL`,

    `ALTER TABLE run_event ADD COLUMN description ${text}`,
  ],
};
