import type { NamedPolicy } from './build-acl.ts';
import { PolicyError } from './language/policy-error.ts';
import type { Policy } from './policy.ts';

/** A stored text that cannot be read, and why. */
export interface Unreadable {
  readonly policy: string;
  readonly problem: string;
}

/** What is behind some policy names at one version. */
export interface PolicySet {
  readonly policies: readonly NamedPolicy[];
  /** Names that no policy has. They grant nothing. */
  readonly missing: readonly string[];
  readonly unreadable: readonly Unreadable[];
  /** Whether who is asking matters. */
  readonly templated: boolean;
  /** The number of blocks. */
  readonly size: number;
}

/** @param texts of each name; undefined for a name without a policy */
export function policySet(texts: ReadonlyMap<string, string | undefined>, read: (text: string) => Policy): PolicySet {
  const policies: NamedPolicy[] = [];
  const missing: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const [name, text] of texts) {
    if (text === undefined) {
      missing.push(name);
      continue;
    }
    const policy = attempt(name, () => read(text), unreadable);
    policies.push({ name, policy });
  }
  const known = policies.flatMap(({ policy }) => policy ?? []);
  return {
    policies,
    missing,
    unreadable,
    templated: known.some((policy) => policy.templated),
    size: known.reduce((sum, policy) => sum + policy.blocks.length, 0),
  };
}

/** What is stored was readable when it was written, by the program of that day. */
function attempt(policy: string, read: () => Policy, unreadable: Unreadable[]): Policy | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    unreadable.push({ policy, problem: error.message });
    return undefined;
  }
}
