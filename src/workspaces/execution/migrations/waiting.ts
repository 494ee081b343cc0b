import type { Migration } from '../../../storage/index.ts';

/** Since when a run waits for an agent; and what is counted of runs that are not over, without reading them. */
export const waiting: Migration = {
  name: '0052-waiting',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer }) => [
    // Milliseconds; null for what came into the queue before anybody noted it.
    `ALTER TABLE run ADD COLUMN queued_since ${integer}`,
    // The last three are there so that SQLite reads no row of the table.
    `CREATE INDEX run_waits_for_agent ON run (queue_pool, queued_since, queue_class, queued, agent_id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND agent_id IS NULL`,
    `CREATE INDEX run_not_over ON run (status, finished_at, operation)
     WHERE finished_at IS NULL AND operation <> 'assessment'`,
  ],
};
