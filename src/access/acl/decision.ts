import type { Capability } from './policy.ts';

/** Why a request was allowed or refused. */
export type Reason =
  | 'root'
  /** The operation needs no token, so no policy applies. */
  | 'open'
  | 'granted'
  /** No path of any policy matches. */
  | 'no-rule'
  /** The path is denied. */
  | 'denied'
  /** The policies do not grant this capability on the path. */
  | 'capability'
  | 'sudo'
  | 'wrapping'
  | 'parameters'
  /** A stored policy cannot be parsed, so its denials are unknown. */
  | 'unreadable-policy'
  /** The policies exceed the limits of a token, so they are not evaluated. */
  | 'too-much-policy';

/** The permissions of one block of one policy. */
export interface DecidingBlock {
  readonly policy: string;
  /** The path as written, with templates. */
  readonly path: string;
  readonly line: number;
  readonly capabilities: readonly Capability[];
}

/** The rule that decided, in a form for an explanation. */
export interface DecidingRule {
  readonly path: string;
  /** Names of the policies with a block for this path. */
  readonly policies: readonly string[];
  /** Combined capabilities of all blocks. */
  readonly capabilities: readonly Capability[];
  readonly blocks: readonly DecidingBlock[];
}

/** A matching rule that a more specific one overrides, with the reason. */
export interface OverriddenRule extends DecidingRule {
  readonly because: string;
}

/** The result of a request's authorization, with the reason. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: Reason;
  /** Explanation in one sentence. */
  readonly detail: string;
  readonly rule?: DecidingRule;
  /** The most specific rule first. */
  readonly overridden: readonly OverriddenRule[];
}
