import { AppError } from '../../lib/errors.ts';

/**
 * A policy name as it is compared and stored. Every way in goes through here before anything is compared: a name that only
 * looks different (`Root`, ` root`) was how upstream lost `root` (CVE-2025-5999, CVE-2025-64761).
 */
export function policyName(name: string): string {
  return name.trim().toLowerCase().normalize('NFC');
}

/** For tokens that are made by the program alone: nobody can give one of these to a token. */
const NOT_ASSIGNABLE: ReadonlySet<string> = new Set(['response-wrapping']);

/**
 * @param names in that form
 * @throws AppError bad-request
 */
export function assertAssignable(names: readonly string[]): void {
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
