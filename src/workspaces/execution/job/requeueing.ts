import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { startsPhase } from '../lifecycle/status.ts';
import type { ApplyChecks } from '../run/apply-check/apply-checks.ts';
import type { RunOutcomes } from '../run/outcomes.ts';
import * as poolStore from '../run/pool-store.ts';
import * as store from '../run/store.ts';
import type { ClaimWaits } from './claim-waits.ts';
import type { Chore } from './run-watch.ts';

/** What it works with. */
export interface RequeueingOptions {
  readonly clock: Clock;
  readonly waits: ClaimWaits;
  readonly checks: ApplyChecks;
  readonly outcomes: RunOutcomes;
}

/**
 * Takes runs that wait for an agent to those who carry out the runs of their workspace now: settings change while they wait. Where no agent
 * executes them any more it ends them, so that their workspace is not locked for ever.
 */
export class Requeueing implements Chore {
  readonly #options: RequeueingOptions;

  constructor(options: RequeueingOptions) {
    this.#options = options;
  }

  due(db: Queries): Promise<string[]> {
    return poolStore.misplaced(db);
  }

  async tend(tx: Transaction, runId: string): Promise<void> {
    const run = await store.claim(tx, runId);
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
}
