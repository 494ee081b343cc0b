import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import { attributeIssue, conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, type AgentActor, credentialNaming } from '../../tenancy/index.ts';
import {
  type Agent,
  type AgentEngines,
  ENDINGS,
  isConnected,
  isHeldBy,
  type REPORTED,
  registeredUnder,
} from './agent.ts';
import type { AgentPools } from './agent-pools.ts';
import * as store from './agent-store.ts';

/** Time for which disconnected agents stay in lists. */
const SHOWN = 2 * 3_600_000;
/**
 * Batch size of one cleanup.
 * @limit agents removed by one cleanup, agents -> the next cleanup removes the others
 */
const MAX_FORGOTTEN = 1000;

const REVOKED = 'The token or login of the agent was revoked or has expired while it waited. Log in again';

/** Registration data of an agent. */
export type NewAgent = Pick<Agent, 'name' | 'ipAddress' | 'engines' | 'anyEngine'>;
/** An identified agent. */
export type RegisteredAgent = AgentActor & AgentEngines & { readonly agentId: string };

/** Authenticates a stored credential again, at this time in milliseconds. Returns undefined if it is not valid any more. */
export type RecallAt = (credential: string, remoteAddress: string, now: number) => Promise<Actor | undefined>;

/** Called for an agent that has disconnected or ended, in the same transaction. */
export type AgentListener = (tx: Transaction, agentId: string, now: number) => Promise<void>;

/**
 * Service for agents of pools. Agents register themselves. Several agents with one token or certificate
 * get separate IDs.
 */
export class Agents {
  /** Hooks, filled during wiring. */
  readonly gone: AgentListener[] = [];
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #pools: AgentPools;
  readonly #recall: RecallAt;

  constructor(database: Database, clock: Clock, pools: AgentPools, recall: RecallAt) {
    this.#database = database;
    this.#clock = clock;
    this.#pools = pools;
    this.#recall = recall;
  }

  /**
   * Registers an agent in the pool that its credential belongs to.
   * @throws 404 without a credential of the named pool; 422 without a name
   */
  async register(actor: Actor, input: NewAgent, poolId?: string): Promise<Agent> {
    if (actor.kind !== 'agent' || actor.job !== undefined) throw notFound();
    if (poolId !== undefined && actor.agentPoolId !== poolId) throw notFound();
    if (input.name.trim() === '') throw unprocessable([attributeIssue('name', "Name can't be blank")]);
    const now = this.#clock();
    const { agentPoolId, credential, holder } = actor;
    const id = prefixedId('agent', now);
    const under = { agentPoolId, ...registeredUnder(holder), credential };
    const agent: Agent = {
      id,
      ...under,
      ...input,
      ended: null,
      lastPingAt: now,
      createdAt: now,
      runId: null,
      shownRunId: null,
    };
    await store.insertAgent(this.#database, agent);
    return agent;
  }

  /** Lists agents for actors who may see the pool, oldest first. @throws 404 */
  async list(actor: Actor, poolId: string, filter: store.AgentFilter, page: Page): Promise<Slice<Agent>> {
    await this.#pools.find(actor, poolId);
    return store.listAgents(this.#database, poolId, filter, page);
  }

  /**
   * Finds an agent, for itself and for actors who may see its pool. @throws 404 if it does not exist or the actor may
   * not see it
   */
  async find(actor: Actor, id: string): Promise<Agent> {
    const agent = await this.#find(id);
    if (actor.kind !== 'agent') await this.#pools.find(actor, agent.agentPoolId ?? '');
    else if (!isHeldBy(agent, actor.holder)) throw notFound();
    return agent;
  }

  /** Identifies the calling agent. @throws 404 for other callers and ended agents */
  async own(actor: Actor, id: string): Promise<RegisteredAgent> {
    const agent = await this.find(actor, id);
    if (actor.kind !== 'agent' || actor.job !== undefined || agent.ended !== null) throw notFound();
    const { engines, anyEngine } = agent;
    return { ...actor, agentId: id, engines, anyEngine, credential: credentialNaming(actor.credential, id) };
  }

  /**
   * Checks an agent again that has waited for work: the work may contain secrets.
   * @throws 401 if its token or login was revoked or has expired, or its pool was deleted; 404 if it has ended
   */
  async assertStillOwn(agent: RegisteredAgent, remoteAddress: string): Promise<void> {
    const actor = await this.#recall(agent.credential, remoteAddress, this.#clock());
    if (actor === undefined) throw new AppError('unauthenticated', REVOKED);
    await this.own(actor, agent.agentId);
  }

  /** Handles a heartbeat, or the end of an agent, which gives up its job. @throws 404 */
  async report(actor: Actor, id: string, status: (typeof REPORTED)[number]): Promise<Agent> {
    const { credential } = await this.own(actor, id);
    const ended = ENDINGS.find((ending) => ending === status);
    await this.#database.transaction(async (tx) => {
      const now = this.#clock();
      const there =
        ended === undefined
          ? await store.recordHeartbeat(tx, id, now, credential)
          : await store.endAgent(tx, id, ended, now);
      if (there === undefined) throw notFound();
      if (ended !== undefined) await this.#tell(tx, id, now);
    });
    return this.#find(id);
  }

  /**
   * Removes an agent.
   * @throws 404 if the actor does not manage its pool, 409 while it is connected
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#pools.manage(actor, (await this.#find(id)).agentPoolId ?? '');
    await this.#database.transaction(async (tx) => {
      const now = this.#clock();
      const agent = await store.findAgent(tx, id);
      if (agent === undefined) throw notFound();
      if (isConnected(agent, now)) throw conflict('The agent is connected');
      await this.#tell(tx, id, now);
      await store.removeAgent(tx, id);
    });
  }

  /**
   * Locks an agent in the transaction that assigns it a run. Returns false if the agent does not exist or has ended.
   */
  async hold(tx: Transaction, { agentId, credential }: RegisteredAgent, now: number): Promise<boolean> {
    return (await store.recordHeartbeat(tx, agentId, now, credential)) !== undefined;
  }

  /** Returns the distinct engine sets of a pool's agents seen since a time. Null: agents of the server. */
  enginesIn(db: Queries, poolId: string | null, since: number): Promise<AgentEngines[]> {
    return store.enginesOfPool(db, poolId, since);
  }

  /** Records a heartbeat. @param lastPingAt time of the last stored heartbeat */
  noteLife(id: string, lastPingAt: number): Promise<void> {
    return store.updateLastSeen(this.#database, id, lastPingAt, this.#clock());
  }

  /** Removes agents that have been disconnected for a while, in batches. */
  async forget(): Promise<void> {
    await store.removeOldAgents(this.#database, this.#clock() - SHOWN, MAX_FORGOTTEN);
  }

  async #find(id: string): Promise<Agent> {
    const agent = await store.findAgent(this.#database, id);
    if (agent === undefined) throw notFound();
    return agent;
  }

  async #tell(tx: Transaction, id: string, now: number): Promise<void> {
    for (const listener of this.gone) await listener(tx, id, now);
  }
}
