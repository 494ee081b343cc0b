import type { Certificate } from '../certificate/certificate.ts';
import { issuerChecks } from './checks.ts';
import { type PathOptions, rulesOf } from './options.ts';
import { refused, type Verdict } from './verdict.ts';

/**
 * Returns why no path can end at this CA, for a caller who is about to trust it; an empty list if there is no obstacle.
 */
export function anchorFaults(
  certificate: Certificate,
  options: Pick<PathOptions, 'time' | 'extendedKeyUsage'>,
): Verdict[] {
  const rules = rulesOf(options);
  const position = { certificate, index: 1, authoritiesBelow: 0 };
  return issuerChecks
    .filter((check) => !check.holds(position, rules))
    .map((check) => refused(check.name, position, check.expected(position, rules), check.actual(position, rules)));
}
