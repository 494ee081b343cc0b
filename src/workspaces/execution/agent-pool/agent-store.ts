import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { Agent, AgentEngines } from './agent.ts';

const PING_EVERY = 10_000;

const COLUMNS = `g.id, g.agent_pool_id AS "agentPoolId", g.agent_token_id AS "tokenId",
  g.machine_identity_id AS "identityId", g.common_name AS "commonName", g.name,
  g.ip_address AS "ipAddress", g.credential, g.engines, g.any_engine AS "anyEngine", g.ended, g.last_ping_at AS "lastPingAt", g.created_at AS "createdAt",
  (SELECT r.id FROM run r WHERE r.agent_id = g.id LIMIT 1) AS "runId",
  (SELECT r.id FROM run r WHERE r.agent_id = g.id AND r.operation <> 'assessment' LIMIT 1) AS "shownRunId"`;

type EnginesRow = { readonly engines: string; readonly anyEngine: number };
type AgentRow = Omit<Agent, keyof AgentEngines> & EnginesRow;

/** @limit distinct engine sets considered in a pool, sets -> further ones are ignored */
const MAX_SETS = 100;

const selectById = sql<{ id: string }, AgentRow>(`SELECT ${COLUMNS} FROM agent g WHERE g.id = :id`);
const insertAgentStatement = sql<{
  [Column in Exclude<keyof AgentRow, 'ended' | 'runId' | 'shownRunId'>]: AgentRow[Column];
}>(
  `INSERT INTO agent (id, agent_pool_id, agent_token_id, machine_identity_id, common_name, name, ip_address, credential,
     engines, any_engine, last_ping_at, created_at)
   VALUES (:id, :agentPoolId, :tokenId, :identityId, :commonName, :name, :ipAddress, :credential, :engines, :anyEngine,
     :lastPingAt, :createdAt)`,
);
const pingAgent = sql<{ id: string; now: number; credential: string }, { id: string }>(
  'UPDATE agent SET last_ping_at = :now, credential = :credential WHERE id = :id AND ended IS NULL RETURNING id',
);
const noteLifeOf = sql<{ id: string; now: number }>('UPDATE agent SET last_ping_at = :now WHERE id = :id');
const selectRegistered = sql<{ id: string; identityId: string; commonName: string }, Pick<Agent, 'id' | 'lastPingAt'>>(
  `SELECT id, last_ping_at AS "lastPingAt" FROM agent
   WHERE id = :id AND machine_identity_id = :identityId AND common_name = :commonName AND ended IS NULL`,
);
const selectOwn = sql<{ id: string }, Pick<Agent, 'id' | 'lastPingAt'>>(
  `SELECT id, last_ping_at AS "lastPingAt" FROM agent WHERE id = :id AND agent_pool_id IS NULL AND ended IS NULL`,
);
const endAgentStatement = sql<{ id: string; ended: string; now: number }, { id: string }>(
  'UPDATE agent SET ended = :ended, last_ping_at = :now WHERE id = :id AND ended IS NULL RETURNING id',
);
const removeAgentStatement = sql<{ id: string }>('DELETE FROM agent WHERE id = :id');
const removeOld = sql<{ before: number; limit: number }>(
  `DELETE FROM agent WHERE id IN (SELECT g.id FROM agent g WHERE g.last_ping_at < :before
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.agent_id = g.id) ORDER BY g.last_ping_at LIMIT :limit)`,
);

/** Finds an agent. Returns undefined if it does not exist. */
export async function findAgent(db: Queries, id: string): Promise<Agent | undefined> {
  const row = await db.one(selectById, { id });
  return row && agentOf(row);
}

function agentOf(row: AgentRow): Agent {
  return { ...row, ...enginesOf(row) };
}

const enginesOf = ({ engines, anyEngine }: EnginesRow): AgentEngines => ({
  engines: JSON.parse(engines) as string[],
  anyEngine: anyEngine === 1,
});

/** Returns the distinct engine sets of a pool's agents that were seen since a time. Null: the server's own agents. */
export async function enginesOfPool(db: Queries, poolId: string | null, since: number): Promise<AgentEngines[]> {
  const inPool = poolId === null ? fragment`g.agent_pool_id is null` : fragment`g.agent_pool_id = ${poolId}`;
  const rows = await select(
    db,
    fragment<EnginesRow>`select distinct g.engines, g.any_engine as "anyEngine" from agent g
      where ${inPool} and g.ended is null and g.last_ping_at >= ${since} limit ${MAX_SETS}`,
  );
  return rows.map(enginesOf);
}

/** Filters of a list of agents. */
export interface AgentFilter {
  /** Time since which the listed agents were seen, in milliseconds since 1970. */
  readonly lastPingSince: number;
  readonly sort: 'created-at' | '-created-at' | undefined;
}

export async function listAgents(db: Queries, poolId: string, filter: AgentFilter, page: Page): Promise<Slice<Agent>> {
  const where = [fragment`g.agent_pool_id = ${poolId}`, fragment`g.last_ping_at >= ${filter.lastPingSince}`];
  const orderBy = filter.sort === '-created-at' ? 'g.created_at DESC, g.id DESC' : 'g.created_at, g.id';
  const { items, total } = await selectSlice<AgentRow>(db, { columns: COLUMNS, from: 'agent g', where, orderBy }, page);
  return { items: items.map(agentOf), total };
}

/** Counts connected agents by pool ID: seen since a time and not ended. */
export async function countConnected(db: Queries, poolIds: readonly string[], since: number) {
  if (poolIds.length === 0) return new Map<string, number>();
  const rows = await select(
    db,
    fragment<{ id: string; count: number }>`select g.agent_pool_id as id, count(*) as count from agent g
      where ${isOneOf('g.agent_pool_id', poolIds)} and g.ended is null and g.last_ping_at >= ${since}
      group by g.agent_pool_id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export function insertAgent(
  db: Queries,
  { ended: _, runId: __, shownRunId: ___, engines, anyEngine, ...agent }: Agent,
) {
  return db.run(insertAgentStatement, { ...agent, engines: JSON.stringify(engines), anyEngine: Number(anyEngine) });
}

/** Locks the row until the end of the transaction. Returns undefined if the agent does not exist or has ended. */
export function recordHeartbeat(db: Queries, id: string, now: number, credential: string) {
  return db.one(pingAgent, { id, now, credential });
}

/** Stores a heartbeat. Every request counts as a heartbeat, but not each is stored. */
export async function updateLastSeen(db: Queries, id: string, lastPingAt: number, now: number): Promise<void> {
  if (lastPingAt < now - PING_EVERY) await db.run(noteLifeOf, { id, now });
}

/** Finds an agent that registered with a certificate of this name and has not ended. */
export function findRegisteredAgent(
  db: Queries,
  of: { readonly id: string; readonly identityId: string; readonly commonName: string },
) {
  return db.one(selectRegistered, of);
}

/** Finds one of the server's own agents that has not ended. */
export function findOwnAgent(db: Queries, id: string) {
  return db.one(selectOwn, { id });
}

/** Marks an agent as ended. Returns undefined if it does not exist or has ended. */
export function endAgent(tx: Transaction, id: string, ended: string, now: number) {
  return tx.one(endAgentStatement, { id, ended, now });
}

export function removeAgent(tx: Transaction, id: string) {
  return tx.run(removeAgentStatement, { id });
}

/** Removes at most `limit` agents not seen since a time. Returns the number of removed rows. */
export function removeOldAgents(db: Queries, before: number, limit: number) {
  return db.run(removeOld, { before, limit });
}
