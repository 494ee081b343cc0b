import { FetchError } from './fetch-error.ts';

/**
 * Deadline of one fetch: its timeout, or the abort of its caller. Everything that the fetch waits for stops with it.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(new FetchError('aborted', 'aborted by the caller'));

  constructor(milliseconds: number, caller?: AbortSignal) {
    const late = () => this.#controller.abort(new FetchError('timeout', `not finished within ${milliseconds} ms`));
    this.#timer = setTimeout(late, milliseconds);
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Signal whose reason is a `FetchError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the timer and the listener. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  /** Settles like `promise`, or rejects at the deadline if that comes first. For work that cannot be aborted. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    const { promise: end, reject } = Promise.withResolvers<never>();
    const onEnd = () => reject(signal.reason);
    if (signal.aborted) onEnd();
    signal.addEventListener('abort', onEnd, { once: true });
    return Promise.race([promise, end]).finally(() => signal.removeEventListener('abort', onEnd));
  }

  /** Returns the error to report: that of the deadline if it caused the given one. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }
}
