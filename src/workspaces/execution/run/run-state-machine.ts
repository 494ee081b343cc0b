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

/** The lock of a workspace, as far as runs are concerned. */
export type RunLocks = Pick<WorkspaceLocks, 'lockForRun' | 'unlockRun'>;

/** Who wants a step, and what comes with it. */
export interface TransitionOptions {
  readonly now: number;
  /** Null where nobody asked for it. */
  readonly actor: Identifier | null;
  readonly commentId?: string | null;
  /** Why, where nobody asked for it: people read it in the event. */
  readonly reason?: string;
  /** What is known of the phase that the run is in. */
  readonly counts?: Counts | undefined;
  /** The plan is still to be judged by others: nobody has to decide yet. */
  readonly stagesFollow?: boolean | undefined;
}

/** What becomes of a plan of a state that has changed while it was made. */
const STALE = 'The plan is not saved: the state was changed while it was made';

/** Told of runs that were applied, in the same unit of work. */
export type AppliedListener = (tx: Transaction, run: Run, now: number) => Promise<void>;

/** Told of a run that is about to end before its time, as it is so far, in the same unit of work. */
export type CutShortListener = (tx: Transaction, run: Run, reason: string) => Promise<void>;

/** Told of each status that a run comes to, from `pending` on, in the same unit of work. */
export type TransitionListener = (
  tx: Transaction,
  run: Run,
  step: Pick<TransitionOptions, 'now' | 'actor' | 'reason'> & { readonly stagesFollow: boolean },
) => Promise<void>;

/** Told of a plan or an apply that has come further, in the same unit of work. */
export type PhaseListener = (tx: Transaction, run: Run, phase: Phase) => void;

/** Stages of runs that the server walks by itself (task-stage/), each before some statuses. */
export interface ServerStages {
  /** What the run has to come to before it comes to `wanted`; undefined when nothing stands before that. */
  before(db: Queries, run: Run, wanted: RunStatus): Promise<RunStatus | undefined>;
  /** Whether one is under way: nobody else takes the run further. */
  holds(db: Queries, runId: string): Promise<boolean>;
}

/** Takes runs from one status to the next, with all that belongs to it. Whether they may, others have asked. */
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

  /** Locks the run for the rest of the unit of work. Undefined when it is gone. */
  claim(tx: Transaction, id: string): Promise<Run | undefined> {
    return store.claimRun(tx, id);
  }

  /** Tells of the status that a run has come to. */
  async emit(
    tx: Transaction,
    run: Run,
    { now, actor, reason, stagesFollow = false }: TransitionOptions,
  ): Promise<void> {
    const step = { now, actor, stagesFollow, ...(reason !== undefined && { reason }) };
    for (const listener of this.onTransition) await listener(tx, run, step);
  }

  /** After `claim`. The run as it is from now on: at `wanted`, or at a stage that it has to pass before. */
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
    const stepped: Run = {
      ...run,
      status,
      timestamps: { ...run.timestamps, ...timesAt(status, now) },
      awaitsWorkspace: over ? false : run.awaitsWorkspace,
      holdsWorkspace: over ? false : run.holdsWorkspace,
      waitingFor: null,
      agentId: endsClaim(status) ? null : run.agentId,
      finishedAt: over ? now : null,
    };
    const next = { ...stepped, queueOrder: await this.#queueOrder(tx, run, stepped, now) };
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

  /** Gives the workspace to the run whose turn it is, unless somebody has it. */
  async promote(tx: Transaction, workspaceId: string, now: number): Promise<void> {
    if ((await queueStore.runHoldingWorkspace(tx, workspaceId)) !== undefined) return;
    const id = await queueStore.nextRunOfWorkspace(tx, workspaceId);
    if (id === undefined || (await this.seize(tx, id, now))) return;
    await this.noteWait(tx, id, now);
    const first = await store.claimRun(tx, id);
    // Command lines look at the current run of a locked workspace, and say that it waits for the lock.
    if (first?.status === 'pending') await setCurrentRun(tx, workspaceId, first);
  }

  /** Says in an event why a run waits for its workspace, once for each reason. */
  async noteWait(tx: Transaction, id: string, now: number): Promise<void> {
    const run = await store.claimRun(tx, id);
    const reason = run?.awaitsWorkspace ? (await this.#reasons.ofRuns(tx, [run])).get(id) : undefined;
    if (run === undefined || reason === undefined || reason === run.waitingFor) return;
    await store.updateRun(tx, { ...run, waitingFor: reason }, isQueued(run.status));
    const event = { runId: id, action: 'waiting_for_workspace', actor: null, commentId: null, createdAt: now };
    await eventStore.addEvent(tx, { id: prefixedId('re', now), ...event, description: reason });
  }

  /** Gives the workspace to this run. False when somebody has it. */
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

  /** Its place among those of its class, as long as it is in that. */
  async #queueOrder(tx: Transaction, before: Run, next: Run, now: number): Promise<number> {
    const place = queueClassOf(next);
    if (!isQueued(next.status) || (isQueued(before.status) && place === queueClassOf(before))) return before.queueOrder;
    if (next.awaitsWorkspace) return next.createdAt;
    if (!isFairlyOrdered(place)) return now;
    const ahead = await queueStore.countQueuedInClass(tx, next.organizationId, place);
    return nextQueueOrder(await queueStore.lastQueueOrder(tx, next.workspaceId, place), ahead, now);
  }

  /** What the step means for the plan and the apply. */
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

/** What a status is remembered by; clients know the end of fetching by a word that no status has. */
function timesAt(status: RunStatus, now: number): Timestamps {
  return { [status]: now, ...(status === 'fetching_completed' && { fetched: now }) };
}
