import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Actor, AgentActor } from '../../tenancy/index.ts';
import type { Findings } from '../lifecycle/assessment.ts';
import { madeWith, type UsedEngine } from '../lifecycle/engine.ts';
import { isFinal, startsPhase } from '../lifecycle/status.ts';
import { notePackages } from '../package/packages.ts';
import { isAssignedAgent, refusalOf } from '../run/finder.ts';
import type { RunOutcomes } from '../run/outcomes.ts';
import { type RunPhases, sentBytes } from '../run/phases.ts';
import type { Run } from '../run/run.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as store from '../run/store.ts';
import { type JobEnding, verdictOf } from './ending.ts';
import type { JobInputs } from './inputs.ts';
import type { Job, JobStatus } from './job.ts';

/** Dependencies of `Jobs`. */
export interface JobsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly inputs: JobInputs;
  readonly phases: RunPhases;
  readonly stateMachine: RunStateMachine;
  readonly outcomes: RunOutcomes;
  /** Called with the findings of a plan before the plan is stored as successful. */
  readonly found: (tx: Transaction, run: Run, findings: Findings) => Promise<void>;
}

type AssignedAgent = AgentActor & { readonly job: NonNullable<AgentActor['job']> };

/** Reports of agents about their jobs. Agents report facts; the server decides what happens to the run. */
export class Jobs {
  readonly #options: JobsOptions;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Returns the job document again. @throws 404 unless the actor is its agent, 409 when the job is over */
  async show(actor: Actor, id: string): Promise<Job> {
    const agent = requireAssignedAgent(actor, id);
    const run = await store.findRun(this.#options.database, agent.job.runId);
    if (run === undefined || !isAssignedAgent(agent, run)) throw refusalOf(agent);
    return this.#options.inputs.jobFor(agent, run);
  }

  /**
   * Starts the job. Idempotent.
   * @throws 409 when the job must not be executed now; the agent drops it and claims again
   */
  async start(actor: Actor, id: string): Promise<void> {
    const begun = await this.#updateRun(actor, id, async (tx, run, now) => {
      if (!startsPhase(run.status)) return run;
      const { outcomes } = this.#options;
      return (await outcomes.endIfRefused(tx, run, now)) ?? outcomes.start(tx, run, now);
    });
    if (begun.status === 'planning' || begun.status === 'applying') return;
    if (isFinal(begun.status)) throw conflict(`The run is ${begun.status}: ${begun.cancelReason}`);
    throw conflict(`The run is ${begun.status}: a stage must be completed before it is executed`);
  }

  /**
   * Appends output to the log. Skips bytes that are already stored, so that the agent can repeat a request.
   * @throws 409 when bytes before the offset are missing
   */
  async log(actor: Actor, id: string, offset: number, bytes: Uint8Array): Promise<JobStatus> {
    const agent = requireAssignedAgent(actor, id);
    const run = await this.#runOf(agent);
    if (!isAssignedAgent(agent, run)) return statusOfEndedRun(run);
    const logBytes = await this.#options.phases.extend(id, offset, bytes);
    return { logBytes, cancel: run.canceledAt === null ? 'none' : 'interrupt' };
  }

  /** Records a heartbeat and returns the status of the job. */
  async heartbeat(actor: Actor, id: string): Promise<JobStatus> {
    const agent = requireAssignedAgent(actor, id);
    const run = await this.#runOf(agent);
    if (!isAssignedAgent(agent, run)) return statusOfEndedRun(run);
    const logBytes = sentBytes(await this.#options.phases.find(agent, kindOf(id), id));
    return { logBytes, cancel: run.canceledAt === null ? 'none' : 'interrupt' };
  }

  /** Ends the job. @throws 409 when another agent holds it, or it was already over */
  async finish(actor: Actor, id: string, ending: JobEnding): Promise<Run> {
    const { found, outcomes } = this.#options;
    return this.#updateRun(actor, id, async (tx, run, now) => {
      const verdict = verdictOf(run, ending);
      const { counts, findings, hasChanges, packages } = ending;
      if (verdict.kind === 'failed') return outcomes.failed(tx, run, verdict.reason, now);
      // A plan or an apply that was not started cannot succeed.
      if (startsPhase(run.status)) throw conflict('The job was not started');
      if (verdict.kind === 'applied') return outcomes.applied(tx, run, counts, now);
      const planned = ending.engine === undefined ? run : await this.#madeWith(tx, run, ending.engine);
      if (findings !== undefined) await found(tx, run, findings);
      if (packages !== undefined) await notePackages(tx, run, packages);
      return outcomes.planned(tx, planned, { hasChanges, counts }, now);
    });
  }

  async #madeWith(tx: Transaction, run: Run, engine: UsedEngine): Promise<Run> {
    const parameters = madeWith(run.parameters, engine);
    await store.setParameters(tx, run.id, parameters);
    return { ...run, parameters };
  }

  /** Runs `update` in one transaction while the agent holds the job. */
  async #updateRun(
    actor: Actor,
    id: string,
    update: (tx: Transaction, run: Run, now: number) => Promise<Run>,
  ): Promise<Run> {
    const { clock, database } = this.#options;
    const agent = requireAssignedAgent(actor, id);
    return database.transaction(async (tx) => {
      const run = await store.claimRun(tx, agent.job.runId);
      if (run === undefined || !isAssignedAgent(agent, run)) throw refusalOf(agent);
      return update(tx, run, clock());
    });
  }

  async #runOf({ job }: AssignedAgent): Promise<Run> {
    const run = await store.findRun(this.#options.database, job.runId);
    if (run === undefined) throw notFound();
    return run;
  }
}

const KILLED: JobStatus = { logBytes: 0, cancel: 'kill' };

/**
 * Returns the status of a run that the server ended without its agent. After a force-cancel the agent must kill the
 * engine. After a heartbeat timeout it gets 409, because an interrupted engine still writes its state.
 * @throws 409 unless the run was force-canceled
 */
function statusOfEndedRun({ status, agentId }: Run): JobStatus {
  if (status === 'force_canceled') return KILLED;
  if (agentId !== null) {
    throw conflict(
      'The token, login or pool of the agent was revoked. Interrupt the engine and upload its state as the errored state',
    );
  }
  throw conflict(`The job is over: its agent sent no heartbeat in time, and the run is ${status}`);
}

const kindOf = (id: string) => (id.startsWith('plan-') ? 'plan' : 'apply');

/**
 * Returns the agent that executes the job.
 * @throws 404 unless the actor uses the token of that job
 */
function requireAssignedAgent(actor: Actor, id: string): AssignedAgent {
  if (actor.kind !== 'agent' || actor.job === undefined || actor.job.isReader || actor.job.phaseId !== id)
    throw notFound();
  return { ...actor, job: actor.job };
}
