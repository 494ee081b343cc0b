import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing, Refusal } from './failures.ts';

const FIRST_PAUSE = 500;
/** @limit the pause between two tries of a request, ms -> the next try */
const LONGEST_PAUSE = 30_000;

/**
 * How long to wait before another try, ms: twice as long each time, and never the same for two that began together.
 * @param attempt those that failed before: 0 after the first
 */
export function pauseAfter(attempt: number, longest = LONGEST_PAUSE): number {
  const whole = Math.min(longest, FIRST_PAUSE * 2 ** Math.min(attempt, 20));
  return whole / 2 + (Math.random() * whole) / 2;
}

/** How long to go on. */
export interface Persistence {
  /** Ends it, with its reason. */
  readonly signal: AbortSignal;
  /** ms, from the first failure on. */
  readonly timeout: number;
  /** At each failure that passes. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * Tries until it succeeds.
 * @throws what it failed with, where that does not pass or patience has ended
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

/** Waits. @throws the reason of the signal, at once */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
