import type { Capability } from './policy.ts';

/** What settled a request. */
export type Reason =
  | 'root'
  /** The operation needs no token, so no policy is asked. */
  | 'open'
  | 'granted'
  /** No path of any policy fits. */
  | 'no-rule'
  /** The path is denied. */
  | 'denied'
  /** The path is not given this capability. */
  | 'capability'
  | 'sudo'
  | 'wrapping'
  | 'parameters'
  /** A stored policy cannot be read: nothing is known of what it denies. */
  | 'unreadable-policy'
  /** There is more of the policies than one token may have: they were not put together. */
  | 'too-much-policy';

/** What one block of one policy says about the path. */
export interface DecidingBlock {
  readonly policy: string;
  /** As written: with its templates. */
  readonly path: string;
  readonly line: number;
  readonly capabilities: readonly Capability[];
}

/** The rule that decided, as it may be shown. */
export interface DecidingRule {
  readonly path: string;
  /** Those that say something about this very path, by name. */
  readonly policies: readonly string[];
  /** What they come to together. */
  readonly capabilities: readonly Capability[];
  readonly blocks: readonly DecidingBlock[];
}

/** A rule that the path fits too, and why it did not count. */
export interface OverriddenRule extends DecidingRule {
  readonly because: string;
}

/** What came of a request, and why. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: Reason;
  /** One sentence. */
  readonly detail: string;
  readonly rule?: DecidingRule;
  /** The most specific first. */
  readonly overridden: readonly OverriddenRule[];
}
