import { AppError } from '../../../lib/errors.ts';
import { matchesGlob } from '../../../lib/glob.ts';
import { assertAssignable, assertFew, normalizePolicies } from '../../acl/index.ts';
import type { TokenRole } from '../role/token-role.ts';

/** Inputs that decide the policies of a new token. */
export interface PolicyQuestion {
  /** Policies in the request. */
  readonly requested: readonly string[];
  readonly withoutDefault: boolean;
  /** Policies of the creating token. */
  readonly parent: readonly string[];
  readonly role: TokenRole | undefined;
  /** Whether the parent has `sudo` on the request's path. */
  readonly sudo: boolean;
}

/** @limit the name of a requested policy, characters -> 400 */
const MAX_NAME = 256;

/**
 * Returns the policies of a new token. Names are normalized before any comparison: a name that only
 * looks different from `root` is `root` (CVE-2025-5999, CVE-2025-64761).
 * @throws AppError bad-request
 */
export function childPolicies(question: PolicyQuestion): string[] {
  assertFew(question.requested);
  const requested = normalizePolicies(question.requested);
  const asked = { ...question, requested, parent: normalizePolicies(question.parent) };
  const chosen = question.role && rulesPolicies(question.role) ? byRole(asked, question.role) : byParent(asked);
  const policies = normalizePolicies(chosen).filter((name) => !question.withoutDefault || name !== 'default');
  if (policies.some((name) => name.length > MAX_NAME)) refuse('the name of a policy is too long');
  assertAssignable(policies);
  if (!policies.includes('root')) return policies;
  if (!asked.parent.includes('root')) refuse('root tokens may not be created without parent token being root');
  // Root needs no other policies.
  return ['root'];
}

const rulesPolicies = (role: TokenRole): boolean =>
  role.allowed_policies.length > 0 ||
  role.disallowed_policies.length > 0 ||
  role.allowed_policies_glob.length > 0 ||
  role.disallowed_policies_glob.length > 0;

/** Without a role that names policies: a subset of the parent's, unless the parent has `sudo`. */
function byParent({ requested, parent, sudo, withoutDefault }: PolicyQuestion): readonly string[] {
  if (requested.length === 0) return parent;
  if (sudo) return withoutDefault ? requested : [...requested, 'default'];
  if (!requested.every((name) => parent.includes(name))) refuse('child policies must be subset of parent');
  return parent.includes('default') ? [...requested, 'default'] : requested;
}

/** If a role has policies, only they apply: its administrator granted them to everyone who may use the role. */
function byRole({ requested, withoutDefault, parent }: PolicyQuestion, role: TokenRole): readonly string[] {
  const withDefault = !withoutDefault && !role.token_no_default_policy && !isDisallowed('default', role);
  const add = (names: readonly string[]) => (withDefault ? [...names, 'default'] : names);
  const limited = role.allowed_policies.length > 0 || role.allowed_policies_glob.length > 0;
  if (requested.length === 0) return noneDisallowed(add(limited ? role.allowed_policies : parent), role);
  const policies = add(requested);
  const allowed = add(role.allowed_policies);
  const fits = (name: string) => allowed.includes(name) || matchesAny(role.allowed_policies_glob, name);
  if (limited && !policies.every(fits)) {
    refuse("token policies must be subset of the role's allowed policies or glob policies");
  }
  return noneDisallowed(policies, role);
}

function noneDisallowed(policies: readonly string[], role: TokenRole): readonly string[] {
  const refused = policies.find((name) => isDisallowed(name, role));
  if (refused !== undefined) refuse(`token policy "${refused}" is disallowed by this role`);
  return policies;
}

const isDisallowed = (name: string, role: TokenRole): boolean =>
  role.disallowed_policies.includes(name) || matchesAny(role.disallowed_policies_glob, name);

const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, name));

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
