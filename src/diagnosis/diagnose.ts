import { type Finding, type NamedFinding, type Status, worst } from '../lib/finding/finding.ts';
import type { Check, Subject } from './model/check.ts';
import { within } from './model/deadline.ts';
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
  const outcome = await within(limit, (signal) => check.run(site, signal));
  return { name: check.name, ...('status' in outcome ? outcome : together(outcome)) };
}

function together(parts: readonly (Diagnosis | NamedFinding)[]) {
  return { status: worst(parts.map(({ status }) => status)), parts };
}
