import type { BackgroundTask, BackgroundWork, Leadership } from '../lib/background/background-work.ts';
import { PeriodicTask, type ReportError } from '../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../lib/background/task-definition.ts';

const SWEEP: TaskDefinition = {
  name: 'access-sweep',
  description: 'Removes expired tokens, wrapped responses and policies.',
  runsOn: 'leader',
  period: 60_000,
};

/** Background task that removes expired data every minute, in bounded steps. */
export class Sweep implements BackgroundWork {
  readonly #steps: readonly (() => Promise<unknown>)[];
  readonly #task: PeriodicTask;
  #stopped = false;

  /** @param report called for errors */
  constructor(steps: readonly (() => Promise<unknown>)[], report: ReportError) {
    this.#steps = steps;
    this.#task = PeriodicTask.every(SWEEP, () => this.#run(), report);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#task.tasks;
  }

  start(leadership?: Leadership): void {
    this.#task.start(leadership);
  }

  /** Waits for the running step. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#task.stop();
  }

  async #run(): Promise<void> {
    for (const step of this.#steps) {
      if (this.#stopped) return;
      await step();
    }
  }
}
