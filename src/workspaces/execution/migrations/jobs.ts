import type { Migration } from '../../../storage/index.ts';

/** Adds plans and applies as jobs of agents, and the server's own agents without a pool. */
export const jobs: Migration = {
  name: '0022-jobs',
  statements: ({ text, integer, tableOptions }) => [
    // Fencing token: number of times the job was taken. Credentials with an earlier number are refused.
    `ALTER TABLE run ADD COLUMN fence ${integer} NOT NULL DEFAULT 0`,
    // Agent that took it last, even if it no longer has it.
    `ALTER TABLE run ADD COLUMN carried_by ${text}`,
    // Whether the client prints the log unformatted.
    `ALTER TABLE run ADD COLUMN plain_log ${integer} NOT NULL DEFAULT 0`,
    // Whether runs were enabled when the organization was created, or later. Older organizations keep their behaviour.
    `ALTER TABLE organization ADD COLUMN executes ${integer} NOT NULL DEFAULT 0`,
    `CREATE INDEX run_saved ON run (created_at, id) WHERE status = 'planned_and_saved'`,
    // Pool whose agents it waits for. Empty: the server's own agents. Null: none.
    `ALTER TABLE run ADD COLUMN queue_pool ${text}`,
    'CREATE INDEX run_by_queue_pool ON run (queue_pool, queue_class, queue_turn, id) WHERE queued = 1 AND queue_class IN (1, 2, 3)',

    `CREATE TABLE agent_before AS SELECT id, agent_pool_id, agent_token_id, machine_identity_id, common_name, name, ip_address,
       ended, last_ping_at, created_at FROM agent`,
    'DROP TABLE agent',
    // An agent without a pool belongs to the server. `credential` is the last one; its jobs are valid as long as it
    // is. `engines` is JSON: engines available without a download.
    `CREATE TABLE agent (
      id ${text} PRIMARY KEY,
      agent_pool_id ${text} REFERENCES agent_pool (id) ON DELETE CASCADE,
      agent_token_id ${text} REFERENCES agent_token (id) ON DELETE CASCADE,
      machine_identity_id ${text} REFERENCES machine_identity (id) ON DELETE CASCADE,
      common_name ${text} NOT NULL,
      name ${text} NOT NULL,
      ip_address ${text} NOT NULL,
      credential ${text} NOT NULL,
      engines ${text} NOT NULL,
      ended ${text},
      last_ping_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      CHECK (agent_token_id IS NULL OR machine_identity_id IS NULL),
      CHECK ((agent_pool_id IS NULL) = (agent_token_id IS NULL AND machine_identity_id IS NULL))
    )${tableOptions}`,
    `INSERT INTO agent (id, agent_pool_id, agent_token_id, machine_identity_id, common_name, name, ip_address, credential, engines,
       ended, last_ping_at, created_at)
     SELECT id, agent_pool_id, agent_token_id, machine_identity_id, common_name, name, ip_address, '', '[]',
       ended, last_ping_at, created_at FROM agent_before`,
    'DROP TABLE agent_before',
    'CREATE INDEX agent_by_pool ON agent (agent_pool_id, created_at, id)',
    'CREATE INDEX agent_by_token ON agent (agent_token_id)',
    'CREATE INDEX agent_by_identity ON agent (machine_identity_id)',
    'CREATE INDEX agent_by_ping ON agent (last_ping_at)',
  ],
};
