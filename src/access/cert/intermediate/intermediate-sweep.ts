import type { BackgroundTask } from '../../../lib/background/background-work.ts';
import { PeriodicTask, type ReportError } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { AnchorSet } from '../../../x509/index.ts';
import type { ProvenIntermediates } from './proven-intermediates.ts';

const SWEEP: TaskDefinition = {
  name: 'intermediates-sweep',
  description: 'Removes intermediate certificates that no login uses any more.',
  runsOn: 'every process',
  period: 3_600_000,
};

export interface IntermediateSweepParts {
  readonly intermediates: ProvenIntermediates;
  /** Returns the number of changes. Undefined if the mount is gone. */
  readonly version: () => Promise<number | undefined>;
  /** Returns the CA certificates of all roles. */
  readonly authorities: () => Promise<Pick<AnchorSet<unknown>, 'named'>>;
  readonly report: ReportError;
}

/** Removes unused intermediates of a mount once an hour. Several nodes may do so at the same time. */
export class IntermediateSweep {
  readonly #parts: IntermediateSweepParts;
  readonly #task: PeriodicTask;

  constructor(parts: IntermediateSweepParts) {
    this.#parts = parts;
    this.#task = PeriodicTask.every(SWEEP, () => this.#sweep(), parts.report);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#task.tasks;
  }

  start(): void {
    this.#task.start();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  /** Runs the sweep after a running one. Never rejects. */
  run(): Promise<void> {
    return this.#task.runNow();
  }

  async #sweep(): Promise<void> {
    const { intermediates, version, authorities } = this.#parts;
    const known = await version();
    if (known === undefined) return;
    await intermediates.current(known);
    if (intermediates.size > 0) await intermediates.sweep(await authorities());
  }
}
