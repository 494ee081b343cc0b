import { runAtOnce, type Steps } from '../../lib/slices.ts';
import { type CommonRules, commonRules, type NamedPolicy } from './build-acl.ts';
import { PolicyError } from './language/policy-error.ts';
import type { Policy } from './policy.ts';
import type { PolicyLimits } from './read-policy.ts';
import type { Statement } from './rule.ts';

/** Limits for the total of all policies of one token. Above them the policies allow nothing. */
export const TOKEN_POLICY_LIMITS: PolicyLimits = {
  /** @limit total length of the policies of one token, characters -> 403 with the reason */
  length: 2 * 1024 * 1024,
  /** @limit total number of paths in the policies of one token, paths -> 403 with the reason */
  paths: 20_000,
};

/**
 * Estimated heap of a rule, of a value in it, and of one character of text (which may be a value). Rather too large.
 */
const RULE_BYTES = 700;
const VALUE_BYTES = 100;
const CHARACTER_BYTES = 12;

/** A policy as loaded. */
export interface FoundPolicy extends Pick<NamedPolicy, 'allowance' | 'expiresAt'> {
  readonly name: string;
  /** Undefined: no such policy. An error: its stored text cannot be parsed. */
  readonly policy: Policy | PolicyError | undefined;
}

/** A stored policy that cannot be parsed, and why. */
interface Unreadable {
  readonly policy: string;
  readonly problem: string;
}

/** The policies with some names, and their combined rules. */
export interface PolicySet {
  readonly policies: readonly NamedPolicy[];
  /** Names without a policy. They grant nothing. */
  readonly missing: readonly string[];
  readonly unreadable: readonly Unreadable[];
  readonly common: CommonRules;
  /** Estimated size in memory. */
  readonly bytes: number;
  /** Why the policies are not evaluated. Undefined: they are. */
  readonly excess: string | undefined;
}

/** Builds the set. A stored policy may be unreadable, because another version of the server may have written it. */
export function* policySet(found: readonly FoundPolicy[], now: number): Steps<PolicySet> {
  const policies: NamedPolicy[] = [];
  const missing: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const { name, policy, allowance, expiresAt } of found) {
    // The policy may have expired since it was loaded.
    if (policy === undefined || (expiresAt !== undefined && expiresAt <= now)) missing.push(name);
    else if (!(policy instanceof PolicyError)) policies.push({ name, policy, allowance, expiresAt });
    else {
      policies.push({ name, policy: undefined, expiresAt });
      unreadable.push({ policy: name, problem: policy.message });
    }
  }
  const known = policies.flatMap(({ policy }) => policy ?? []);
  const length = known.reduce((sum, policy) => sum + policy.length, 0);
  const paths = known.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const excess = excessOf({ length, paths });
  if (excess !== undefined) return tooMuch(excess);
  const common = yield* commonRules(policies, now);
  const bytes = policyBytes({ length, paths }) + paths * RULE_BYTES;
  return { policies, missing, unreadable, common, bytes, excess };
}

/** Returns the estimated heap of parsed policies. Rather too large. */
export const policyBytes = ({ length, paths }: PolicyLimits): number => length * CHARACTER_BYTES + paths * RULE_BYTES;

/** Returns the estimated heap of the rules of these statements. Rather too large. */
export const ruleBytes = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { block }) => sum + RULE_BYTES + block.values * VALUE_BYTES, 0);

const NOTHING = runAtOnce(commonRules([], 0));

/** Returns a set that allows nothing, for policies that exceed the limits of a token. */
export function tooMuch(excess: string): PolicySet {
  return { policies: [], missing: [], unreadable: [], common: NOTHING, bytes: 0, excess };
}

/** Returns why policies exceed the limits of a token, or undefined. */
export function excessOf({ length, paths }: PolicyLimits): string | undefined {
  if (length > TOKEN_POLICY_LIMITS.length) return tellExcess(TOKEN_POLICY_LIMITS.length, 'characters');
  return paths > TOKEN_POLICY_LIMITS.paths ? tellExcess(TOKEN_POLICY_LIMITS.paths, 'paths') : undefined;
}

/** Returns the message for the holder of the token and for the log. */
export const tellExcess = (most: number, what: string): string =>
  `the policies of a token may have at most ${most} ${what} together; these have more, so nothing is allowed`;
