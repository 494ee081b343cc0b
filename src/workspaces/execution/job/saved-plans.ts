import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import * as queueStore from '../run/queue-store.ts';
import { isSaved } from '../run/rules.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as runStore from '../run/store.ts';
import { postponeWork } from './postponed-work.ts';
import * as store from './saved-plan-store.ts';

/** Message of a discarded plan. The wording is that of `tofu` and `terraform`. */
const APPLIED_FIRST = 'The saved plan was discarded: another run was applied first';
const CHANGED = 'The saved plan was discarded: the state changed after it was made';
const DAY = 86_400_000;
/** @limit age of a saved plan that is not confirmed, days -> the plan is discarded */
const LONGEST_KEPT = 30;
const FORGOTTEN = `The saved plan was discarded: it was not confirmed within ${LONGEST_KEPT} days`;
/** @limit saved plans that one change of the state discards at once, runs -> the others are discarded soon after */
const MAX_AT_ONCE = 100;

/**
 * Discards outdated saved plans. A saved plan is made outside the queue of its workspace, from the state at that
 * time. When the state changes, the plan cannot be applied any more. Plans that wait are discarded at once; plans
 * that are still being made are discarded when they would be saved.
 */
export class SavedPlans {
  readonly #clock: Clock;
  readonly #stateMachine: RunStateMachine;

  constructor(clock: Clock, stateMachine: RunStateMachine) {
    this.#clock = clock;
    this.#stateMachine = stateMachine;
  }

  /** Marks saved plans as outdated. Call it in the transaction that makes another state version the current one. */
  async stateChanged(tx: Transaction, workspaceId: string): Promise<void> {
    const outdated = await store.markPlansOutdated(tx, workspaceId);
    if (outdated.length === 0) return;
    const holder = await queueStore.runHoldingWorkspace(tx, workspaceId);
    const run = holder === undefined ? undefined : await runStore.findRun(tx, holder);
    await this.#discard(tx, outdated, run?.status === 'applying' ? APPLIED_FIRST : CHANGED);
  }

  /**
   * Marks saved plans as outdated. Call it in the transaction that applies a run, whether or not the apply changed the
   * state.
   */
  async applied(tx: Transaction, workspaceId: string): Promise<void> {
    await this.#discard(tx, await store.markPlansOutdated(tx, workspaceId), APPLIED_FIRST);
  }

  /** Returns stale plans that were not discarded at once, and plans that were not confirmed in time. */
  async due(db: Queries): Promise<string[]> {
    const now = this.#clock();
    const forgotten = await store.unconfirmedPlans(db, now - LONGEST_KEPT * DAY, now, MAX_AT_ONCE);
    return [...new Set([...(await store.outdatedPlans(db, now, MAX_AT_ONCE)), ...forgotten])];
  }

  /** Discards one of the plans that `due` returned. */
  async reconcile(tx: Transaction, id: string): Promise<void> {
    const run = await runStore.findRun(tx, id);
    await this.#discard(tx, [id], run?.stale ? CHANGED : FORGOTTEN);
  }

  async postpone(tx: Transaction, runId: string): Promise<void> {
    await postponeWork(tx, 'saved-plan', runId, this.#clock());
  }

  async #discard(tx: Transaction, ids: readonly string[], reason: string): Promise<void> {
    for (const id of ids.slice(0, MAX_AT_ONCE)) {
      const run = await runStore.claimRun(tx, id);
      if (run === undefined || !isSaved(run)) continue;
      await this.#stateMachine.transition(tx, run, 'discarded', { now: this.#clock(), actor: null, reason });
    }
  }
}
