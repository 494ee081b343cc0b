import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../lib/errors.ts';
import { type Finding, failure, skipped } from '../../lib/finding/finding.ts';
import { NotAvailable } from './check.ts';

/** A check function. When its signal is aborted it must close everything that it has open. */
export type Look<Found> = (signal: AbortSignal) => Promise<Found> | Found;

/**
 * Runs a check with a timeout. An error or the timeout becomes a failure. Never rejects.
 * @param limit milliseconds
 * @param outer aborts the check earlier
 */
export async function within<Found>(limit: number, look: Look<Found>, outer?: AbortSignal): Promise<Found | Finding> {
  const over = new AbortController();
  const signal = outer ? AbortSignal.any([outer, over.signal]) : over.signal;
  const running = Promise.resolve()
    .then(() => look(signal))
    .catch(findingOf);
  const timer = new AbortController();
  const late = wait(limit, undefined, { signal: timer.signal })
    .catch(() => {})
    .then(() => tooLate(limit));
  const outcome = await Promise.race([running, late]);
  timer.abort();
  over.abort();
  return outcome;
}

const tooLate = (limit: number): Finding =>
  failure(
    `no answer within ${limit / 1000} s`,
    'find out whether the disk, the network or the server that it depends on hangs',
  );

/** Converts an error of a check to a finding with the error's message. */
function findingOf(error: unknown): Finding {
  if (error instanceof NotAvailable) return skipped(error.message);
  const { message = '', code } = error as NodeJS.ErrnoException;
  const cause = error instanceof AppError ? ((error.cause as Error | undefined)?.message ?? '') : '';
  return failure(code ?? 'the check failed', 'see the error message', [message, cause].filter(Boolean).join(': '));
}
