import { runAtOnce } from '../../lib/slices.ts';
import { PolicyError } from './language/policy-error.ts';
import { readPolicy } from './read-policy.ts';

/** Result of a check of a policy outside of a server. */
export interface CheckedPolicy {
  /** The first fault, with its position; undefined for a valid policy. */
  readonly error: string | undefined;
  readonly warnings: readonly string[];
  /** Number of paths. */
  readonly paths: number;
}

/** Checks the text of a policy as a server does when it is written. */
export function checkPolicy(text: string): CheckedPolicy {
  try {
    const { blocks, warnings } = runAtOnce(readPolicy(text));
    return { error: undefined, warnings, paths: blocks.length };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return { error: error.message, warnings: [], paths: 0 };
  }
}
