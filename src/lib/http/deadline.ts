import { FetchError } from './fetch-error.ts';

/**
 * Deadline of one request: its timeout, silence of the server, or the abort of its caller. Everything that the request
 * waits for stops with it.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () =>
    this.#end(new FetchError('aborted', 'aborted by the caller', { cause: this.#caller?.reason }));

  /** @param milliseconds for the whole request; undefined for no such limit */
  constructor(milliseconds: number | undefined, caller?: AbortSignal) {
    if (milliseconds !== undefined)
      this.#timer = setTimeout(() => this.#expire(`not finished within ${milliseconds} ms`), milliseconds);
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Signal whose reason is a `FetchError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
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

  #expire(message: string): void {
    this.#end(new FetchError('timeout', message));
  }

  #end(reason: FetchError): void {
    this.#controller.abort(reason);
  }
}
