import { setTimeout as sleep } from 'node:timers/promises';
import { passing, WrapFailure } from './key-wrapper.ts';

/** @limit one attempt to wrap or unwrap the keyring's data key, ms -> it is retried */
const TRY_MS = 10_000;
const FIRST_PAUSE_MS = 250;
/** @limit delay before the next attempt to unwrap the keyring, ms -> the next attempt starts */
const LONGEST_PAUSE_MS = 5_000;

/** Time for retries, and the callback for each failed attempt. */
export interface RetryOptions {
  readonly waitSeconds: number;
  note?(failure: WrapFailure): void;
}

/**
 * Retries temporary failures until the time is over. Each attempt has its own timeout.
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
