import { type Finding, type NamedFinding, skipped } from '../../lib/finding/finding.ts';
import { type Look, within } from './deadline.ts';

/**
 * Less than a check has: one that hangs leaves time to tell of the others.
 * @limit one collector, issuer, list or responder that `lockkeeper diagnose` asks, ms -> it has failed; the others are told
 */
const ONE_MS = 8_000;
/** @limit those of one sort that `lockkeeper diagnose` asks, addresses -> the others are not asked */
const MOST_ASKED = 50;

/** Somebody who is asked. */
export interface Asked {
  readonly name: string;
  readonly look: Look<Finding>;
}

/** All at the same time, each with a time of its own: however many hang, it takes as long as one. */
export async function inParallel(all: readonly Asked[], signal: AbortSignal, limit = ONE_MS): Promise<NamedFinding[]> {
  const findings = await Promise.all(
    all.slice(0, MOST_ASKED).map(async ({ name, look }) => ({ name, ...(await within(limit, look, signal)) })),
  );
  const left = all.length - findings.length;
  return left > 0 ? [...findings, { name: 'others', ...skipped(`${left} more are not asked`) }] : findings;
}
