import { AppError } from '../../lib/errors.ts';

/** The policy that allows everything, sudo included. It has no text. */
export const ROOT = 'root';

/**
 * Normalizes a policy name. Every input is normalized before any comparison: names that only look different (`Root`,
 * ` root`) bypassed the protection of `root` upstream (CVE-2025-5999, CVE-2025-64761).
 */
export function policyName(name: string): string {
  return name.trim().toLowerCase().normalize('NFC');
}

/**
 * Maximum number of policies of one token or one token role.
 * @limit policies of a token or a token role, policies -> 400; 403 for a token that has more
 */
export const MAX_TOKEN_POLICIES = 1000;

/** Policies of tokens that only the server issues. No request can grant them. */
const NOT_ASSIGNABLE: ReadonlySet<string> = new Set(['response-wrapping']);

/**
 * Checks the number of names, before they are normalized.
 * @throws AppError bad-request
 */
export function assertFew(names: readonly string[]): void {
  if (names.length > MAX_TOKEN_POLICIES) {
    throw new AppError('bad-request', `a token can have at most ${MAX_TOKEN_POLICIES} policies`);
  }
}

/**
 * Checks that a request may grant these policies.
 * @param names normalized names
 * @throws AppError bad-request
 */
export function assertAssignable(names: readonly string[]): void {
  assertFew(names);
  const internal = names.find((name) => NOT_ASSIGNABLE.has(name));
  if (internal !== undefined) throw new AppError('bad-request', `cannot assign policy "${internal}"`);
}

/** Returns normalized policy names, sorted and without duplicates. */
export function normalizePolicies(names: readonly string[]): string[] {
  return [...new Set(names.map(policyName).filter((name) => name !== ''))].sort();
}

/** Returns the policies of a new token: the given ones, and `default` unless it is excluded. */
export function tokenPolicies(names: readonly string[], withoutDefault: boolean): string[] {
  return normalizePolicies(withoutDefault ? names : [...names, 'default']);
}
