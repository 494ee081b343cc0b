import { comparisonCount, constrainedNames, nameViolation } from '../constraints/name-constraints.ts';
import { policyFault } from './policies.ts';
import { type Position, refused, type Verdict } from './verdict.ts';
import type { WorkLimit } from './work-limit.ts';

/** Runs the checks that need the whole path, leaf first. Returns the first refusal, or undefined. */
export function wholePathRefusal(path: readonly Position[], limit: WorkLimit): Verdict | undefined {
  return nameConstraintsRefusal(path, limit) ?? policiesRefusal(path);
}

/**
 * Checks the name constraints of every CA, the anchor included, on all certificates below it (RFC 5280 §6.1.3 (b) and
 * (c)).
 */
function nameConstraintsRefusal(path: readonly Position[], limit: WorkLimit): Verdict | undefined {
  for (const issuer of path) {
    if (issuer.certificate.known.nameConstraints === undefined) continue;
    for (const position of path.slice(0, issuer.index)) {
      const refusal = namesRefusal(issuer, position, limit);
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

function namesRefusal(issuer: Position, position: Position, limit: WorkLimit): Verdict | undefined {
  const constraints = issuer.certificate.known.nameConstraints;
  const { certificate, index } = position;
  // A CA may issue itself a certificate for a new key: its names count only in a leaf.
  if (constraints === undefined || (index > 0 && certificate.isSelfIssued)) return undefined;
  const names = constrainedNames(certificate);
  if (!limit.compareNames(comparisonCount(constraints, names))) return limit.refusal(position);
  const violation = nameViolation(constraints, names);
  if (violation === undefined) return undefined;
  const expected = `${violation.expected}, as "${issuer.certificate.subject}" demands`;
  return refused('name-constraints', position, expected, violation.actual);
}

function policiesRefusal(path: readonly Position[]): Verdict | undefined {
  const fault = policyFault(path.map((position) => position.certificate));
  if (fault === undefined) return undefined;
  return refused('certificate-policies', path[fault.index] as Position, fault.expected, fault.actual);
}
