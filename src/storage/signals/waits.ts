import type { Signals } from './signals.ts';

/** A waiting request: its key, topics and timeout. */
export interface Waiter {
  readonly topic: string;
  /** A new request with the same key replaces the earlier one, which ends at once. */
  readonly key: string | symbol;
  readonly milliseconds: number;
  /** Aborts the wait when the client has disconnected. */
  readonly signal: AbortSignal;
}

/**
 * Long polling: requests that wait until there may be a result for them. Above the limit of waiting requests a further
 * one gets its response at once.
 */
export class Waits {
  readonly #signals: Signals;
  readonly #most: number;
  readonly #waiting = new Map<string | symbol, () => void>();
  #isOver = false;

  constructor(signals: Signals, most: number) {
    this.#signals = signals;
    this.#most = most;
  }

  /** Returns the result of `look`: as soon as there is one, or at the timeout. */
  async until<T>(waiter: Waiter, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const { key, milliseconds, signal, topic } = waiter;
    if (milliseconds === 0 || this.#isOver) return look();
    this.#waiting.get(key)?.();
    if (this.#waiting.size >= this.#most) return look();
    const wait = new Wait(milliseconds, signal);
    const end = () => wait.end();
    this.#waiting.set(key, end);
    const forget = this.#signals.listen(topic, () => wait.wake());
    try {
      let found = await look();
      while (found === undefined && (await wait.next())) found = await look();
      return found;
    } finally {
      forget();
      wait.end();
      if (this.#waiting.get(key) === end) this.#waiting.delete(key);
    }
  }

  /** Sends a response to all waiting requests, and lets no more wait. */
  stop(): void {
    this.#isOver = true;
    for (const end of this.#waiting.values()) end();
  }
}

/** A wait that is woken repeatedly until its end. */
class Wait {
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #isOver = false;
  #wasWoken = false;
  #resume: () => void = () => {};

  constructor(milliseconds: number, signal: AbortSignal) {
    this.#timer = setTimeout(this.end, milliseconds);
    this.#signal = signal;
    signal.addEventListener('abort', this.end, { once: true });
    if (signal.aborted) this.end();
  }

  wake(): void {
    this.#wasWoken = true;
    this.#resume();
  }

  readonly end = (): void => {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.end);
    this.#resume();
  };

  /** Resolves to true if it was woken, to false at its end. */
  async next(): Promise<boolean> {
    if (!this.#wasWoken && !this.#isOver) await new Promise<void>((resolve) => (this.#resume = resolve));
    const wasWoken = this.#wasWoken;
    this.#wasWoken = false;
    return wasWoken && !this.#isOver;
  }
}
