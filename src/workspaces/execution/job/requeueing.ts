import type { Queries, Transaction } from '../../../storage/index.ts';
import { startsPhase } from '../lifecycle/status.ts';
import * as poolStore from '../run/pool-store.ts';
import * as store from '../run/store.ts';
import type { ClaimWaits } from './claim-waits.ts';
import type { Chore } from './run-watch.ts';

/** Takes runs that wait for an agent to those who carry out the runs of their workspace now: settings change while they wait. */
export class Requeueing implements Chore {
  readonly #waits: ClaimWaits;

  constructor(waits: ClaimWaits) {
    this.#waits = waits;
  }

  due(db: Queries): Promise<string[]> {
    return poolStore.misplaced(db);
  }

  async tend(tx: Transaction, runId: string): Promise<void> {
    const run = await store.claim(tx, runId);
    if (run === undefined || !startsPhase(run.status)) return;
    await poolStore.setQueuePool(tx, runId);
    this.#waits.wake(tx, run.organizationId);
  }
}
