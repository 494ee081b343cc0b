import type { BackgroundWork, Leadership } from '../../../lib/background/background-work.ts';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import { AppError } from '../../../lib/errors.ts';
import { Waits } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { Agents, RegisteredAgent } from '../agent-pool/agents.ts';
import type { ForwardedFetchOptions } from './forwarded-fetch.ts';
import { type ClaimedRequest, MAX_UNREAD_PARTS, type ResponsePart, type StoredRequest } from './forwarding.ts';
import * as store from './store.ts';
import { topics } from './topics.ts';

/** @limit agents that wait for a request to forward on one process, agents -> further agents get a response at once */
const MOST_WAITING = 2_000;
/** @limit time that an agent waits until earlier parts of a response were read, ms -> 503, and the agent tries again */
const READ_WAIT_MS = 20_000;

const SWEEP: TaskDefinition = {
  name: 'forwarded-requests',
  description: 'Deletes requests to VCS providers that agents did not forward in time.',
  runsOn: 'leader',
  period: 60_000,
};

/** Dependencies of `ForwardedRequests`. */
export interface ForwardedRequestsOptions extends ForwardedFetchOptions {
  readonly agents: Agents;
  readonly report: (error: unknown) => void;
}

/** How long an agent waits, and its IP address. The signal is aborted when it has disconnected. */
export interface Patience {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  readonly remoteAddress: string;
}

/**
 * Hands out the requests of a pool to its agents, and takes their responses. A request is claimed once: if its agent is
 * lost, the request fails, and the work that needs it is tried again.
 */
export class ForwardedRequests implements BackgroundWork {
  readonly #options: ForwardedRequestsOptions;
  readonly #waits: Waits;
  readonly #sweeping: PeriodicTask;

  constructor(options: ForwardedRequestsOptions) {
    this.#options = options;
    this.#waits = new Waits(options.signals, MOST_WAITING);
    this.#sweeping = PeriodicTask.every(SWEEP, () => this.sweep(), options.report);
  }

  /**
   * Returns the next request of the agent's pool. Long poll: returns undefined if there is none within the timeout.
   * @throws 404 unless the actor is that agent, of a pool; 401 if its credential is no longer valid when there is a request
   */
  async claim(actor: Actor, id: string, patience: Patience): Promise<ClaimedRequest | undefined> {
    const { agents, clock, database } = this.#options;
    const agent = await agents.own(actor, id);
    const { agentId, agentPoolId } = agent;
    if (agentPoolId === null) throw notFound();
    await store.noteForwarder(database, agentId, clock());
    const { remoteAddress, ...timeout } = patience;
    const waiter = { key: Symbol(agentId), topic: topics.unclaimed(agentPoolId), ...timeout };
    return await this.#waits.until(waiter, () => this.#take(agent, agentPoolId, remoteAddress));
  }

  async #take(agent: RegisteredAgent, agentPoolId: string, remoteAddress: string): Promise<ClaimedRequest | undefined> {
    const { agents, clock, database, keyring } = this.#options;
    const { agentId } = agent;
    for (;;) {
      const now = clock();
      const first = await store.firstUnclaimed(database, agentPoolId, now);
      if (first === undefined) return undefined;
      // A request contains the credential of its connection.
      await agents.assertStillOwn(agent, remoteAddress);
      const { id } = first;
      const claimed = await store.claimRequest(database, { id, agentId, now });
      // Another agent was faster: look for the next one.
      if (claimed === undefined) continue;
      const text = Buffer.from(keyring.decrypt(claimed.request, store.requestContext(id))).toString();
      return { ...(JSON.parse(text) as StoredRequest), id, timeoutMs: claimed.deadline - now };
    }
  }

  /**
   * Stores a part of the response. Sending the last stored part again does nothing.
   * @throws 404 unless the actor is the agent that claimed the request, and while the response is awaited; 409 for a part
   * that is not the next one; 503 while too many parts are unread
   */
  async respond(actor: Actor, id: string, requestId: string, number: number, part: ResponsePart, signal: AbortSignal) {
    const { agents, database, keyring, signals } = this.#options;
    const { agentId } = await agents.own(actor, id);
    if (!(await this.#isNext(agentId, requestId, number, signal))) return;
    const text = Buffer.from(JSON.stringify(part));
    const content = keyring.encrypt(text, store.partContext(requestId, number));
    await database.transaction(async (tx) => {
      if (!(await store.addPart(tx, { id: requestId, agentId, number, content }))) throw conflict(OUT_OF_ORDER);
      signals.send(tx, topics.sent(requestId));
    });
  }

  /** Waits until a part may be stored. Returns false if it is stored already. */
  async #isNext(agentId: string, id: string, number: number, signal: AbortSignal): Promise<boolean> {
    const { clock, database } = this.#options;
    const look = async () => {
      const held = await store.findHeld(database, { id, agentId, now: clock() });
      if (held === undefined) throw notFound();
      return held.parts - held.taken < MAX_UNREAD_PARTS || number < held.parts ? held : undefined;
    };
    const waiter = { key: Symbol(id), topic: topics.taken(id), milliseconds: READ_WAIT_MS, signal };
    const held = await this.#waits.until(waiter, look);
    if (held === undefined) throw new AppError('unavailable', 'Earlier parts of the response are not read yet');
    if (number === held.parts) return true;
    if (number === held.parts - 1) return false;
    throw conflict(OUT_OF_ORDER);
  }

  /** Deletes overdue requests. */
  async sweep(): Promise<void> {
    await store.deleteOverdue(this.#options.database, this.#options.clock());
  }

  get tasks() {
    return this.#sweeping.tasks;
  }

  start(leadership?: Leadership): void {
    this.#sweeping.start(leadership);
  }

  async stop(): Promise<void> {
    this.#waits.stop();
    await this.#sweeping.stop();
  }
}

const OUT_OF_ORDER = 'This is not the next part of the response';
