import { ALWAYS_LEADER, type BackgroundWork, type Leadership } from './background-work.ts';

/** Something that is done again and again beside all requests, in bounded steps. */
export interface PeriodicTaskOptions {
  /** One step. Resolves to the milliseconds until the next one. */
  readonly step: () => Promise<number>;
  /** Milliseconds: until the first step, and until the next one after one that failed. */
  readonly first: number;
  readonly afterFailure: number;
  /** Told of a step that failed. */
  readonly report: (error: unknown) => void;
}

/** How soon a process notices that it is its turn, milliseconds. */
const LEADERSHIP_RETRY_MS = 1_000;

/** Takes one step after the other, never two at a time, until it is stopped. It keeps no process alive. */
export class PeriodicTask implements BackgroundWork {
  /** A round each `pause` milliseconds, from the end of one to the beginning of the next, whether it failed or not. */
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

  /** Waits for the step that is being taken. */
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
