import { type Queries, type SealedColumn, sql, type Transaction } from '../../../storage/index.ts';

const insertRow = sql<{ id: string; agentPoolId: string; request: Uint8Array; now: number; deadline: number }>(
  `INSERT INTO forwarded_request (id, agent_pool_id, request, created_at, deadline)
   VALUES (:id, :agentPoolId, :request, :now, :deadline)`,
);
const selectFirst = sql<{ agentPoolId: string; now: number }, { id: string }>(
  `SELECT id FROM forwarded_request WHERE agent_pool_id = :agentPoolId AND agent_id IS NULL AND deadline > :now
   ORDER BY created_at, id LIMIT 1`,
);
const claimRow = sql<{ id: string; agentId: string; now: number }, { request: Uint8Array; deadline: number }>(
  `UPDATE forwarded_request SET agent_id = :agentId WHERE id = :id AND agent_id IS NULL AND deadline > :now
   RETURNING request, deadline`,
);
const selectHeld = sql<{ id: string; agentId: string; now: number }, { parts: number; taken: number }>(
  'SELECT parts, taken FROM forwarded_request WHERE id = :id AND agent_id = :agentId AND deadline > :now',
);
const countPart = sql<{ id: string; agentId: string; number: number }, { id: string }>(
  `UPDATE forwarded_request SET parts = parts + 1 WHERE id = :id AND agent_id = :agentId AND parts = :number
   RETURNING id`,
);
const insertPartRow = sql<{ id: string; number: number; content: Uint8Array }>(
  'INSERT INTO forwarded_part (request_id, number, content) VALUES (:id, :number, :content)',
);
const takePartRow = sql<{ id: string; number: number }, { content: Uint8Array }>(
  'DELETE FROM forwarded_part WHERE request_id = :id AND number = :number RETURNING content',
);
const selectPart = sql<{ id: string; number: number }, { number: number }>(
  'SELECT number FROM forwarded_part WHERE request_id = :id AND number = :number',
);
const noteTaken = sql<{ id: string; taken: number }>('UPDATE forwarded_request SET taken = :taken WHERE id = :id');
const selectClaimer = sql<{ id: string }, { agentId: string | null }>(
  'SELECT agent_id AS "agentId" FROM forwarded_request WHERE id = :id',
);
const deleteRow = sql<{ id: string }>('DELETE FROM forwarded_request WHERE id = :id');
const deleteOld = sql<{ now: number }>('DELETE FROM forwarded_request WHERE deadline <= :now');
const countRows = sql<{ agentPoolId: string; now: number }, { count: number }>(
  'SELECT COUNT(*) AS count FROM forwarded_request WHERE agent_pool_id = :agentPoolId AND deadline > :now',
);
const selectPool = sql<
  { id: string; silentSince: number; forwardsSince: number },
  { name: string; connected: number; forwarding: number }
>(
  `SELECT p.name,
     (SELECT COUNT(*) FROM agent g WHERE g.agent_pool_id = p.id AND g.ended IS NULL AND g.last_ping_at >= :silentSince)
       AS connected,
     (SELECT COUNT(*) FROM agent g WHERE g.agent_pool_id = p.id AND g.ended IS NULL AND g.last_ping_at >= :silentSince
       AND g.forwards_at >= :forwardsSince) AS forwarding
   FROM agent_pool p WHERE p.id = :id`,
);
const noteForwarderRow = sql<{ agentId: string; now: number; before: number }>(
  'UPDATE agent SET forwards_at = :now, last_ping_at = :now WHERE id = :agentId AND ended IS NULL AND forwards_at < :before',
);

/** Interval between two updates of an agent's row, ms. */
const NOTE_EVERY = 10_000;

export const requestContext = (id: string) => `forwarded-request/${id}`;
export const partContext = (id: string, number: number) => `forwarded-part/${id}/${number}`;

/** Encrypted requests and responses. They go only to the pool of the connection, and exist for minutes. */
export const sealedForwarding: readonly SealedColumn[] = [
  { table: 'forwarded_request', key: ['id'], column: 'request', boundTo: [], contextOf: requestContext },
  { table: 'forwarded_part', key: ['request_id', 'number'], column: 'content', boundTo: [], contextOf: partContext },
];

/** Agents of a pool: all connected ones, and those that forward requests. Undefined if the pool does not exist. */
export function findPool(db: Queries, id: string, since: { silentSince: number; forwardsSince: number }) {
  return db.one(selectPool, { id, ...since });
}

export async function countInFlight(db: Queries, agentPoolId: string, now: number): Promise<number> {
  return Number((await db.one(countRows, { agentPoolId, now }))?.count ?? 0);
}

/** Notes that an agent asks for requests, at most every some seconds. */
export function noteForwarder(db: Queries, agentId: string, now: number) {
  return db.run(noteForwarderRow, { agentId, now, before: now - NOTE_EVERY });
}

export function insertRequest(
  tx: Transaction,
  row: { id: string; agentPoolId: string; request: Uint8Array; now: number; deadline: number },
) {
  return tx.run(insertRow, row);
}

/** Returns the oldest request of a pool that no agent has claimed. */
export function firstUnclaimed(db: Queries, agentPoolId: string, now: number) {
  return db.one(selectFirst, { agentPoolId, now });
}

/** Claims a request. Returns undefined if another agent has it. */
export function claimRequest(db: Queries, claim: { id: string; agentId: string; now: number }) {
  return db.one(claimRow, claim);
}

/** Finds a request that this agent has claimed and whose response is still awaited. */
export function findHeld(db: Queries, held: { id: string; agentId: string; now: number }) {
  return db.one(selectHeld, held);
}

/** Stores the next part of a response. Returns false if the request is not the agent's, or has this part already. */
export async function addPart(
  tx: Transaction,
  part: { id: string; agentId: string; number: number; content: Uint8Array },
): Promise<boolean> {
  const { id, agentId, number, content } = part;
  if ((await tx.one(countPart, { id, agentId, number })) === undefined) return false;
  await tx.run(insertPartRow, { id, number, content });
  return true;
}

export async function hasPart(db: Queries, id: string, number: number): Promise<boolean> {
  return (await db.one(selectPart, { id, number })) !== undefined;
}

/** Removes a part of a response, and returns it. */
export async function takePart(tx: Transaction, id: string, number: number): Promise<Uint8Array | undefined> {
  const row = await tx.one(takePartRow, { id, number });
  if (row !== undefined) await tx.run(noteTaken, { id, taken: number + 1 });
  return row?.content;
}

/** Returns whether an agent has claimed a request; undefined if the request no longer exists. */
export async function isClaimed(db: Queries, id: string): Promise<boolean | undefined> {
  const row = await db.one(selectClaimer, { id });
  return row && row.agentId !== null;
}

export function deleteRequest(db: Queries, id: string) {
  return db.run(deleteRow, { id });
}

/** Removes requests whose process did not wait for the end. */
export function deleteOverdue(db: Queries, now: number) {
  return db.run(deleteOld, { now });
}
