import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { setCurrentRun, setRunStatus, type WorkspaceLocks } from '../../workspace/index.ts';
import { type Counts, type Phase, phaseAfter } from '../lifecycle/phase.ts';
import { isFairlyOrdered, isQueued, nextQueueOrder, queueClassOf } from '../lifecycle/queue.ts';
import { endsClaim, isFinal, mayBecome, type RunStatus, startsPhase } from '../lifecycle/status.ts';
import * as eventStore from './history/event-store.ts';
import * as phaseStore from './phase-store.ts';
import { setQueuePool } from './pool/pool-store.ts';
import * as queueStore from './queue-store.ts';
import { isAssessment, type Run, type Timestamps } from './run.ts';
import type { RunEffect, RunStep } from './run-effect.ts';
import * as store from './store.ts';
import type { WaitReasons } from './waiting/wait-reasons.ts';

/** The part of the workspace locks that runs use. */
export type RunLocks = Pick<WorkspaceLocks, 'lockForRun' | 'unlockRun'>;

/** Context of one transition. */
export interface TransitionOptions {
  readonly now: number;
  /** Actor of the transition; null if the server acts by itself. */
  readonly actor: Identifier | null;
  readonly commentId?: string | null;
  /** Reason of a transition by the server. The run event shows it. */
  readonly reason?: string;
  /** Resource counts of the phase that is running. */
  readonly counts?: Counts | undefined;
  /** Whether run tasks still have to evaluate the plan, so that no user has to decide yet. */
  readonly stagesFollow?: boolean | undefined;
}

/** Reason of the discard of a saved plan whose state changed while it was made. */
const STALE = 'The plan was discarded: the state changed while the plan was made';

/** Stages of runs that the server itself processes (task-stage/). Each comes before certain statuses. */
export interface StageProvider {
  /** Returns the stage status that the run must pass before `wanted`; undefined if there is none. */
  before(db: Queries, run: Run, wanted: RunStatus): Promise<RunStatus | undefined>;
  /** Returns whether a stage is in progress. Until it is over, no other code may advance the run. */
  holds(db: Queries, runId: string): Promise<boolean>;
}

/** Code that reacts to runs and evaluates them. It needs the state machine itself, so that it is connected later. */
export interface RunReactions {
  /** Effects in their order (../run-effects.ts). */
  readonly effects: readonly RunEffect[];
  /** Providers of stages. If several have a stage before a status, the first in the list comes first. */
  readonly stages: readonly StageProvider[];
}

/**
 * State machine of runs: moves a run to its next status, with all effects. Callers check permissions and
 * preconditions.
 */
export class RunStateMachine {
  readonly #locks: RunLocks;
  readonly #reasons: WaitReasons;
  #reactions: RunReactions | undefined;

  constructor(locks: RunLocks, reasons: WaitReasons) {
    this.#locks = locks;
    this.#reasons = reasons;
  }

  /** Sets what reacts to runs. Called once, during wiring. */
  connect(reactions: RunReactions): void {
    this.#reactions = reactions;
  }

  /** @throws Error before `connect`, because a run without its effects would be wrong */
  get reactions(): RunReactions {
    if (this.#reactions === undefined) throw new Error('the effects of runs are not connected');
    return this.#reactions;
  }

  /** Locks the row of the run until the transaction ends. Returns undefined if the run was deleted. */
  claim(tx: Transaction, id: string): Promise<Run | undefined> {
    return store.claimRun(tx, id);
  }

  /** Executes the effects of the current status of a run without a transition: of a new run, or once more. */
  announce(tx: Transaction, run: Run, options: TransitionOptions): Promise<void> {
    return this.#react(tx, run, { ...stepOf(options), before: run, phases: [] });
  }

  /** Returns the stage status that the run must pass before `wanted`; undefined if there is none. */
  async stageBefore(db: Queries, run: Run, wanted: RunStatus): Promise<RunStatus | undefined> {
    for (const provider of this.reactions.stages) {
      const stage = await provider.before(db, run, wanted);
      if (stage !== undefined) return stage;
    }
    return undefined;
  }

  /** Returns whether a stage is in progress. Until it is over, no other code may advance the run. */
  async isHeldByStage(db: Queries, runId: string): Promise<boolean> {
    for (const provider of this.reactions.stages) if (await provider.holds(db, runId)) return true;
    return false;
  }

  /**
   * Moves a run to `wanted`, or to a stage that it must pass first. Call `claim` first. Returns the updated run.
   * @throws Error if the run must not change to `wanted` (lifecycle/status.ts)
   */
  async transition(tx: Transaction, run: Run, wanted: RunStatus, options: TransitionOptions): Promise<Run> {
    if (!mayBecome(run.status, wanted)) throw new Error(`a run that is ${run.status} cannot become ${wanted}`);
    const stage = await this.stageBefore(tx, run, wanted);
    if (stage !== undefined) return this.#transitionTo(tx, { ...run, agentId: null }, stage, options);
    const isStale = wanted === 'planned_and_saved' && run.stale;
    return isStale
      ? this.#transitionTo(tx, run, 'discarded', { ...options, reason: STALE })
      : this.#transitionTo(tx, run, wanted, options);
  }

  async #transitionTo(tx: Transaction, run: Run, status: RunStatus, options: TransitionOptions): Promise<Run> {
    const { now, actor, commentId = null } = options;
    const over = isFinal(status);
    const description = options.reason ?? (over ? run.cancelReason : null);
    const transitioned: Run = {
      ...run,
      status,
      timestamps: { ...run.timestamps, ...timesAt(status, now) },
      awaitsWorkspace: over ? false : run.awaitsWorkspace,
      holdsWorkspace: over ? false : run.holdsWorkspace,
      waitingFor: null,
      agentId: endsClaim(status) ? null : run.agentId,
      finishedAt: over ? now : null,
    };
    const next = { ...transitioned, queueOrder: await this.#queueOrder(tx, run, transitioned, now) };
    await store.updateRun(tx, next, isQueued(status));
    if (startsPhase(status)) await setQueuePool(tx, next.id, now);
    const phases = await this.#note(tx, next, status, options);
    await setRunStatus(tx, next.workspaceId, next.id, status);
    await eventStore.addEvent(tx, {
      id: prefixedId('re', now),
      runId: run.id,
      action: status,
      actor,
      commentId,
      description,
      createdAt: now,
    });
    const told = { ...options, ...(description !== null && { reason: description }) };
    await this.#react(tx, next, { ...stepOf(told), before: run, phases });
    return next;
  }

  async #react(tx: Transaction, run: Run, step: RunStep): Promise<void> {
    const kind = isAssessment(run) ? 'assessments' : 'runs';
    for (const effect of this.reactions.effects) {
      const isMeant = effect.of === undefined || effect.of === kind;
      if (isMeant && effect.on.includes(run.status)) await effect.run(tx, run, step);
    }
  }

  /** Releases the lock of a run that is over, and gives the workspace to the next run. */
  async release(tx: Transaction, { id, workspaceId }: Run, now: number): Promise<void> {
    await this.#locks.unlockRun(tx, workspaceId, id);
    await this.promote(tx, workspaceId, now);
  }

  /** Gives the workspace to the next run in its queue, unless the workspace is locked. */
  async promote(tx: Transaction, workspaceId: string, now: number): Promise<void> {
    if ((await queueStore.runHoldingWorkspace(tx, workspaceId)) !== undefined) return;
    const id = await queueStore.nextRunOfWorkspace(tx, workspaceId);
    if (id === undefined || (await this.seize(tx, id, now))) return;
    await this.noteWait(tx, id, now);
    const first = await store.claimRun(tx, id);
    // `tofu` and `terraform` read the current run of a locked workspace and report that it waits for the lock.
    if (first?.status === 'pending') await setCurrentRun(tx, workspaceId, first);
  }

  /** Adds an event that says why a run waits for its workspace, once for each reason. */
  async noteWait(tx: Transaction, id: string, now: number): Promise<void> {
    const run = await store.claimRun(tx, id);
    const reason = run?.awaitsWorkspace ? (await this.#reasons.ofRuns(tx, [run])).get(id) : undefined;
    if (run === undefined || reason === undefined || reason === run.waitingFor) return;
    await store.updateRun(tx, { ...run, waitingFor: reason }, isQueued(run.status));
    const event = { runId: id, action: 'waiting_for_workspace', actor: null, commentId: null, createdAt: now };
    await eventStore.addEvent(tx, { id: prefixedId('re', now), ...event, description: reason });
  }

  /** Locks the workspace for this run. Returns false if another run or a user holds the lock. */
  async seize(tx: Transaction, id: string, now: number): Promise<boolean> {
    const run = await store.claimRun(tx, id);
    if (run === undefined || !run.awaitsWorkspace || !(await this.#locks.lockForRun(tx, run.workspaceId, id)))
      return false;
    const status = run.status === 'confirmed' ? 'apply_queued' : 'plan_queued';
    const begun = await this.transition(tx, { ...run, awaitsWorkspace: false, holdsWorkspace: true }, status, {
      now,
      actor: null,
    });
    await setCurrentRun(tx, run.workspaceId, begun);
    return true;
  }

  /** Returns the sort key of the run within its queue class. The key stays the same while the class does. */
  async #queueOrder(tx: Transaction, before: Run, next: Run, now: number): Promise<number> {
    const place = queueClassOf(next);
    if (!isQueued(next.status) || (isQueued(before.status) && place === queueClassOf(before))) return before.queueOrder;
    if (next.awaitsWorkspace) return next.createdAt;
    if (!isFairlyOrdered(place)) return now;
    const ahead = await queueStore.countQueuedInClass(tx, next.organizationId, place);
    return nextQueueOrder(await queueStore.lastQueueOrder(tx, next.workspaceId, place), ahead, now);
  }

  /** Applies the new status to the plan and the apply. Returns those whose status it changed. */
  async #note(tx: Transaction, run: Run, status: RunStatus, { now, counts }: TransitionOptions): Promise<Phase[]> {
    const changed: Phase[] = [];
    for (const phase of await phaseStore.phasesOfRuns(tx, [run.id])) {
      const after = phaseAfter(phase, status, now);
      const current = phase.status === 'running' && counts;
      if (after !== phase) changed.push(after);
      if (after !== phase || current) await phaseStore.updatePhase(tx, current ? { ...after, ...counts } : after);
    }
    return changed;
  }
}

function stepOf({ now, actor, reason, stagesFollow = false }: TransitionOptions) {
  return { now, actor, stagesFollow, ...(reason !== undefined && { reason }) };
}

/** Returns the timestamps of a status. Clients read the end of fetching as `fetched`, which is not a status. */
function timesAt(status: RunStatus, now: number): Timestamps {
  return { [status]: now, ...(status === 'fetching_completed' && { fetched: now }) };
}
