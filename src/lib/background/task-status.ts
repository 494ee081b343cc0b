import { errorClass } from './error-class.ts';

/**
 * Outcome of a task in one process. Ages are measured by the monotonic clock, so that a change of the system's time does
 * not make a task look late. Milliseconds.
 */
export interface TaskStatus {
  /** Result of the last run that ended. */
  readonly result: 'none' | 'ok' | 'failed';
  /** Class of the last error; undefined if the last run succeeded. */
  readonly error: string | undefined;
  /** Start of the last run, milliseconds since 1970; undefined before the first one. */
  readonly startedAt: number | undefined;
  /** Time since that start. */
  readonly age: number | undefined;
  /** Duration of the last run that ended. */
  readonly duration: number | undefined;
  /** Failed runs since the last successful one, and the time since the first of them. */
  readonly failures: number;
  readonly failingFor: number;
  /** Failed runs since the start of the process. */
  readonly failuresInTotal: number;
  /** Time since the next run was due, or since the running one was; negative before that. */
  readonly late: number;
  /** Whether a run has started and not ended. */
  readonly isRunning: boolean;
  /** Whether this process has not run the task because another one is the leader. */
  readonly isSkipped: boolean;
}

/** Records the runs of a task. */
export class TaskRecord {
  #result: TaskStatus['result'] = 'none';
  #error: string | undefined;
  #startedAt: number | undefined;
  #duration: number | undefined;
  #failures = 0;
  #failuresInTotal = 0;
  #isRunning = false;
  #isSkipped = false;
  /** By the monotonic clock. */
  #start: number | undefined;
  #failingSince = 0;
  #dueAt: number | undefined;

  /** @param delay milliseconds until the first run */
  start(delay: number): void {
    this.#dueAt = performance.now() + delay;
  }

  begin(): void {
    this.#start = performance.now();
    // While another process was the leader, no run was due here.
    if (this.#isSkipped) this.#dueAt = this.#start;
    this.#isSkipped = false;
    this.#isRunning = true;
    this.#startedAt = Date.now();
  }

  /**
   * @param failure the last error of the run; undefined if it succeeded
   * @param delay milliseconds until the next run
   */
  end(failure: { readonly error: unknown } | undefined, delay: number): void {
    const now = performance.now();
    this.#isRunning = false;
    this.#duration = now - (this.#start ?? now);
    this.#dueAt = now + delay;
    this.#result = failure ? 'failed' : 'ok';
    this.#error = failure && errorClass(failure.error);
    if (this.#failures === 0) this.#failingSince = now;
    this.#failures = failure ? this.#failures + 1 : 0;
    this.#failuresInTotal += failure ? 1 : 0;
  }

  /** Another process is the leader. Its runs do not change when this process would be late. */
  skip(): void {
    this.#isSkipped = true;
    this.#isRunning = false;
  }

  status(): TaskStatus {
    const now = performance.now();
    return {
      result: this.#result,
      error: this.#error,
      startedAt: this.#startedAt,
      age: this.#start === undefined ? undefined : now - this.#start,
      duration: this.#duration,
      failures: this.#failures,
      failingFor: this.#failures === 0 ? 0 : now - this.#failingSince,
      failuresInTotal: this.#failuresInTotal,
      late: this.#dueAt === undefined ? 0 : now - this.#dueAt,
      isRunning: this.#isRunning,
      isSkipped: this.#isSkipped,
    };
  }
}
