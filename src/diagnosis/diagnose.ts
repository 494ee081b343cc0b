import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../lib/errors.ts';
import { type Finding, failure, type NamedFinding, type Status, skipped, worst } from '../lib/finding/finding.ts';
import type { Check, Subject } from './model/check.ts';
import { NotAvailable } from './model/check.ts';
import type { Site } from './model/site.ts';

/**
 * How long a check may take until it has failed, milliseconds.
 * @limit one check of `lockkeeper diagnose`, ms -> it has failed, and the others go on
 */
const CHECK_MS = 10_000;
/**
 * The same where whoever asks has time, milliseconds.
 * @limit one check of `lockkeeper diagnose --thorough`, ms -> it has failed, and the others go on
 */
const THOROUGH_CHECK_MS = 600_000;

/** A node of the tree: a check, one of several things that it has looked at, or a subject. */
export interface Diagnosis extends Partial<Finding> {
  readonly name: string;
  /** Of what has parts: the worst of theirs. */
  readonly status: Status;
  readonly parts?: readonly Diagnosis[];
}

/**
 * Subject by subject, one after the other: what is measured is not measured beside something else. Never rejects.
 * @param limit of each check, milliseconds; default: as the site says
 */
export async function* diagnose(
  site: Site,
  subjects: readonly Subject[],
  limit = site.isThorough ? THOROUGH_CHECK_MS : CHECK_MS,
): AsyncGenerator<Diagnosis> {
  for (const { name, checks } of subjects) {
    const parts: Diagnosis[] = [];
    for (const check of checks) parts.push(await runCheck(site, check, limit));
    yield { name, ...together(parts) };
  }
}

async function runCheck(site: Site, check: Check, limit: number): Promise<Diagnosis> {
  const over = new AbortController();
  const running = Promise.resolve()
    .then(() => check.run(site, over.signal))
    .catch(findingOf);
  const timer = new AbortController();
  const late = wait(limit, undefined, { signal: timer.signal })
    .catch(() => {})
    .then(() => tooLate(limit));
  const outcome = await Promise.race([running, late]);
  timer.abort();
  over.abort();
  return { name: check.name, ...('status' in outcome ? outcome : together(outcome)) };
}

function together(parts: readonly (Diagnosis | NamedFinding)[]) {
  return { status: worst(parts.map(({ status }) => status)), parts };
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
