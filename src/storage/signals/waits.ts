import type { Signals } from './signals.ts';

/** Who waits, for what, and for how long. */
export interface Waiter {
  readonly topic: string;
  /** Who asks again with the same key takes the place of their earlier question, which ends. */
  readonly key: string | symbol;
  readonly milliseconds: number;
  /** Ends the wait: nobody is there any more who could be answered. */
  readonly signal: AbortSignal;
}

/** Requests that wait until there may be something for them: so many at once, and more are answered as things are. */
export class Waits {
  readonly #signals: Signals;
  readonly #most: number;
  readonly #waiting = new Map<string | symbol, () => void>();
  #isOver = false;

  constructor(signals: Signals, most: number) {
    this.#signals = signals;
    this.#most = most;
  }

  /** What `look` finds: at once, when there is something to be found, or at the end of the time. */
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

  /** Whoever waits is answered, and nobody waits any more. */
  stop(): void {
    this.#isOver = true;
    for (const end of this.#waiting.values()) end();
  }
}

/** A wait that is woken again and again until its end. */
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

  /** True when it was woken since, false at its end. */
  async next(): Promise<boolean> {
    if (!this.#wasWoken && !this.#isOver) await new Promise<void>((resolve) => (this.#resume = resolve));
    const wasWoken = this.#wasWoken;
    this.#wasWoken = false;
    return wasWoken && !this.#isOver;
  }
}
