import type { Migration } from '../../../storage/index.ts';

/** Adds agents that register with a pool token, and the agent of each run. */
export const agents: Migration = {
  name: '0011-agents',
  statements: ({ text, integer, tableOptions }) => [
    // `ended` is null until the agent reports its end: exited or errored.
    `CREATE TABLE agent (
      id ${text} PRIMARY KEY,
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      agent_token_id ${text} NOT NULL REFERENCES agent_token (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      ip_address ${text} NOT NULL,
      ended ${text},
      last_ping_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX agent_by_pool ON agent (agent_pool_id, created_at, id)',
    'CREATE INDEX agent_by_token ON agent (agent_token_id)',
    'CREATE INDEX agent_by_ping ON agent (last_ping_at)',
    `ALTER TABLE agent_token ADD COLUMN expires_at ${integer}`,

    // Agent of the run, from the queue to the end of the plan or apply. The agent may no longer exist.
    `ALTER TABLE run ADD COLUMN agent_id ${text}`,
    'CREATE INDEX run_by_agent ON run (agent_id) WHERE agent_id IS NOT NULL',
  ],
};
