import { FetchError } from './fetch-error.ts';

/** The end of one fetch: when its time is up, or its caller gives up. Everything that it waits for ends with it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(new FetchError('aborted', 'given up by the caller'));

  constructor(milliseconds: number, caller?: AbortSignal) {
    const late = () => this.#controller.abort(new FetchError('timeout', `not done within ${milliseconds} ms`));
    this.#timer = setTimeout(late, milliseconds);
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Its reason is a `FetchError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Nothing is waited for any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  /** The outcome of `promise`, or the end, whichever comes first. For what cannot be told to stop. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    const { promise: end, reject } = Promise.withResolvers<never>();
    const onEnd = () => reject(signal.reason);
    if (signal.aborted) onEnd();
    signal.addEventListener('abort', onEnd, { once: true });
    return Promise.race([promise, end]).finally(() => signal.removeEventListener('abort', onEnd));
  }

  /** What is to be told of an error: the end, when that caused it. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }
}
