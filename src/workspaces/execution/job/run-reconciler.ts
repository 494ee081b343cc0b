import { PeriodicTask } from '../../../lib/periodic-task.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';

/** Something that has to be done about runs, or workspaces, as time goes by. */
export interface Reconciler {
  /** Some of those that it concerns. */
  due(db: Queries): Promise<readonly string[]>;
  /** Does it for one of them, unless that needs it no more. */
  reconcile(tx: Transaction, id: string): Promise<void>;
}

const SWEEP_EVERY = 30_000;

/** Looks after runs that nobody does anything with. */
export class RunReconciler {
  readonly #database: Database;
  readonly #reconcilers: readonly Reconciler[];
  readonly #report: (error: unknown) => void;
  readonly background: PeriodicTask;

  /** @param report told of a run for which it could not be done; it is for the others */
  constructor(database: Database, chores: readonly Reconciler[], report: (error: unknown) => void) {
    this.#database = database;
    this.#reconcilers = chores;
    this.#report = report;
    this.background = PeriodicTask.every(SWEEP_EVERY, () => this.sweep(), report);
  }

  /** One round, in bounded steps: a unit of work for each run. */
  async sweep(): Promise<void> {
    for (const chore of this.#reconcilers) {
      for (const id of await chore.due(this.#database)) {
        await this.#database.transaction((tx) => chore.reconcile(tx, id)).catch(this.#report);
      }
    }
  }
}
