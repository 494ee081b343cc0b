import type { Reason } from './decision.ts';
import { parameterFault, type RequestData } from './parameters.ts';
import type { Verb } from './policy.ts';
import { isDeny, type Rule } from './rule.ts';

/** What is asked of an access list. */
export interface AclRequest {
  /** Without `/v1/` and without a slash in front. */
  readonly path: string;
  readonly capability: Verb;
  /** Whether the operation wants `sudo` besides. */
  readonly sudo?: boolean | undefined;
  /** Undefined: nobody has looked at the parameters yet. */
  readonly data?: RequestData | undefined;
  /** Seconds that the answer is to be wrapped for, 0: not at all. Undefined: nobody has looked yet. */
  readonly wrapTtl?: number | undefined;
}

const WITH_PARAMETERS: ReadonlySet<Verb> = new Set<Verb>(['read', 'update', 'create', 'patch']);

/** What the rule that counts says to a request, and a sentence about it. */
export function verdict(rule: Rule, { capability, sudo, data, wrapTtl }: AclRequest): [Reason, string] {
  if (isDeny(rule)) return ['denied', 'the path is denied'];
  if (!rule.capabilities.has(capability)) return ['capability', `the path is not given "${capability}"`];
  if (sudo && !rule.capabilities.has('sudo')) return ['sudo', 'the operation needs "sudo" besides'];
  const wrapping = wrapTtl === undefined ? undefined : wrappingFault(rule, wrapTtl);
  if (wrapping !== undefined) return ['wrapping', wrapping];
  const checked = data !== undefined && WITH_PARAMETERS.has(capability);
  const fault = checked ? parameterFault(rule, data) : undefined;
  return fault === undefined ? ['granted', `the path is given "${capability}"`] : ['parameters', fault];
}

function wrappingFault({ minWrapTtl, maxWrapTtl }: Rule, ttl: number): string | undefined {
  if (minWrapTtl === 0 && maxWrapTtl === 0) return undefined;
  if (ttl === 0) return 'the answer has to be wrapped';
  if (ttl < minWrapTtl) return `the answer has to be wrapped for ${minWrapTtl} seconds or more`;
  if (maxWrapTtl > 0 && ttl > maxWrapTtl) return `the answer has to be wrapped for ${maxWrapTtl} seconds or less`;
  return undefined;
}
