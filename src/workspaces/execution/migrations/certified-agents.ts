import type { Migration } from '../../../storage/index.ts';

/** Lets agents register with a pool token or a certificate. Recreates the table, because one of the two columns is null. */
export const certifiedAgents: Migration = {
  name: '0019-certified-agents',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE agent_before AS SELECT id, agent_pool_id, agent_token_id, name, ip_address, ended, last_ping_at, created_at
     FROM agent`,
    'DROP TABLE agent',
    // `ended` is null until the agent reports its end: exited or errored. An agent with a certificate has its machine
    // identity and common name, which all its logins share.
    `CREATE TABLE agent (
      id ${text} PRIMARY KEY,
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      agent_token_id ${text} REFERENCES agent_token (id) ON DELETE CASCADE,
      machine_identity_id ${text} REFERENCES machine_identity (id) ON DELETE CASCADE,
      common_name ${text} NOT NULL,
      name ${text} NOT NULL,
      ip_address ${text} NOT NULL,
      ended ${text},
      last_ping_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      CHECK ((agent_token_id IS NULL) <> (machine_identity_id IS NULL))
    )${tableOptions}`,
    `INSERT INTO agent (id, agent_pool_id, agent_token_id, common_name, name, ip_address, ended, last_ping_at, created_at)
     SELECT id, agent_pool_id, agent_token_id, '', name, ip_address, ended, last_ping_at, created_at FROM agent_before`,
    'DROP TABLE agent_before',
    'CREATE INDEX agent_by_pool ON agent (agent_pool_id, created_at, id)',
    'CREATE INDEX agent_by_token ON agent (agent_token_id)',
    'CREATE INDEX agent_by_identity ON agent (machine_identity_id)',
    'CREATE INDEX agent_by_ping ON agent (last_ping_at)',
  ],
};
