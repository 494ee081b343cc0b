import { JobFailure } from './ports.ts';

/**
 * Signals that stop a job. If the reason of a signal is a JobFailure, the job failed with it; otherwise it was
 * canceled.
 */
export interface Stop {
  /** Interrupts the engine, and kills it after a grace period. */
  readonly interrupt: AbortSignal;
  /** Kills the engine immediately. */
  readonly kill: AbortSignal;
}

/** Combines the stop signals of a job with its timeout. */
export class Stopping {
  readonly #stop: Stop;
  readonly #grace: number;
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #graceTimer: NodeJS.Timeout | undefined;
  #isLate = false;

  /**
   * @param timeout seconds
   * @param grace seconds
   */
  constructor(stop: Stop, timeout: number, grace: number) {
    this.#stop = stop;
    this.#grace = grace;
    this.#timer = setTimeout(this.#late, timeout * 1000);
    stop.interrupt.addEventListener('abort', this.#interrupted);
    stop.kill.addEventListener('abort', this.#killed);
    if (stop.interrupt.aborted) this.#interrupted();
    if (stop.kill.aborted) this.#killed();
  }

  /** Aborts when the job is stopped: nothing new may start. */
  get interrupted(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** Aborts when running processes must be killed. */
  get killed(): AbortSignal {
    return this.#kill.signal;
  }

  /** Whether the job reached its timeout before anyone stopped it. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Reason of a failure by being stopped; null if there is none. */
  get because(): string | null {
    const { interrupt, kill } = this.#stop;
    const reason = [interrupt, kill].find(({ aborted }) => aborted)?.reason;
    return reason instanceof JobFailure ? reason.message : null;
  }

  /** @throws JobFailure if the job was stopped */
  check(): void {
    if (this.interrupted.aborted) throw new JobFailure('The job was stopped');
  }

  /** Stops the timers at the end of the job. */
  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#graceTimer);
    this.#stop.interrupt.removeEventListener('abort', this.#interrupted);
    this.#stop.kill.removeEventListener('abort', this.#killed);
  }

  readonly #late = (): void => {
    this.#isLate = !this.interrupted.aborted;
    this.#interrupted();
  };

  readonly #interrupted = (): void => {
    if (this.interrupted.aborted) return;
    if (!this.killed.aborted) this.#graceTimer = setTimeout(this.#killed, this.#grace * 1000);
    this.#interrupt.abort(new JobFailure('The job was stopped'));
  };

  readonly #killed = (): void => {
    // Kills first: an interrupt could make a process do more work before the kill.
    this.#kill.abort();
    this.#interrupted();
  };
}
