import type { Migration } from '../../../storage/index.ts';

/** Adds the time since which a run waits for an agent, and covering indexes that count unfinished runs. */
export const waiting: Migration = {
  name: '0052-waiting',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer }) => [
    // Start of the wait, in milliseconds since 1970. Null for runs that were queued before this migration.
    `ALTER TABLE run ADD COLUMN queued_since ${integer}`,
    // The last three columns make the index covering on SQLite.
    `CREATE INDEX run_waits_for_agent ON run (queue_pool, queued_since, queue_class, queued, agent_id)
     WHERE queued = 1 AND queue_class IN (1, 2, 3) AND agent_id IS NULL`,
    `CREATE INDEX run_not_over ON run (status, finished_at, operation)
     WHERE finished_at IS NULL AND operation <> 'assessment'`,
  ],
};
