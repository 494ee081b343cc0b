import { type Finding, type NamedFinding, type Status, worst } from '../lib/finding/finding.ts';
import type { Check, Subject } from './model/check.ts';
import { within } from './model/deadline.ts';
import type { Site } from './model/site.ts';

/**
 * Timeout of a check, milliseconds.
 * @limit one check of `lockkeeper diagnose`, ms -> the check fails, and the others continue
 */
const CHECK_MS = 10_000;
/**
 * Timeout of a check in a thorough diagnosis, milliseconds.
 * @limit one check of `lockkeeper diagnose --thorough`, ms -> the check fails, and the others continue
 */
const THOROUGH_CHECK_MS = 600_000;

/** A node of the result tree: a subject, a check, or one of the things that a check examines. */
export interface Diagnosis extends Partial<Finding> {
  readonly name: string;
  /** For a node with parts: their worst status. */
  readonly status: Status;
  readonly parts?: readonly Diagnosis[];
}

/**
 * Runs the checks of all subjects in sequence, so that measurements do not disturb each other. Never rejects.
 * @param limit timeout of each check, milliseconds; by default that of the site
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
