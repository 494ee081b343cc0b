import { AppError } from '../../lib/errors.ts';

/** Everything, sudo included. It has no text. */
export const ROOT = 'root';

/**
 * A policy name as it is compared and stored. Every way in goes through here before anything is compared: a name that only
 * looks different (`Root`, ` root`) was how upstream lost `root` (CVE-2025-5999, CVE-2025-64761).
 */
export function policyName(name: string): string {
  return name.trim().toLowerCase().normalize('NFC');
}

/**
 * Names of policies that one token, or one role of tokens, may have.
 * @limit policies of a token or a role, policies -> 400; 403 for a token that has more
 */
export const MAX_TOKEN_POLICIES = 1000;

/** For tokens that are made by the program alone: nobody can give one of these to a token. */
const NOT_ASSIGNABLE: ReadonlySet<string> = new Set(['response-wrapping']);

/**
 * @param names in any form: to be asked before they are normalized
 * @throws AppError bad-request
 */
export function assertFew(names: readonly string[]): void {
  if (names.length > MAX_TOKEN_POLICIES) {
    throw new AppError('bad-request', `a token can have at most ${MAX_TOKEN_POLICIES} policies`);
  }
}

/**
 * @param names in that form
 * @throws AppError bad-request
 */
export function assertAssignable(names: readonly string[]): void {
  assertFew(names);
  const internal = names.find((name) => NOT_ASSIGNABLE.has(name));
  if (internal !== undefined) throw new AppError('bad-request', `cannot assign policy "${internal}"`);
}

/** Policy names in that form, each once, sorted. */
export function normalizePolicies(names: readonly string[]): string[] {
  return [...new Set(names.map(policyName).filter((name) => name !== ''))].sort();
}

/** What a token gets: the given ones, and `default` unless it is ruled out. */
export function tokenPolicies(names: readonly string[], withoutDefault: boolean): string[] {
  return normalizePolicies(withoutDefault ? names : [...names, 'default']);
}
