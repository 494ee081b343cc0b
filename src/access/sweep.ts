import { ALWAYS_LEADER, type BackgroundWork, type Leadership } from '../lib/background/background-work.ts';

const INTERVAL_MS = 60_000;

/** Background task that removes expired data every minute, in bounded steps. */
export class Sweep implements BackgroundWork {
  readonly #steps: readonly (() => Promise<unknown>)[];
  readonly #report: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** @param report called for errors */
  constructor(steps: readonly (() => Promise<unknown>)[], report: (error: unknown) => void) {
    this.#steps = steps;
    this.#report = report;
  }

  start(leadership: Leadership = ALWAYS_LEADER): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => leadership.runIfLeader(() => this.#run())).catch(this.#report);
    }, INTERVAL_MS).unref();
  }

  /** Waits for the running step. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const step of this.#steps) {
      if (this.#stopped) return;
      await step();
    }
  }
}
