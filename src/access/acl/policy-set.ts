import { runAtOnce, type Steps } from '../../lib/slices.ts';
import { type CommonRules, commonRules, type NamedPolicy } from './build-acl.ts';
import { PolicyError } from './language/policy-error.ts';
import type { Policy } from './policy.ts';
import type { PolicyLimits } from './read-policy.ts';
import type { Statement } from './rule.ts';

/** What the policies of one token may amount to, all of them together. Beyond it they allow nothing. */
export const TOKEN_POLICY_LIMITS: PolicyLimits = {
  /** @limit the policies of one token together, characters -> 403, which says so */
  length: 2 * 1024 * 1024,
  /** @limit the paths of the policies of one token together, paths -> 403, which says so */
  paths: 20_000,
};

/** Of heap, estimated upwards: for a rule, for a value in it, and for a character of text, which may be a value. */
const RULE_BYTES = 700;
const VALUE_BYTES = 100;
const CHARACTER_BYTES = 12;

/** A policy as it was found. */
export interface FoundPolicy extends Pick<NamedPolicy, 'allowance' | 'expiresAt'> {
  readonly name: string;
  /** Undefined: there is none. An error: there is a text, and it cannot be read. */
  readonly policy: Policy | PolicyError | undefined;
}

/** A stored text that cannot be read, and why. */
interface Unreadable {
  readonly policy: string;
  readonly problem: string;
}

/** What is behind some policy names. */
export interface PolicySet {
  readonly policies: readonly NamedPolicy[];
  /** Names that no policy has. They grant nothing. */
  readonly missing: readonly string[];
  readonly unreadable: readonly Unreadable[];
  readonly common: CommonRules;
  /** Estimated. */
  readonly bytes: number;
  /** Why the policies were not put together. */
  readonly excess: string | undefined;
}

/** What is stored was readable when it was written, by the program of that day. */
export function* policySet(found: readonly FoundPolicy[], now: number): Steps<PolicySet> {
  const policies: NamedPolicy[] = [];
  const missing: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const { name, policy, allowance, expiresAt } of found) {
    // It may have expired since it was read.
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

/** Of policies in read form, estimated upwards. */
export const policyBytes = ({ length, paths }: PolicyLimits): number => length * CHARACTER_BYTES + paths * RULE_BYTES;

/** Of rules made of these, estimated upwards. */
export const ruleBytes = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { block }) => sum + RULE_BYTES + block.values * VALUE_BYTES, 0);

const NOTHING = runAtOnce(commonRules([], 0));

/** A set that allows nothing: behind its names is more than one token may have. */
export function tooMuch(excess: string): PolicySet {
  return { policies: [], missing: [], unreadable: [], common: NOTHING, bytes: 0, excess };
}

/** Why policies are more than one token may have; undefined when they are not. */
export function excessOf({ length, paths }: PolicyLimits): string | undefined {
  if (length > TOKEN_POLICY_LIMITS.length) return tellExcess(TOKEN_POLICY_LIMITS.length, 'characters');
  return paths > TOKEN_POLICY_LIMITS.paths ? tellExcess(TOKEN_POLICY_LIMITS.paths, 'paths') : undefined;
}

/** For the holder of the token and for the log. */
export const tellExcess = (most: number, what: string): string =>
  `the policies of a token have at most ${most} ${what} together; these have more, so nothing is allowed`;
