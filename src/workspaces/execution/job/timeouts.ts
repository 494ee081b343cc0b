import type { Clock } from '../../../lib/clock.ts';
import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { interrupt } from '../run/interruption.ts';
import { CANCEL_GRACE, type Run } from '../run/run.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as store from '../run/store.ts';
import { notPostponed, postponeWork } from './postponed-work.ts';
import type { Reconciler } from './run-reconciler.ts';

const MINUTE = 60_000;

/** Longest duration of each phase from its start, milliseconds. */
export interface PhaseTimeouts {
  readonly plan: number;
  readonly apply: number;
}

export const DEFAULT_TIMEOUTS: PhaseTimeouts = {
  /**
   * @limit duration of a plan, ms -> the run is canceled, and force-canceled a minute later
   * @setting workspaces.plan_timeout
   */
  plan: 120 * MINUTE,
  /**
   * @limit duration of an apply, ms -> the run is canceled, and force-canceled a minute later
   * @setting workspaces.apply_timeout
   */
  apply: 1440 * MINUTE,
};

/** @limit overdue runs that one sweep cancels, runs -> the next sweep cancels the others */
const MAX_AT_ONCE = 100;

// Matches an index. While a run is executed, `queue_turn` is its start time.
const selectLate = sql<
  { plan: number; apply: number; either: number; asked: number; now: number; limit: number },
  { id: string }
>(
  `SELECT id FROM run
   WHERE queued = 1 AND queue_class IN (0, 6) AND queue_turn <= :either
     AND (status = 'planning' AND queue_turn <= :plan OR status = 'applying' AND queue_turn <= :apply)
     AND (canceled_at IS NULL OR canceled_at <= :asked) AND ${notPostponed('timeout')}
   ORDER BY queue_turn, id LIMIT :limit`,
);

/** Ends plans and applies that take too long: cancels first, and force-cancels after the grace period. */
export class Timeouts implements Reconciler {
  readonly #clock: Clock;
  readonly #stateMachine: RunStateMachine;
  readonly #timeouts: PhaseTimeouts;

  constructor(clock: Clock, stateMachine: RunStateMachine, timeouts: PhaseTimeouts) {
    this.#clock = clock;
    this.#stateMachine = stateMachine;
    this.#timeouts = timeouts;
  }

  async due(db: Queries): Promise<string[]> {
    const now = this.#clock();
    const [plan, apply] = [now - this.#timeouts.plan, now - this.#timeouts.apply];
    const since = { plan, apply, either: Math.max(plan, apply), asked: now - CANCEL_GRACE, now };
    return (await db.all(selectLate, { ...since, limit: MAX_AT_ONCE })).map(({ id }) => id);
  }

  async reconcile(tx: Transaction, runId: string): Promise<void> {
    const now = this.#clock();
    const run = await store.claimRun(tx, runId);
    const reason = run && this.#reason(run, now);
    if (run === undefined || reason === undefined) return;
    if (run.canceledAt === null) await interrupt(tx, run, { action: 'timed_out', reason }, now);
    else if (run.canceledAt <= now - CANCEL_GRACE) {
      const late = { ...run, cancelReason: run.cancelReason ?? reason };
      await this.#stateMachine.transition(tx, late, 'force_canceled', { now, actor: null });
    }
  }

  async postpone(tx: Transaction, runId: string): Promise<void> {
    await postponeWork(tx, 'timeout', runId, this.#clock());
  }

  #reason({ status, queueOrder }: Run, now: number): string | undefined {
    if (status !== 'planning' && status !== 'applying') return undefined;
    const kind = status === 'planning' ? 'plan' : 'apply';
    const limit = this.#timeouts[kind];
    if (now - queueOrder < limit) return undefined;
    return `The run was canceled: its ${kind} took longer than the timeout of ${inWords(limit)}`;
  }
}

function inWords(milliseconds: number): string {
  const [seconds, minutes, hours] = [milliseconds / 1000, milliseconds / MINUTE, milliseconds / (60 * MINUTE)];
  if (Number.isInteger(hours)) return `${hours} h`;
  return Number.isInteger(minutes) ? `${minutes} min` : `${seconds} s`;
}
