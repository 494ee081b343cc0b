import { type Finding, type NamedFinding, skipped } from '../../lib/finding/finding.ts';
import { type Look, within } from './deadline.ts';

/**
 * Less than the timeout of a check, so that a target that hangs leaves time to report the others.
 * @limit one collector, issuer, CRL or responder that `lockkeeper diagnose` checks, ms -> its check fails; the others
 * are reported
 */
const ONE_MS = 8_000;
/** @limit targets of one kind that `lockkeeper diagnose` checks, targets -> further targets are not checked */
const MOST_ASKED = 50;

/** A target of a parallel check. */
export interface Asked {
  readonly name: string;
  readonly look: Look<Finding>;
}

/** Checks all targets in parallel, each with its own timeout, so that many that hang take as long as one. */
export async function inParallel(all: readonly Asked[], signal: AbortSignal, limit = ONE_MS): Promise<NamedFinding[]> {
  const findings = await Promise.all(
    all.slice(0, MOST_ASKED).map(async ({ name, look }) => ({ name, ...(await within(limit, look, signal)) })),
  );
  const left = all.length - findings.length;
  return left > 0 ? [...findings, { name: 'others', ...skipped(`${left} more were not checked`) }] : findings;
}
