import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import * as queueStore from '../run/queue-store.ts';
import { isSaved } from '../run/rules.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as runStore from '../run/store.ts';
import * as store from './saved-plan-store.ts';

/** In the words of the command lines. */
const APPLIED_FIRST = 'The saved plan was discarded: another run was applied first';
const CHANGED = 'The saved plan was discarded: the state was changed after it was made';
const DAY = 86_400_000;
/** @limit a saved plan that nobody confirms, days -> it is discarded */
const LONGEST_KEPT = 30;
const FORGOTTEN = `The saved plan was discarded: nobody has confirmed it for ${LONGEST_KEPT} days`;
/** @limit saved plans that a change of the state discards at once, runs -> the rest soon after */
const MAX_AT_ONCE = 100;

/**
 * Saved plans are made beside the queue of their workspace, of the state as it is then. When that changes, they are worth
 * nothing any more: those that wait for somebody, or for the workspace, are discarded, and those that are still being made
 * as soon as they would be saved.
 */
export class SavedPlans {
  readonly #clock: Clock;
  readonly #stateMachine: RunStateMachine;

  constructor(clock: Clock, stateMachine: RunStateMachine) {
    this.#clock = clock;
    this.#stateMachine = stateMachine;
  }

  /** In the unit of work that makes another state the current one. */
  async stateChanged(tx: Transaction, workspaceId: string): Promise<void> {
    const outdated = await store.markPlansOutdated(tx, workspaceId);
    if (outdated.length === 0) return;
    const holder = await queueStore.runHoldingWorkspace(tx, workspaceId);
    const run = holder === undefined ? undefined : await runStore.findRun(tx, holder);
    await this.#discard(tx, outdated, run?.status === 'applying' ? APPLIED_FIRST : CHANGED);
  }

  /** In the unit of work in which a run is applied, whether it has changed the state or not. */
  async applied(tx: Transaction, workspaceId: string): Promise<void> {
    await this.#discard(tx, await store.markPlansOutdated(tx, workspaceId), APPLIED_FIRST);
  }

  /** Those that are left over, and those that nobody has confirmed for long. */
  async due(db: Queries): Promise<string[]> {
    const forgotten = await store.unconfirmedPlans(db, this.#clock() - LONGEST_KEPT * DAY, MAX_AT_ONCE);
    return [...new Set([...(await store.outdatedPlans(db, MAX_AT_ONCE)), ...forgotten])];
  }

  /** One of them. */
  async reconcile(tx: Transaction, id: string): Promise<void> {
    const run = await runStore.findRun(tx, id);
    await this.#discard(tx, [id], run?.stale ? CHANGED : FORGOTTEN);
  }

  async #discard(tx: Transaction, ids: readonly string[], reason: string): Promise<void> {
    for (const id of ids.slice(0, MAX_AT_ONCE)) {
      const run = await runStore.claimRun(tx, id);
      if (run === undefined || !isSaved(run)) continue;
      await this.#stateMachine.transition(tx, run, 'discarded', { now: this.#clock(), actor: null, reason });
    }
  }
}
