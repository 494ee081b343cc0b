import { ALWAYS_LEADER, type BackgroundWork, type Leadership } from './background-work.ts';

/** Options of a task that repeats in the background, in bounded steps. */
export interface PeriodicTaskOptions {
  /** Runs one step. Resolves to the milliseconds until the next one. */
  readonly step: () => Promise<number>;
  /** Milliseconds until the first step, and until the next one after a failed step. */
  readonly first: number;
  readonly afterFailure: number;
  /** Called with the error of a failed step. */
  readonly report: (error: unknown) => void;
}

/** Interval at which a process checks whether it is the leader, milliseconds. */
const LEADERSHIP_RETRY_MS = 1_000;

/**
 * Runs one step after the other, never two at a time, until it is stopped. Its timer does not keep the process alive.
 */
export class PeriodicTask implements BackgroundWork {
  /** Creates a task that runs `round` and then waits `pause` milliseconds, whether the round failed or not. */
  static every(pause: number, round: () => Promise<void>, report: (error: unknown) => void): PeriodicTask {
    return new PeriodicTask({ step: () => round().then(() => pause), first: pause, afterFailure: pause, report });
  }

  readonly #options: PeriodicTaskOptions;
  #leadership: Leadership = ALWAYS_LEADER;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
  }

  start(leadership: Leadership = ALWAYS_LEADER): void {
    this.#leadership = leadership;
    this.#schedule(this.#options.first);
  }

  /** Stops and waits for the current step to finish. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(delay: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#take();
    }, delay).unref();
  }

  async #take(): Promise<void> {
    const { step, afterFailure, report } = this.#options;
    const delay = await this.#leadership.runIfLeader(step).catch((error: unknown) => {
      report(error);
      return afterFailure;
    });
    this.#schedule(delay ?? LEADERSHIP_RETRY_MS);
  }
}
