import { JobFailure } from './ports.ts';

/**
 * How somebody stops a job: first, and if that takes too long. Where the signal has a JobFailure as its reason, the job failed by
 * that; else it was canceled.
 */
export interface Stop {
  /** The engine is interrupted, and killed after a grace. */
  readonly interrupt: AbortSignal;
  /** It is killed at once. */
  readonly kill: AbortSignal;
}

/** What stops a job: somebody, or its time. */
export class Stopping {
  readonly #stop: Stop;
  readonly #grace: number;
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #graceTimer: NodeJS.Timeout | undefined;
  #isLate = false;

  /** @param timeout and grace, seconds */
  constructor(stop: Stop, timeout: number, grace: number) {
    this.#stop = stop;
    this.#grace = grace;
    this.#timer = setTimeout(this.#late, timeout * 1000);
    stop.interrupt.addEventListener('abort', this.#interrupted);
    stop.kill.addEventListener('abort', this.#killed);
    if (stop.interrupt.aborted) this.#interrupted();
    if (stop.kill.aborted) this.#killed();
  }

  /** Nothing new is to be started. */
  get interrupted(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** What runs is to be ended. */
  get killed(): AbortSignal {
    return this.#kill.signal;
  }

  /** It took longer than it may, and nobody had stopped it before. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Why it failed by being stopped; null where it did not. */
  get because(): string | null {
    const { interrupt, kill } = this.#stop;
    const reason = [interrupt, kill].find(({ aborted }) => aborted)?.reason;
    return reason instanceof JobFailure ? reason.message : null;
  }

  /** @throws JobFailure when it is stopped */
  check(): void {
    if (this.interrupted.aborted) throw new JobFailure('The job was stopped');
  }

  /** When the job has ended. */
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
    // First: to interrupt what is killed would only have it do something more.
    this.#kill.abort();
    this.#interrupted();
  };
}
