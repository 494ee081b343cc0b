import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Database } from '../../storage/index.ts';
import {
  type Acl,
  AclCache,
  PLAIN_VALUES,
  type Policy,
  type PolicyDraft,
  PolicyError,
  type PolicySet,
  policyName,
  ROOT,
  type TemplateIdentity,
  type TemplateOwner,
} from '../acl/index.ts';
import { BUILT_IN, DEFAULT, IMMUTABLE, LISTED } from './built-in.ts';
import { type PolicyRecord, PolicyStore } from './policy-store.ts';
import { policyUses } from './policy-uses.ts';

/** @limit the name of a policy, characters -> 400 */
const MAX_NAME = 256;
/** Text that sorts after every name. */
const BEHIND_ALL = '\u{10ffff}';
/** The character after the slash. */
const AFTER_SLASH = '0';

/** Settings of a policy, besides its text. */
export type PolicySettings = Pick<PolicyRecord, 'casRequired' | 'allowance' | 'expiresAt'>;

/** Default settings. */
export const UNSAID: PolicySettings = { casRequired: false, allowance: PLAIN_VALUES, expiresAt: null };
/** Check-and-set version of a policy that must not exist. */
const ABSENT = -1;

/** Stores policies and evaluates them. Normalizes every name before any comparison. */
export class PolicyService {
  readonly #database: Database;
  readonly #store: PolicyStore;
  readonly #cache: AclCache;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#store = new PolicyStore(database);
    this.#cache = new AclCache((name) => this.find(name), clock);
    this.#clock = clock;
  }

  /** Returns `most` names after `after`, in order, built-in ones included. */
  async names(after: string, most: number): Promise<string[]> {
    const stored = await this.#store.names({ after, most, from: '', to: BEHIND_ALL }, this.#clock());
    const builtIn = LISTED.filter((name) => name > after && !stored.includes(name));
    return [...stored, ...builtIn].sort().slice(0, most);
  }

  /** Returns `most` names after `after` that start with this name and a slash. */
  namesBelow(name: string, after: string, most: number): Promise<string[]> {
    const range = { from: `${policyName(name)}/`, to: policyName(name) + AFTER_SLASH };
    return this.#store.names({ after, most, ...range }, this.#clock());
  }

  /** Returns undefined if the policy does not exist or has expired. */
  async find(name: string): Promise<PolicyRecord | undefined> {
    const normalized = policyName(name);
    return (await this.#store.find(normalized, this.#clock())) ?? builtIn(normalized);
  }

  /** Returns undefined if the policy does not exist. The text of `root` is empty. */
  async text(name: string): Promise<string | undefined> {
    return (await this.find(name))?.text;
  }

  /**
   * Writes a policy. Absent settings get their default.
   * @param cas required version; -1: the policy must not exist; undefined: any
   * @returns warnings about parts that may not have the intended effect
   * @throws AppError bad-request
   */
  async write(name: string, text: string, settings = UNSAID, cas?: number): Promise<readonly string[]> {
    const normalized = writableName(name);
    this.#assertTimely(normalized, settings);
    const { warnings } = await this.#read(text);
    const now = this.#clock();
    await this.#store.change(normalized, now, (stored) => {
      const known = stored ?? builtIn(normalized);
      assertExpected(known, cas, settings);
      return { text, ...settings, version: (known?.version ?? 0) + 1, modifiedAt: now };
    });
    return warnings;
  }

  /**
   * Updates parts of a policy. Fails if another request has written it meanwhile.
   * @throws AppError bad-request; not-found
   */
  async patch(
    name: string,
    changes: (known: PolicyRecord) => Partial<PolicySettings & Pick<PolicyRecord, 'text'>>,
    cas?: number,
  ): Promise<readonly string[]> {
    const known = await this.find(name);
    if (!known) throw new AppError('not-found', 'policy not found');
    const { text, casRequired, allowance, expiresAt, version } = { ...known, ...changes(known) };
    return this.write(name, text, { casRequired, allowance, expiresAt }, cas ?? version);
  }

  /**
   * Deletes a policy. Does nothing if it does not exist. Tokens keep its name and lose its permissions.
   * @throws AppError bad-request
   */
  async remove(name: string): Promise<void> {
    const normalized = policyName(name);
    if (IMMUTABLE.has(normalized)) throw new AppError('bad-request', `cannot delete "${normalized}" policy`);
    if (normalized === DEFAULT) throw new AppError('bad-request', 'cannot delete default policy');
    await this.#store.remove(normalized);
  }

  /** Returns the version, which every write to any policy increments. */
  version(): Promise<number> {
    return this.#store.version();
  }

  /**
   * Returns the ACL of some policies. A missing policy grants nothing; `root` has an effect only without other
   * policies.
   * @param version version that the caller has read before
   * @param identity called only if a policy has templates
   * @param draft replaces the stored policy of its name
   * @param metadata of the token; undefined if it is not from a login
   */
  aclOf(
    names: readonly string[],
    version: number,
    identity: () => Promise<TemplateIdentity | undefined>,
    draft?: PolicyDraft,
    metadata?: TemplateOwner['metadata'],
  ): Promise<Acl> {
    return this.#cache.aclOf(names, version, identity, draft, metadata);
  }

  /** Returns the policies with some names, and their faults. */
  setOf(names: readonly string[], version: number, draft?: PolicyDraft): Promise<PolicySet> {
    return this.#cache.set(names, version, draft);
  }

  /**
   * Returns a policy with another text, or a new one. Template settings stay.
   * @throws AppError bad-request
   */
  async draft(name: string, text: string): Promise<PolicyDraft> {
    const normalized = writableName(name);
    await this.#read(text);
    const known = await this.find(normalized);
    return { name: normalized, source: { text, allowance: known?.allowance ?? PLAIN_VALUES, expiresAt: null } };
  }

  /** Returns the users of a policy name. The policy need not exist. */
  uses(name: string): Promise<Record<string, unknown>> {
    return policyUses(this.#database, policyName(name));
  }

  /** Removes the rows of expired policies. */
  sweep(): Promise<void> {
    return this.#store.sweep(this.#clock());
  }

  #assertTimely(name: string, { expiresAt }: PolicySettings): void {
    if (expiresAt === null) return;
    if (name === DEFAULT) throw new AppError('bad-request', 'the default policy cannot expire');
    if (expiresAt <= this.#clock())
      throw new AppError('bad-request', 'refusing to update policy as expiration time has already elapsed');
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

/** Returns a built-in policy that was never written. */
function builtIn(name: string): PolicyRecord | undefined {
  const text = BUILT_IN.get(name);
  return text === undefined ? undefined : { text, ...UNSAID, version: name === ROOT ? 0 : 1, modifiedAt: null };
}

/** @throws AppError bad-request if the current version is not the required one */
function assertExpected(known: PolicyRecord | undefined, cas: number | undefined, settings: PolicySettings): void {
  const refused = (text: string) => new AppError('bad-request', `check-and-set parameter ${text}`);
  if (cas === undefined) {
    if (known?.casRequired || settings.casRequired) throw refused('required for this call');
  } else if (cas === ABSENT) {
    if (known) throw refused('set to -1 on existing entry');
  } else if (cas !== (known?.version ?? 0)) {
    throw refused('did not match the current version');
  }
}
