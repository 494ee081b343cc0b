import type { Clock } from '../../../lib/clock.ts';
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

/** Those that are gone are shown for so long. */
const SHOWN = 2 * 3_600_000;
/**
 * Of one sweep.
 * @limit agents that one sweep forgets, agents -> the rest waits for the next
 */
const MAX_FORGOTTEN = 1000;

/** What an agent says of itself. */
export type NewAgent = Pick<Agent, 'name' | 'ipAddress' | 'engines' | 'anyEngine'>;
/** An agent that has said which one it is. */
export type RegisteredAgent = AgentActor & AgentEngines & { readonly agentId: string };

/** Told of an agent that is gone, in the same unit of work. */
export type AgentListener = (tx: Transaction, agentId: string, now: number) => Promise<void>;

/** The agents of pools (facts §6.7): they register themselves, each of several with one token or certificate under an id of its own. */
export class Agents {
  /** Filled while the domains are put together. */
  readonly gone: AgentListener[] = [];
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #pools: AgentPools;

  constructor(database: Database, clock: Clock, pools: AgentPools) {
    this.#database = database;
    this.#clock = clock;
    this.#pools = pools;
  }

  /**
   * In the pool that the actor is let in to.
   * @throws 404 for whoever holds no token or certificate of a pool, or of another than the one named; 422 without a name
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

  /** For those who may see the pool, the oldest first. @throws 404 */
  async list(actor: Actor, poolId: string, filter: store.AgentFilter, page: Page): Promise<Slice<Agent>> {
    await this.#pools.find(actor, poolId);
    return store.listAgents(this.#database, poolId, filter, page);
  }

  /** For the agent, and for those who may see its pool. @throws 404 when there is none, or the actor may not */
  async find(actor: Actor, id: string): Promise<Agent> {
    const agent = await this.#find(id);
    if (actor.kind !== 'agent') await this.#pools.find(actor, agent.agentPoolId ?? '');
    else if (!isHeldBy(agent, actor.holder)) throw notFound();
    return agent;
  }

  /** Who the agent itself is. @throws 404 for anybody else, and for one that has said goodbye */
  async own(actor: Actor, id: string): Promise<RegisteredAgent> {
    const agent = await this.find(actor, id);
    if (actor.kind !== 'agent' || actor.job !== undefined || agent.ended !== null) throw notFound();
    const { engines, anyEngine } = agent;
    return { ...actor, agentId: id, engines, anyEngine, credential: credentialNaming(actor.credential, id) };
  }

  /** A sign of life of the agent itself, or its goodbye, which gives up what it carries out. @throws 404 */
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

  /** @throws 404 when the actor does not manage its pool, 409 as long as it is there */
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

  /** In the unit of work that gives it a run: nobody else does so meanwhile. False when it is gone. */
  async hold(tx: Transaction, { agentId, credential }: RegisteredAgent, now: number): Promise<boolean> {
    return (await store.recordHeartbeat(tx, agentId, now, credential)) !== undefined;
  }

  /** Distinct sets of engines of a pool's agents that were heard of since a time. Null: agents of the server. */
  enginesIn(db: Queries, poolId: string | null, since: number): Promise<AgentEngines[]> {
    return store.enginesOfPool(db, poolId, since);
  }

  /** That something was heard of it. @param lastPingAt when that was last noted */
  noteLife(id: string, lastPingAt: number): Promise<void> {
    return store.updateLastSeen(this.#database, id, lastPingAt, this.#clock());
  }

  /** Removes those that are gone for a while, in bounded steps. */
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
