import type { Clock } from '../../../lib/clock.ts';
import { randomText, timeOrderedId } from '../../../lib/ids.ts';
import { type Database, type Keyring, sql } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { type Actor, type AgentActor, credentialText, PROVED_BUT, principalIn } from '../../tenancy/index.ts';
import type { AgentPools } from './agent-pools.ts';
import * as agentStore from './agent-store.ts';

/** Format: `lka.<public id>.<secret>`. */
const OURS = /^lka\.([1-9A-Za-z]{16})\.[1-9A-Za-z]{32}$/;
const SECRET_LENGTH = 32;
const PURPOSE = 'agent-token';
const LAST_USED_EVERY = 60_000;

/** Token that authenticates agents of a pool. It is shown once and stored as a keyed hash. */
export interface AgentToken {
  readonly id: string;
  readonly agentPoolId: string;
  readonly description: string;
  readonly createdByType: string;
  readonly createdById: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** Time of expiry; null if the token never expires. */
  readonly expiresAt: number | null;
}

/** Attributes of a new token. */
export interface AgentTokenInput {
  readonly description: string;
  /** Expiry in milliseconds since 1970; null if the token never expires. */
  readonly expiresAt: number | null;
}

const COLUMNS = `t.id, t.agent_pool_id AS "agentPoolId", t.description, t.created_by_type AS "createdByType",
  t.created_by_id AS "createdById", t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt",
  t.expires_at AS "expiresAt"`;

const removeAll = sql('DELETE FROM agent_token');
const selectById = sql<{ id: string }, AgentToken>(`SELECT ${COLUMNS} FROM agent_token t WHERE t.id = :id`);
interface Presented extends Pick<AgentToken, 'agentPoolId' | 'lastUsedAt' | 'expiresAt'> {
  readonly hash: Uint8Array;
  readonly organizationId: string;
  /** Id of the agent. Null, like the next field, unless the agent registered with this token and has not ended. */
  readonly agentId: string | null;
  readonly lastPingAt: number | null;
}
const selectPresented = sql<{ id: string; agentId: string }, Presented>(
  `SELECT t.hash, t.agent_pool_id AS "agentPoolId", p.organization_id AS "organizationId",
     t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt", g.id AS "agentId", g.last_ping_at AS "lastPingAt"
   FROM agent_token t JOIN agent_pool p ON p.id = t.agent_pool_id
     JOIN organization o ON o.id = p.organization_id AND o.deleted_at IS NULL
     LEFT JOIN agent g ON g.id = :agentId AND g.agent_token_id = t.id AND g.ended IS NULL
   WHERE t.id = :id`,
);
const insert = sql<{
  id: string;
  agentPoolId: string;
  hash: Uint8Array;
  description: string;
  createdByType: string;
  createdById: string;
  createdAt: number;
  expiresAt: number | null;
}>(
  `INSERT INTO agent_token (id, agent_pool_id, hash, description, created_by_type, created_by_id, created_at, expires_at)
   VALUES (:id, :agentPoolId, :hash, :description, :createdByType, :createdById, :createdAt, :expiresAt)`,
);
const touch = sql<{ id: string; now: number }>('UPDATE agent_token SET last_used_at = :now WHERE id = :id');
const remove = sql<{ id: string }>('DELETE FROM agent_token WHERE id = :id');

/** Returns whether a text has the format of such a token. */
export const isAgentToken = (text: string): boolean => text.startsWith('lka.');

/** Service for agent pool tokens. They give access only to agent routes. */
export class AgentTokens {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #pools: AgentPools;

  constructor(database: Database, keyring: Keyring, clock: Clock, pools: AgentPools) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
    this.#pools = pools;
  }

  /** Lists tokens, oldest first. */
  async list(actor: Actor, poolId: string, page: Page): Promise<Slice<AgentToken>> {
    await this.#pools.manage(actor, poolId);
    const where = [fragment`t.agent_pool_id = ${poolId}`];
    const query = { columns: COLUMNS, from: 'agent_token t', where, orderBy: 't.id' };
    return selectSlice<AgentToken>(this.#database, query, page);
  }

  /**
   * Finds a token. Returns undefined if no agent token has this ID; another kind of token may have it.
   * @throws 404 if the actor may not manage its pool
   */
  async known(actor: Actor, id: string): Promise<AgentToken | undefined> {
    const token = await this.#database.one(selectById, { id });
    if (token !== undefined) await this.#pools.manage(actor, token.agentPoolId);
    return token;
  }

  /**
   * Creates a token and returns it with its text. @throws 404 without permission, 422 without a description or for an
   * expiry in the past
   */
  async create(actor: Actor, poolId: string, input: AgentTokenInput): Promise<{ token: AgentToken; text: string }> {
    const pool = await this.#pools.manage(actor, poolId);
    const createdAt = this.#clock();
    check(input, createdAt);
    const publicId = timeOrderedId(createdAt);
    const text = `lka.${publicId}.${randomText(SECRET_LENGTH)}`;
    const by: Identifier = principalIn(actor, pool.organizationId);
    const id = `at-${publicId}`;
    const token = { ...input, id, agentPoolId: poolId, createdByType: by.type, createdById: by.id, createdAt };
    await this.#database.run(insert, { ...token, hash: this.#keyring.hash(text, PURPOSE) });
    return { token: { ...token, lastUsedAt: null }, text };
  }

  /**
   * Deletes a token.
   * @throws 404 if it does not exist or the actor may not manage its pool
   */
  async delete(actor: Actor, id: string): Promise<void> {
    if ((await this.known(actor, id)) === undefined) throw notFound();
    await this.#database.run(remove, { id });
  }

  /** Revokes the tokens of all pools, for commands of the operator while no server runs. Returns their number. */
  revokeAll(): Promise<number> {
    return this.#database.run(removeAll, {});
  }

  /**
   * Authenticates a token. Returns undefined if it is invalid, expired or deleted. The use counts as a heartbeat of
   * the agent that the request names.
   */
  async admit(text: string, agentId: string): Promise<AgentActor | string | undefined> {
    const publicId = OURS.exec(text)?.[1];
    if (publicId === undefined) return undefined;
    const tokenId = `at-${publicId}`;
    const row = await this.#database.one(selectPresented, { id: tokenId, agentId });
    if (row === undefined || !this.#keyring.matches(text, PURPOSE, row.hash)) return undefined;
    const now = this.#clock();
    if (row.expiresAt !== null && row.expiresAt <= now) return PROVED_BUT.expired(row);
    if (row.lastUsedAt === null || row.lastUsedAt < now - LAST_USED_EVERY) {
      await this.#database.run(touch, { id: tokenId, now });
    }
    if (row.agentId !== null) await agentStore.updateLastSeen(this.#database, row.agentId, row.lastPingAt ?? 0, now);
    return actorOf(tokenId, row);
  }

  /** Re-authenticates by the token's ID. The token may have expired after `since`. Does not count as a heartbeat. */
  async recall(tokenId: string, agentId: string, since: number): Promise<AgentActor | undefined> {
    const row = await this.#database.one(selectPresented, { id: tokenId, agentId });
    return row === undefined || (row.expiresAt !== null && row.expiresAt <= since) ? undefined : actorOf(tokenId, row);
  }
}

function actorOf(tokenId: string, { agentPoolId, organizationId, agentId }: Presented): AgentActor {
  const credential = credentialText({ kind: 'agent', tokenId, agentId: agentId ?? '' });
  return {
    kind: 'agent',
    ...{ holder: { tokenId, identityId: null }, agentPoolId, organizationId, credential },
    agentId: agentId ?? undefined,
    job: undefined,
    grants: NOTHING,
  };
}

const NOTHING: AgentActor['grants'] = new Map();

/**
 * Checks the attributes of a new token.
 * @throws 422 for invalid attributes
 */
function check({ description, expiresAt }: AgentTokenInput, now: number): void {
  const issues = [
    ...(description.trim() === '' ? [attributeIssue('description', "Description can't be blank")] : []),
    ...(expiresAt !== null && expiresAt <= now
      ? [attributeIssue('expired-at', 'Expired at must be in the future')]
      : []),
  ];
  if (issues.length > 0) throw unprocessable(issues);
}
