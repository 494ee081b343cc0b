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
} from '../acl/index.ts';
import { BUILT_IN, DEFAULT, IMMUTABLE, LISTED } from './built-in.ts';
import { type PolicyRecord, PolicyStore } from './policy-store.ts';
import { policyUses } from './policy-uses.ts';

/** @limit the name of a policy, characters -> 400 */
const MAX_NAME = 256;
/** Sorts behind every name. */
const BEHIND_ALL = '\u{10ffff}';
/** The character after the slash. */
const AFTER_SLASH = '0';

/** What may be said of a policy besides its text. */
export type PolicySettings = Pick<PolicyRecord, 'casRequired' | 'allowance' | 'expiresAt'>;

/** Those of a policy of which nothing is said but its text. */
export const UNSAID: PolicySettings = { casRequired: false, allowance: PLAIN_VALUES, expiresAt: null };
/** For check-and-set: there must be nothing yet. */
const ABSENT = -1;

/** Keeps the policies, and says what they allow. Every name is normalized here before it is compared. */
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

  /** In order: `most` of those behind `after`, the built-in ones among them. */
  async names(after: string, most: number): Promise<string[]> {
    const stored = await this.#store.names({ after, most, from: '', to: BEHIND_ALL }, this.#clock());
    const builtIn = LISTED.filter((name) => name > after && !stored.includes(name));
    return [...stored, ...builtIn].sort().slice(0, most);
  }

  /** The same of those whose names begin with this one and a slash. */
  namesBelow(name: string, after: string, most: number): Promise<string[]> {
    const range = { from: `${policyName(name)}/`, to: policyName(name) + AFTER_SLASH };
    return this.#store.names({ after, most, ...range }, this.#clock());
  }

  /** Undefined when there is no such policy, or it has expired. */
  async find(name: string): Promise<PolicyRecord | undefined> {
    const normalized = policyName(name);
    return (await this.#store.find(normalized, this.#clock())) ?? builtIn(normalized);
  }

  /** Undefined when there is no such policy. Of `root`: empty. */
  async text(name: string): Promise<string | undefined> {
    return (await this.find(name))?.text;
  }

  /**
   * What is not said of the policy is as in a new one.
   * @param cas the version that must be there; -1: none at all; undefined: whatever is there
   * @returns what in it cannot have the effect that its author may expect
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
   * Writes what is said; everything else stays, unless somebody else has written the policy meanwhile.
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
   * @param draft counts in place of what is stored under its name
   */
  aclOf(
    names: readonly string[],
    version: number,
    identity: () => Promise<TemplateIdentity | undefined>,
    draft?: PolicyDraft,
  ): Promise<Acl> {
    return this.#cache.aclOf(names, version, identity, draft);
  }

  /** What is behind the names, and what is wrong with it. */
  setOf(names: readonly string[], version: number, draft?: PolicyDraft): Promise<PolicySet> {
    return this.#cache.set(names, version, draft);
  }

  /**
   * A policy as it would be with another text, or a new one. What else is set of it stays.
   * @throws AppError bad-request
   */
  async draft(name: string, text: string): Promise<PolicyDraft> {
    const normalized = writableName(name);
    await this.#read(text);
    const known = await this.find(normalized);
    return { name: normalized, source: { text, allowance: known?.allowance ?? PLAIN_VALUES, expiresAt: null } };
  }

  /** Who gives the policy to tokens. Of a name that no policy has, too. */
  uses(name: string): Promise<Record<string, unknown>> {
    return policyUses(this.#database, policyName(name));
  }

  /** Removes what is left of policies that have expired: they count for nothing already. */
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

/** Every installation begins with these: written once, by nobody. */
function builtIn(name: string): PolicyRecord | undefined {
  const text = BUILT_IN.get(name);
  return text === undefined ? undefined : { text, ...UNSAID, version: name === ROOT ? 0 : 1, modifiedAt: null };
}

/** @throws AppError bad-request when what is there is not what the caller means */
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
