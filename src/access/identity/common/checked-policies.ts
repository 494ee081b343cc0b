import { AppError } from '../../../lib/errors.ts';
import { assertAssignable, normalizePolicies } from '../../acl/index.ts';

/** @limit policies of an entity or a group, policies -> 400 */
const MAX_POLICIES = 100;
/** @limit the name of a policy of an entity or a group, characters -> 400 */
const MAX_NAME = 256;

/**
 * Normalizes policy names of an entity or a group.
 * @throws AppError bad-request, for `root` among others
 */
export function checkedPolicies(names: readonly string[]): readonly string[] {
  if (names.length > MAX_POLICIES) refuse(`at most ${MAX_POLICIES} policies are allowed`);
  const policies = normalizePolicies(names);
  if (policies.includes('root')) refuse('policies cannot contain root');
  if (policies.some((name) => name.length > MAX_NAME || !name.isWellFormed()))
    refuse('the name of a policy is too long');
  assertAssignable(policies);
  return policies;
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
