import { setTimeout as sleep } from 'node:timers/promises';
import { WrapFailure } from './key-wrapper.ts';

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
 * @throws WrapFailure the last one. If the end of the time cut the last attempt short, the one before says more
 */
export async function withRetries<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { waitSeconds, note }: RetryOptions,
): Promise<T> {
  const until = performance.now() + waitSeconds * 1000;
  let before: WrapFailure | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const left = waitSeconds === 0 ? TRY_MS : until - performance.now();
    try {
      return await withinTime(work, Math.max(1, Math.min(TRY_MS, Math.round(left))));
    } catch (error) {
      if (!(error instanceof WrapFailure) || !error.isPassing) throw error;
      const wasCutShort = error instanceof Unanswered && left < TRY_MS;
      if (performance.now() + pause >= until) throw wasCutShort ? (before ?? error) : error;
      note?.(error);
      before = error;
    }
    await sleep(pause);
  }
}

/** Failure of an attempt that got no response in its time. */
class Unanswered extends WrapFailure {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`, { isPassing: true });
  }
}

async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw new Unanswered(ms);
    throw error;
  }
}
