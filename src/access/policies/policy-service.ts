import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Database } from '../../storage/index.ts';
import type { Acl } from './acl.ts';
import { AclCache } from './acl-cache.ts';
import { BUILT_IN, DEFAULT, IMMUTABLE, LISTED } from './built-in.ts';
import { PolicyError } from './language/policy-error.ts';
import { policyName } from './names.ts';
import type { Policy } from './policy.ts';
import type { PolicySet } from './policy-set.ts';
import { PolicyStore } from './policy-store.ts';
import type { TemplateIdentity } from './template.ts';

/** @limit the name of a policy, characters -> 400 */
const MAX_NAME = 256;

/** Keeps the policies, and says what they allow. Every name is normalized here before it is compared. */
export class PolicyService {
  readonly #store: PolicyStore;
  readonly #cache: AclCache;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#store = new PolicyStore(database);
    this.#cache = new AclCache((name) => this.text(name), clock);
    this.#clock = clock;
  }

  /** In order: `most` of those behind `after`, the built-in ones among them. */
  async names(after: string, most: number): Promise<string[]> {
    const stored = await this.#store.names(after, most);
    const builtIn = LISTED.filter((name) => name > after && !stored.includes(name));
    return [...stored, ...builtIn].sort().slice(0, most);
  }

  /** Undefined when there is no such policy. Of `root`: empty. */
  async text(name: string): Promise<string | undefined> {
    const normalized = policyName(name);
    return (await this.#store.text(normalized)) ?? BUILT_IN.get(normalized);
  }

  /**
   * @returns what in it cannot have the effect that its author may expect
   * @throws AppError bad-request
   */
  async write(name: string, text: string): Promise<readonly string[]> {
    const normalized = writableName(name);
    const { warnings } = await this.#read(text);
    await this.#store.put(normalized, text, this.#clock());
    return warnings;
  }

  /**
   * A policy that is not there is removed already. Tokens keep its name and lose what it gave.
   * @throws AppError bad-request
   */
  async remove(name: string): Promise<void> {
    const normalized = policyName(name);
    if (IMMUTABLE.has(normalized)) throw new AppError('bad-request', `cannot delete "${normalized}" policy`);
    if (normalized === DEFAULT) throw new AppError('bad-request', 'cannot delete default policy');
    await this.#store.remove(normalized);
  }

  /** Grows with every write to any policy. */
  version(): Promise<number> {
    return this.#store.version();
  }

  /**
   * What policies allow together. One that is missing grants nothing; `root` counts alone only.
   * @param version as read before now; what was written until then is in the answer
   * @param identity asked for only when a policy has templates
   */
  aclOf(
    names: readonly string[],
    version: number,
    identity: () => Promise<TemplateIdentity | undefined>,
  ): Promise<Acl> {
    return this.#cache.aclOf(names, version, identity);
  }

  /** What is behind the names, and what is wrong with it. */
  setOf(names: readonly string[], version: number): Promise<PolicySet> {
    return this.#cache.set(names, version);
  }

  async #read(text: string): Promise<Policy> {
    try {
      return await this.#cache.read(text);
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      throw new AppError('bad-request', `failed to parse policy: ${error.message}`);
    }
  }
}

function writableName(name: string): string {
  const normalized = policyName(name);
  if (IMMUTABLE.has(normalized)) throw new AppError('bad-request', `cannot update "${normalized}" policy`);
  if (normalized === '') throw new AppError('bad-request', 'policy name must be provided in the URL');
  if (normalized.length > MAX_NAME || /[\p{Cc}\p{Zl}\p{Zp},]/u.test(normalized) || !normalized.isWellFormed()) {
    const rule = `at most ${MAX_NAME} characters, without commas and control characters`;
    throw new AppError('bad-request', `invalid policy name: ${rule}`);
  }
  return normalized;
}
