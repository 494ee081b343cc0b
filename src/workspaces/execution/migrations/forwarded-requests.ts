import type { Migration } from '../../../storage/index.ts';

/** Requests that agents send to VCS providers in private networks. Rows exist only until the response was read. */
export const forwardedRequests: Migration = {
  name: '0071-forwarded-requests',
  compatibleFrom: '0040-well-formed',
  statements: ({ blob, integer, text, tableOptions }) => [
    // Last time that the agent asked for a request to forward, in milliseconds since 1970; 0: never.
    `ALTER TABLE agent ADD COLUMN forwards_at ${integer} NOT NULL DEFAULT 0`,

    // agent_id: the agent that claimed it; it is never handed out again. parts: number of parts of the response that the
    // agent has sent. taken: number of them that were read. Both requests and parts are encrypted.
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
  ],
};
