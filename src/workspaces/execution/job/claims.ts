import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import type { Agents, RegisteredAgent } from '../agent-pool/agents.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { leadsTo, startsPhase } from '../lifecycle/status.ts';
import type { RunObservers } from '../metrics/run-observer.ts';
import { inOneLine } from '../run/log-text.ts';
import type { RunOutcomes } from '../run/outcomes.ts';
import type { RunPhases } from '../run/phases.ts';
import type { Run } from '../run/run.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as store from '../run/store.ts';
import * as claimStore from './claim-store.ts';
import type { ClaimWaits, Waiter } from './claim-waits.ts';
import { isLeftToOthers } from './engine-fit.ts';
import type { JobInputs } from './inputs.ts';
import type { Job } from './job.ts';

/** Dependencies of `RunClaims`. */
export interface RunClaimsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly agents: Agents;
  readonly inputs: JobInputs;
  readonly outcomes: RunOutcomes;
  readonly phases: RunPhases;
  readonly stateMachine: RunStateMachine;
  readonly waits: ClaimWaits;
  readonly observers: Pick<RunObservers, 'jobLost'>;
  /** Called with the error when one run cannot be ended. The sweep continues with the other runs. */
  readonly report: (error: unknown) => void;
}

/** How long an agent waits for a job, and its IP address. */
export type ClaimTimeout = Pick<Waiter, 'milliseconds' | 'signal'> & { readonly remoteAddress: string };

const SWEEP: TaskDefinition = {
  name: 'lost-agents',
  description: 'Requeues or ends the runs of agents without a heartbeat, and deletes old agents.',
  runsOn: 'leader',
  period: 30_000,
};
/** @limit runs that may no longer be applied and that one claim ends, runs -> the next claim ends the others */
const MAX_UNFIT = 20;
/**
 * @limit runs without a matching engine that an agent leaves to other agents in one claim, runs -> the agent waits
 * until one of them is claimed
 */
const MAX_LEFT = 20;

/**
 * Assigns runs to agents. An agent claims the next plan or apply that waits for its pool, and holds it until it has
 * ended. A lost agent (no heartbeat within the timeout) loses its claim: a job that was not started returns to the
 * queue, and a started job fails, because its progress is unknown.
 */
export class RunClaims {
  readonly #options: RunClaimsOptions;
  /** Sweeps lost agents periodically. */
  readonly background: PeriodicTask;

  constructor(options: RunClaimsOptions) {
    this.#options = options;
    this.background = PeriodicTask.every(SWEEP, () => this.sweep(), options.report);
    options.agents.gone.push((tx, agentId, now) => this.#giveUp(tx, agentId, now));
  }

  /**
   * Returns the next job for the agent, or again the job that it already holds. Long poll: returns undefined if there
   * is no job within the timeout.
   * @throws 404 unless the actor is that agent; 401 if its credential is no longer valid when there is a job
   */
  async next(actor: Actor, agentId: string, { remoteAddress, ...timeout }: ClaimTimeout): Promise<Job | undefined> {
    const { agents, waits } = this.#options;
    const agent = await agents.own(actor, agentId);
    const { organizationId } = agent;
    return waits.until({ organizationId, agentId, ...timeout }, () => this.#look(agent, remoteAddress));
  }

  async #look(agent: RegisteredAgent, remoteAddress: string): Promise<Job | undefined> {
    const { agents, clock, database, inputs } = this.#options;
    const { agentId } = agent;
    const queue = () => ({ ...agent, silentSince: clock() - SILENCE });
    const held = await claimStore.runHeldBy(database, agentId);
    // Reads first, so that the usual case, an empty queue, writes nothing.
    const left = held === undefined ? await this.#leftToOthers(agent, queue()) : [];
    if (left === undefined) return undefined;
    await agents.assertStillOwn(agent, remoteAddress);
    const id = await database.transaction(async (tx) => {
      if (!(await agents.hold(tx, agent, clock()))) throw notFound();
      const mine = await claimStore.runHeldBy(tx, agentId);
      if (mine !== undefined) return mine;
      return this.#take(tx, agent, queue(), left);
    });
    const run = id === undefined ? undefined : await store.findRun(database, id);
    // The claim may be lost already.
    return run?.agentId === agentId ? inputs.jobFor(agent, run) : undefined;
  }

  /**
   * Returns the runs at the head of the queue that the agent leaves to others; undefined if nothing else waits. Reads
   * without locks, because other agents skip locked runs when they claim.
   */
  async #leftToOthers(agent: RegisteredAgent, queue: claimStore.Queue): Promise<string[] | undefined> {
    const { agents, database } = this.#options;
    const left: string[] = [];
    while (left.length < MAX_LEFT) {
      const waiting = await claimStore.firstWaitingRun(database, queue, left);
      if (waiting === undefined) return undefined;
      if (!(await isLeftToOthers(database, agents, agent, waiting.id, queue.silentSince))) return left;
      left.push(waiting.id);
    }
    return undefined;
  }

  /** Claims the first run in the queue that may still be executed. Ends the runs before it that may not. */
  async #take(
    tx: Transaction,
    agent: RegisteredAgent,
    queue: claimStore.Queue,
    left: readonly string[],
  ): Promise<string | undefined> {
    const { agents, clock, outcomes, waits } = this.#options;
    const { agentId, organizationId } = agent;
    for (let ended = 0; ended < MAX_UNFIT; ended++) {
      const candidate = await claimStore.firstClaimableRun(tx, queue, left);
      if (candidate === undefined) return undefined;
      if (await isLeftToOthers(tx, agents, agent, candidate.id, queue.silentSince)) {
        // The run was queued after the check, and other agents may have skipped it.
        waits.wake(tx, organizationId);
        return undefined;
      }
      const run = candidate.isApply === 1 ? await store.claimRun(tx, candidate.id) : undefined;
      if (run !== undefined && (await outcomes.endIfRefused(tx, run, clock())) !== undefined) continue;
      return (await claimStore.claimRun(tx, agentId, candidate)) ? candidate.id : undefined;
    }
    return undefined;
  }

  /** Requeues or ends the runs of lost agents in bounded steps. Deletes old agents. */
  async sweep(): Promise<void> {
    const { agents, clock, database } = this.#options;
    const silentSince = clock() - SILENCE;
    for (const id of await claimStore.lostRuns(database, silentSince)) {
      const step = database.transaction(async (tx) => {
        const run = await store.claimRun(tx, id);
        if (!run?.agentId || (await claimStore.isAgentConnected(tx, run.agentId, silentSince))) return;
        await this.#lose(tx, run, clock());
      });
      await step.catch(this.background.report);
    }
    await agents.forget();
  }

  async #giveUp(tx: Transaction, agentId: string, now: number): Promise<void> {
    const id = await claimStore.runHeldBy(tx, agentId);
    const run = id === undefined ? undefined : await store.claimRun(tx, id);
    if (run !== undefined) await this.#lose(tx, run, now);
  }

  /** Requeues or ends the run of a lost agent. Call `claim` first. */
  async #lose(tx: Transaction, run: Run, now: number): Promise<void> {
    const { observers, phases, stateMachine } = this.#options;
    const canceled = run.canceledAt !== null && leadsTo(run.status, 'canceled');
    const status = canceled ? 'canceled' : 'errored';
    if (startsPhase(run.status) || !leadsTo(run.status, status)) {
      await store.updateRun(tx, { ...run, agentId: null }, isQueued(run.status));
      this.#options.waits.wake(tx, run.organizationId);
      return observers.jobLost(tx, 'requeued');
    }
    const reason = whyLost(run, await claimStore.agentName(tx, run.agentId));
    await phases.note(tx, run.id, `\n${reason}\n`);
    await stateMachine.transition(tx, run, status, { now, actor: null, reason });
    observers.jobLost(tx, status);
  }
}

/** Returns the text about a lost agent for the log and the events of the run. */
function whyLost({ agentId, status, id }: Run, name: string | undefined): string {
  const who = name === undefined ? `The agent ${agentId}` : `The agent ${inOneLine(name)} (${agentId})`;
  const gone = `${who} is lost. Its progress is unknown.`;
  if (status !== 'applying') return gone;
  return `${gone} Check for a newer state than that of the workspace: the errored-state of the apply, or kept/${id}.tfstate in the agent's folder after its next start`;
}
