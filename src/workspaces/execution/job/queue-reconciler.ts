import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { startsPhase } from '../lifecycle/status.ts';
import type { ApplyChecks } from '../run/apply-check/apply-checks.ts';
import type { RunOutcomes } from '../run/outcomes.ts';
import * as poolStore from '../run/pool/pool-store.ts';
import * as store from '../run/store.ts';
import type { ClaimWaits } from './claim-waits.ts';
import { isNotPostponed, postponeWork } from './postponed-work.ts';
import type { Reconciler } from './run-reconciler.ts';

/** Dependencies of `QueueReconciler`. */
export interface QueueReconcilerOptions {
  readonly clock: Clock;
  readonly waits: ClaimWaits;
  readonly checks: ApplyChecks;
  readonly outcomes: RunOutcomes;
}

/**
 * Moves runs that wait for an agent to the queue that the settings of their workspace name now: settings may change
 * while runs wait. Ends runs that no agent executes any more, so that they do not hold the lock of their workspace for
 * ever.
 */
export class QueueReconciler implements Reconciler {
  readonly #options: QueueReconcilerOptions;

  constructor(options: QueueReconcilerOptions) {
    this.#options = options;
  }

  due(db: Queries): Promise<string[]> {
    return poolStore.misplacedRuns(db, isNotPostponed('queue', this.#options.clock()));
  }

  async reconcile(tx: Transaction, runId: string): Promise<void> {
    const run = await store.claimRun(tx, runId);
    if (run === undefined || !startsPhase(run.status)) return;
    const { checks, clock, outcomes, waits } = this.#options;
    const refusal = await checks.refusalToWait(tx, run);
    if (refusal !== undefined) {
      await outcomes.giveUp(tx, run, refusal, clock());
      return;
    }
    await poolStore.setQueuePool(tx, runId);
    waits.wake(tx, run.organizationId);
  }

  async postpone(tx: Transaction, runId: string): Promise<void> {
    await postponeWork(tx, 'queue', runId, this.#options.clock());
  }
}
