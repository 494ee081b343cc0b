import { setImmediate } from 'node:timers/promises';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';

/** A condition of runs or workspaces that changes with time, and the action on it. */
export interface Reconciler {
  /** Returns the ids of some runs or workspaces that need the action. */
  due(db: Queries): Promise<readonly string[]>;
  /** Acts on one of them, unless it does not need the action any more. */
  reconcile(tx: Transaction, id: string): Promise<void>;
  /**
   * Makes one due later, after `reconcile` has failed unexpectedly. Lists of what is due are bounded and have the oldest
   * first, so without this some that always fail would keep all others from their turn.
   */
  postpone?(tx: Transaction, id: string): Promise<void>;
}

const SWEEP: TaskDefinition = {
  name: 'run-reconciliation',
  description: 'Advances runs whose next step depends on the time, not on a request.',
  runsOn: 'leader',
  period: 30_000,
};

/** Periodically applies all reconcilers, for conditions that no request changes. */
export class RunReconciler {
  readonly #database: Database;
  readonly #reconcilers: readonly Reconciler[];
  readonly background: PeriodicTask;

  /** @param report called with the error when one reconciliation fails; the others continue */
  constructor(database: Database, chores: readonly Reconciler[], report: (error: unknown) => void) {
    this.#database = database;
    this.#reconcilers = chores;
    this.background = PeriodicTask.every(SWEEP, () => this.sweep(), report);
  }

  /** Runs one round in bounded steps, with one transaction for each run. */
  async sweep(): Promise<void> {
    for (const chore of this.#reconcilers) {
      for (const id of await this.#due(chore)) {
        await this.#act(chore, id);
        // On SQLite, transactions in a row never wait, and would block the event loop.
        await setImmediate();
      }
    }
  }

  /** Returns what is due. A failure does not keep the other reconcilers from their turn. */
  async #due(chore: Reconciler): Promise<readonly string[]> {
    try {
      return await chore.due(this.#database);
    } catch (error) {
      this.background.report(error);
      return [];
    }
  }

  async #act(chore: Reconciler, id: string): Promise<void> {
    try {
      await this.#database.transaction((tx) => chore.reconcile(tx, id));
    } catch (error) {
      this.background.report(error);
      await this.#database.transaction(async (tx) => chore.postpone?.(tx, id)).catch(this.background.report);
    }
  }
}
