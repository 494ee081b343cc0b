import { setTimeout as sleep } from 'node:timers/promises';
import { passing, WrapFailure } from './key-wrapper.ts';

/** @limit one try to wrap or unwrap the key of the keyring, ms -> it is tried again */
const TRY_MS = 10_000;
const FIRST_PAUSE_MS = 250;
/** @limit the pause before the keyring is unwrapped once more, ms -> it is tried */
const LONGEST_PAUSE_MS = 5_000;

/** How long is tried, and who is told of each try that failed. */
export interface RetryOptions {
  readonly waitSeconds: number;
  note?(failure: WrapFailure): void;
}

/**
 * Tries again what has failed in a way that passes, until the time is over. Each try is told when its own time is over.
 * @throws WrapFailure the last one
 */
export async function withRetries<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { waitSeconds, note }: RetryOptions,
): Promise<T> {
  const until = performance.now() + waitSeconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await withinTime(work, waitSeconds === 0 ? TRY_MS : until - performance.now());
    } catch (error) {
      if (!(error instanceof WrapFailure) || !error.isPassing || performance.now() + pause >= until) throw error;
      note?.(error);
    }
    await sleep(pause);
  }
}

async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, left: number): Promise<T> {
  const ms = Math.max(1, Math.min(TRY_MS, Math.round(left)));
  const signal = AbortSignal.timeout(ms);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw passing(`no answer within ${ms / 1000} s`);
    throw error;
  }
}
