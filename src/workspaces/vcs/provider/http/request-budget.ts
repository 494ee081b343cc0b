import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../../lib/clock.ts';
import { ProviderError } from '../provider-error.ts';

/** @limit requests that write to a provider and wait for an earlier one of their connection, requests -> refused as limited */
const MAX_WAITING_WRITES = 100;
/** First pause after a response that says "too many requests" without a time, doubled for each further one, ms. */
const FIRST_PAUSE_MS = 60_000;
/** @limit pause after a provider's rate limit, ms -> the server tries again then, even if the provider asks for longer */
const MAX_PAUSE_MS = 3_600_000;

/** Requests to a provider within its rate limits, for one connection in this process. */
export class RequestBudget {
  readonly #clock: Clock;
  readonly #writePauseMs: number;
  #limitedUntil = 0;
  #pauses = 0;
  #waiting = 0;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #lastWriteAt = Number.NEGATIVE_INFINITY;

  /** @param writePauseMs time between two requests that write; these are sent one after the other. 0: no such rule */
  constructor(clock: Clock, writePauseMs: number) {
    this.#clock = clock;
    this.#writePauseMs = writePauseMs;
  }

  /**
   * Runs a request when the provider's limits allow it.
   * @throws ProviderError `limited` without a request while the connection is limited
   */
  async run<T>(isWrite: boolean, request: () => Promise<T>): Promise<T> {
    this.#refuseWhileLimited();
    return isWrite && this.#writePauseMs > 0 ? await this.#afterOtherWrites(request) : await request();
  }

  /** Stops all requests until a time, in milliseconds since 1970; undefined: the provider names none. Returns the pause. */
  limit(until: number | undefined): number {
    const now = this.#clock();
    const pause = until === undefined ? FIRST_PAUSE_MS * 2 ** Math.min(this.#pauses++, 10) : until - now;
    const bounded = Math.min(Math.max(pause, 1000), MAX_PAUSE_MS);
    this.#limitedUntil = Math.max(this.#limitedUntil, now + bounded);
    return bounded;
  }

  /** Notes a response that is no refusal. */
  succeeded(): void {
    this.#pauses = 0;
  }

  async #afterOtherWrites<T>(request: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING_WRITES)
      throw limited(`${MAX_WAITING_WRITES} requests to the provider are waiting`, this.#writePauseMs);
    this.#waiting++;
    const turn = this.#lastWrite.then(() => this.#paused(request));
    this.#lastWrite = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }

  async #paused<T>(request: () => Promise<T>): Promise<T> {
    const wait = this.#lastWriteAt + this.#writePauseMs - performance.now();
    if (wait > 0) await sleep(wait);
    this.#refuseWhileLimited();
    try {
      return await request();
    } finally {
      this.#lastWriteAt = performance.now();
    }
  }

  #refuseWhileLimited(): void {
    const left = this.#limitedUntil - this.#clock();
    if (left > 0) throw limited("The provider's rate limit is reached", left);
  }
}

function limited(message: string, retryAfterMs: number): ProviderError {
  return new ProviderError('limited', message, { retryAfterMs });
}
