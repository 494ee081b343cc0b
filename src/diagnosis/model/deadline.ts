import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../lib/errors.ts';
import { type Finding, failure, skipped } from '../../lib/finding/finding.ts';
import { NotAvailable } from './check.ts';

/** What looks at something, until its signal is aborted: what it holds open is to be closed then. */
export type Look<Found> = (signal: AbortSignal) => Promise<Found> | Found;

/**
 * What a look comes to: that it failed when it throws, and that it was late when its time is up. Never rejects.
 * @param limit milliseconds
 * @param outer ends it before
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
  failure(`no answer within ${limit / 1000} s`, 'see whether what it asks for hangs: a disk, the network, a server');

/** What the error of a check says, in the words of whoever threw it. */
function findingOf(error: unknown): Finding {
  if (error instanceof NotAvailable) return skipped(error.message);
  const { message = '', code } = error as NodeJS.ErrnoException;
  const cause = error instanceof AppError ? ((error.cause as Error | undefined)?.message ?? '') : '';
  return failure(code ?? 'it does not work', 'see what is said about it', [message, cause].filter(Boolean).join(': '));
}
