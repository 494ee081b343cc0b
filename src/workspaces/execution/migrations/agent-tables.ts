import type { ColumnTypes } from '../../../storage/index.ts';

/** Tables of agents, their tokens, forwarded requests and workload identities. */
export function agentTables({ text, integer, blob, tableOptions }: ColumnTypes): string[] {
  return [
    `CREATE TABLE agent_token (
      id ${text} PRIMARY KEY,
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      hash ${blob} NOT NULL,
      description ${text} NOT NULL,
      created_by_type ${text} NOT NULL,
      created_by_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer},
      expires_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX agent_token_by_pool ON agent_token (agent_pool_id, id)',
    // An agent without a pool belongs to the server. `credential` is the last one; its jobs are valid as long as it
    // is. `engines` is JSON: engines available without a download. Last time that the agent asked for a request to
    // forward, in milliseconds since 1970; 0: never.
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
      any_engine ${integer} NOT NULL DEFAULT 1,
      forwards_at ${integer} NOT NULL DEFAULT 0,
      CHECK (agent_token_id IS NULL OR machine_identity_id IS NULL),
      CHECK ((agent_pool_id IS NULL) = (agent_token_id IS NULL AND machine_identity_id IS NULL))
    )${tableOptions}`,
    'CREATE INDEX agent_by_pool ON agent (agent_pool_id, created_at, id)',
    'CREATE INDEX agent_by_token ON agent (agent_token_id)',
    'CREATE INDEX agent_by_identity ON agent (machine_identity_id)',
    'CREATE INDEX agent_by_ping ON agent (last_ping_at)',
    // `id` is the `kid` of tokens. `public_key` is JSON, `private_key` is encrypted. `generation` is unique, so
    // concurrent processes create only one. `tokens_until` is not earlier than the expiry of the last signed token.
    `CREATE TABLE identity_key (
      id ${text} PRIMARY KEY,
      generation ${integer} NOT NULL UNIQUE,
      public_key ${text} NOT NULL,
      private_key ${blob} NOT NULL,
      signs_from ${integer} NOT NULL,
      tokens_until ${integer} NOT NULL
    )${tableOptions}`,
    // agent_id: the agent that claimed it; it is never handed out again. parts: number of parts of the response that
    // the agent has sent. taken: number of them that were read. Both requests and parts are encrypted.
    `CREATE TABLE forwarded_request (
      id ${text} PRIMARY KEY,
      agent_pool_id ${text} NOT NULL REFERENCES agent_pool (id) ON DELETE CASCADE,
      agent_id ${text},
      request ${blob} NOT NULL,
      parts ${integer} NOT NULL DEFAULT 0,
      taken ${integer} NOT NULL DEFAULT 0,
      created_at ${integer} NOT NULL,
      deadline ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX forwarded_request_by_pool ON forwarded_request (agent_pool_id, created_at)',
    'CREATE INDEX forwarded_request_by_deadline ON forwarded_request (deadline)',
    `CREATE TABLE forwarded_part (
      request_id ${text} NOT NULL REFERENCES forwarded_request (id) ON DELETE CASCADE,
      number ${integer} NOT NULL,
      content ${blob} NOT NULL,
      PRIMARY KEY (request_id, number)
    )${tableOptions}`,
  ];
}
