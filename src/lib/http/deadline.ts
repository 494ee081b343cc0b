import { FetchError } from './fetch-error.ts';

/**
 * Deadline of one request: its timeout, silence of the server, or the abort of its caller. Everything that the request
 * waits for stops with it.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () =>
    this.#end(new FetchError('aborted', 'aborted by the caller', { cause: this.#caller?.reason }));
  #reason: FetchError | undefined;
  #stop: ((reason: FetchError) => void) | undefined;

  /** @param milliseconds for the whole request; undefined for no such limit */
  constructor(milliseconds: number | undefined, caller?: AbortSignal) {
    if (milliseconds !== undefined)
      this.#timer = setTimeout(() => this.#expire(`not finished within ${milliseconds} ms`), milliseconds);
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * Sets how to stop the present work; it is called at the deadline, at once if that has passed. An `AbortSignal` would
   * cost more than the rest of a small request.
   */
  stopWith(stop: (reason: FetchError) => void): void {
    this.#stop = stop;
    if (this.#reason) stop(this.#reason);
  }

  /** Ends the request because the server was silent for so long, or sent the head of its response too slowly. */
  silent(milliseconds: number): void {
    this.#expire(`no data for ${milliseconds / 1000} s`);
  }

  /** Stops the timer and the listener. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  /** Settles like `promise`, or rejects at the deadline if that comes first. For work that cannot be stopped. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { promise: end, reject } = Promise.withResolvers<never>();
    this.stopWith(reject);
    return Promise.race([promise, end]);
  }

  /** Returns the error to report: that of the deadline if it caused the given one. */
  explain(error: unknown): unknown {
    return this.#reason ?? error;
  }

  #expire(message: string): void {
    this.#end(new FetchError('timeout', message));
  }

  #end(reason: FetchError): void {
    this.#reason ??= reason;
    this.#stop?.(this.#reason);
  }
}
