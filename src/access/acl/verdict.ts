import type { Reason } from './decision.ts';
import { parameterFault, type RequestData } from './parameters.ts';
import type { Verb } from './policy.ts';
import { isDeny, type Rule } from './rule.ts';

/** A request to an ACL. */
export interface AclRequest {
  /** The path without `/v1/` and without a leading slash. */
  readonly path: string;
  readonly capability: Verb;
  /** Whether the operation also requires `sudo`. */
  readonly sudo?: boolean | undefined;
  /** Undefined: parameters are not checked yet. */
  readonly data?: RequestData | undefined;
  /** Requested wrapping time in seconds. 0: no wrapping. Undefined: not checked yet. */
  readonly wrapTtl?: number | undefined;
}

const WITH_PARAMETERS: ReadonlySet<Verb> = new Set<Verb>(['read', 'update', 'create', 'patch']);

/** Returns the decision of the matching rule, and a sentence that explains it. */
export function verdict(rule: Rule, { capability, sudo, data, wrapTtl }: AclRequest): [Reason, string] {
  if (isDeny(rule)) return ['denied', 'the path is denied'];
  if (!rule.capabilities.has(capability))
    return ['capability', `the policies do not grant "${capability}" on the path`];
  if (sudo && !rule.capabilities.has('sudo')) return ['sudo', 'the operation also requires "sudo"'];
  const wrapping = wrapTtl === undefined ? undefined : wrappingFault(rule, wrapTtl);
  if (wrapping !== undefined) return ['wrapping', wrapping];
  const checked = data !== undefined && WITH_PARAMETERS.has(capability);
  const fault = checked ? parameterFault(rule, data) : undefined;
  return fault === undefined ? ['granted', `the policies grant "${capability}" on the path`] : ['parameters', fault];
}

function wrappingFault({ minWrapTtl, maxWrapTtl }: Rule, ttl: number): string | undefined {
  if (minWrapTtl === 0 && maxWrapTtl === 0) return undefined;
  if (ttl === 0) return 'the answer must be wrapped';
  if (ttl < minWrapTtl) return `the answer must be wrapped for at least ${minWrapTtl} seconds`;
  if (maxWrapTtl > 0 && ttl > maxWrapTtl) return `the answer must be wrapped for at most ${maxWrapTtl} seconds`;
  return undefined;
}
