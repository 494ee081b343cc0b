import { ALWAYS_LEADER, type BackgroundTask, type BackgroundWork, type Leadership } from './background-work.ts';
import type { TaskDefinition } from './task-definition.ts';
import { TaskRecord, type TaskStatus } from './task-status.ts';

/** Called with an error, and the name of the task. */
export type ReportError = (error: unknown, task: string) => void;

/** Options of a task that repeats in the background, in bounded steps. */
export interface PeriodicTaskOptions {
  readonly task: TaskDefinition;
  /** Runs one step. Resolves to the milliseconds until the next one. */
  readonly step: () => Promise<number>;
  /** Milliseconds until the first step. */
  readonly first: number;
  /** Milliseconds until the next step after a failed one. */
  readonly afterFailure: number;
  /** Called with the error of a failed step. */
  readonly report: ReportError;
}

/** Interval at which a process checks whether it is the leader, milliseconds. */
const LEADERSHIP_RETRY_MS = 1_000;

/**
 * Runs one step after the other, never two at a time, until it is stopped. Its timer does not keep the process alive.
 */
export class PeriodicTask implements BackgroundWork, BackgroundTask {
  /** Creates a task that runs `round` and then waits its period, whether the round failed or not. */
  static every(task: TaskDefinition, round: () => Promise<void>, report: ReportError): PeriodicTask {
    const { period } = task;
    const step = () => round().then(() => period);
    return new PeriodicTask({ task, step, first: period, afterFailure: period, report });
  }

  readonly tasks: readonly BackgroundTask[] = [this];
  readonly #options: PeriodicTaskOptions;
  readonly #record = new TaskRecord();
  #leadership: Leadership = ALWAYS_LEADER;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Last error of the running step. */
  #failure: { readonly error: unknown } | undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
  }

  get definition(): TaskDefinition {
    return this.#options.task;
  }

  status(): TaskStatus {
    return this.#record.status();
  }

  start(leadership: Leadership = ALWAYS_LEADER): void {
    if (this.definition.runsOn === 'leader') this.#leadership = leadership;
    this.#isStarted = true;
    this.#record.start(this.#options.first);
    this.#schedule(this.#options.first);
  }

  /** Stops and waits for the current step to finish. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Runs a step at once, or after the running one, and schedules the next from then on. Never rejects. */
  runNow(): Promise<void> {
    this.#running = this.#running.then(() => this.#take());
    return this.#running;
  }

  /** Reports an error that does not end the running step. The run counts as failed. */
  readonly report = (error: unknown): void => {
    this.#failure = { error };
    this.#options.report(error, this.definition.name);
  };

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped || !this.#isStarted) return;
    this.#timer = setTimeout(() => void this.runNow(), delay).unref();
  }

  async #take(): Promise<void> {
    if (this.#isStopped) return;
    const { afterFailure, step } = this.#options;
    this.#failure = undefined;
    const run = () => {
      this.#record.begin();
      return step();
    };
    const delay = await this.#leadership.runIfLeader(run).catch((error: unknown) => {
      this.report(error);
      return afterFailure;
    });
    if (delay === undefined) this.#record.skip();
    else this.#record.end(this.#failure, delay);
    this.#schedule(delay ?? LEADERSHIP_RETRY_MS);
  }
}
