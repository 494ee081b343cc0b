import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing, Refusal } from './failures.ts';

const FIRST_PAUSE = 500;
/** @limit pause between two attempts of a request, ms -> the request is tried again */
const LONGEST_PAUSE = 30_000;

/**
 * Returns the pause before the next attempt, in ms: exponential backoff with jitter.
 * @param attempt number of earlier attempts that failed, after the first: 0 for the first pause
 */
export function pauseAfter(attempt: number, longest = LONGEST_PAUSE): number {
  const whole = Math.min(longest, FIRST_PAUSE * 2 ** Math.min(attempt, 20));
  return whole / 2 + (Math.random() * whole) / 2;
}

/** Options of `persistently`. */
export interface Persistence {
  /** Stops the attempts. Its reason is thrown. */
  readonly signal: AbortSignal;
  /** Time to keep trying, in ms from the first failure. */
  readonly timeout: number;
  /** Called after each transient failure. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * Retries `work` until it succeeds.
 * @throws the error of `work`, if it is not transient or the time is over
 */
export async function persistently<T>(work: () => Promise<T>, persistence: Persistence): Promise<T> {
  const { signal, timeout, onFailure } = persistence;
  let until = Number.POSITIVE_INFINITY;
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      until = Math.min(until, performance.now() + timeout);
      const pause = Math.max(pauseAfter(attempt), askedFor(error));
      if (performance.now() + pause > until) throw error;
      onFailure?.(error as Error);
      await rest(pause, signal);
    }
  }
}

function askedFor(error: unknown): number {
  const seconds = error instanceof Refusal ? (error.retryAfter ?? 0) : 0;
  return Math.min(seconds * 1000, LONGEST_PAUSE);
}

/** Sleeps. @throws the reason of the signal as soon as it aborts */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
