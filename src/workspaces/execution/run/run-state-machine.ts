import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import {
  setCurrentConfigurationVersion,
  setCurrentRun,
  setDestroyed,
  setPerformance,
  setRunStatus,
  type WorkspaceLocks,
} from '../../workspace/index.ts';
import { MEASURED_RUNS, performanceOf } from '../lifecycle/measure.ts';
import { type Counts, type Phase, phaseAfter } from '../lifecycle/phase.ts';
import { isFairlyOrdered, isQueued, nextQueueOrder, queueClassOf } from '../lifecycle/queue.ts';
import { endsClaim, isFinal, type RunStatus, startsPhase } from '../lifecycle/status.ts';
import * as eventStore from './history/event-store.ts';
import * as phaseStore from './phase-store.ts';
import { setQueuePool } from './pool/pool-store.ts';
import * as queueStore from './queue-store.ts';
import { isAssessment, type Run, type Timestamps } from './run.ts';
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

/** Called for each applied run, in the same transaction. */
export type AppliedListener = (tx: Transaction, run: Run, now: number) => Promise<void>;

/** Called with a run that the server is about to end early, before the transition and in the same transaction. */
export type CutShortListener = (tx: Transaction, run: Run, reason: string) => Promise<void>;

/** Called for each status that a run enters, from `pending` on, in the same transaction. */
export type TransitionListener = (
  tx: Transaction,
  run: Run,
  step: Pick<TransitionOptions, 'now' | 'actor' | 'reason'> & { readonly stagesFollow: boolean },
) => Promise<void>;

/** Called when a plan or an apply changes its status, in the same transaction. */
export type PhaseListener = (tx: Transaction, run: Run, phase: Phase) => void;

/** Stages of runs that the server itself processes (task-stage/). Each comes before certain statuses. */
export interface ServerStages {
  /** Returns the stage status that the run must pass before `wanted`; undefined if there is none. */
  before(db: Queries, run: Run, wanted: RunStatus): Promise<RunStatus | undefined>;
  /** Returns whether a stage is in progress. Until it is over, no other code may advance the run. */
  holds(db: Queries, runId: string): Promise<boolean>;
}

/**
 * State machine of runs: moves a run to its next status, with all side effects. Callers check permissions and
 * preconditions.
 */
export class RunStateMachine {
  readonly onApplied: AppliedListener[] = [];
  readonly onTransition: TransitionListener[] = [];
  readonly onPhaseChange: PhaseListener[] = [];
  readonly onCutShort: CutShortListener[] = [];
  stages: ServerStages = { before: async () => undefined, holds: async () => false };
  readonly #locks: RunLocks;
  readonly #reasons: WaitReasons;

  constructor(locks: RunLocks, reasons: WaitReasons) {
    this.#locks = locks;
    this.#reasons = reasons;
  }

  /** Locks the row of the run until the transaction ends. Returns undefined if the run was deleted. */
  claim(tx: Transaction, id: string): Promise<Run | undefined> {
    return store.claimRun(tx, id);
  }

  /** Calls the listeners for the current status of a run. */
  async emit(
    tx: Transaction,
    run: Run,
    { now, actor, reason, stagesFollow = false }: TransitionOptions,
  ): Promise<void> {
    const step = { now, actor, stagesFollow, ...(reason !== undefined && { reason }) };
    for (const listener of this.onTransition) await listener(tx, run, step);
  }

  /** Moves a run to `wanted`, or to a stage that it must pass first. Call `claim` first. Returns the updated run. */
  async transition(tx: Transaction, run: Run, wanted: RunStatus, options: TransitionOptions): Promise<Run> {
    const stage = await this.stages.before(tx, run, wanted);
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
    if (over && run.cancelReason) for (const tell of this.onCutShort) await tell(tx, run, run.cancelReason);
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
    await this.#note(tx, next, status, options);
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
    await this.emit(tx, next, { ...options, ...(description !== null && { reason: description }) });
    if (status === 'confirmed') await setCurrentConfigurationVersion(tx, run.workspaceId, run.configurationVersionId);
    if (over) await this.#finish(tx, run, next, now);
    return next;
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

  /** Applies the new status to the plan and the apply. */
  async #note(tx: Transaction, run: Run, status: RunStatus, { now, counts }: TransitionOptions): Promise<void> {
    for (const phase of await phaseStore.phasesOfRuns(tx, [run.id])) {
      const after = phaseAfter(phase, status, now);
      const current = phase.status === 'running' && counts;
      if (after !== phase) for (const listener of this.onPhaseChange) listener(tx, run, after);
      if (after !== phase || current) await phaseStore.updatePhase(tx, current ? { ...after, ...counts } : after);
    }
  }

  async #finish(tx: Transaction, before: Run, { id, workspaceId, status }: Run, now: number): Promise<void> {
    if (status === 'applied' || (status === 'errored' && !isAssessment(before))) {
      const phases = await phaseStore.measuredPhases(tx, workspaceId, MEASURED_RUNS);
      await setPerformance(tx, workspaceId, performanceOf(phases));
    }
    if (status === 'applied') {
      for (const listener of this.onApplied) await listener(tx, before, now);
    }
    if (before.operation === 'destroy' && (status === 'applied' || status === 'planned_and_finished')) {
      await setDestroyed(tx, workspaceId, now);
    }
    if (!before.holdsWorkspace) return;
    await this.#locks.unlockRun(tx, workspaceId, id);
    await this.promote(tx, workspaceId, now);
  }
}

/** Returns the timestamps of a status. Clients read the end of fetching as `fetched`, which is not a status. */
function timesAt(status: RunStatus, now: number): Timestamps {
  return { [status]: now, ...(status === 'fetching_completed' && { fetched: now }) };
}
