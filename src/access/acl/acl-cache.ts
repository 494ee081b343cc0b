import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { lruCache } from '../../lib/lru-cache.ts';
import { SharedWork } from '../../lib/shared-work.ts';
import { runInSlices, yieldIfDue } from '../../lib/slices.ts';
import { Acl } from './acl.ts';
import { buildAcl } from './build-acl.ts';
import { PolicyError } from './language/policy-error.ts';
import type { Policy } from './policy.ts';
import { MAX_TOKEN_POLICIES, normalizePolicies, ROOT } from './policy-names.ts';
import {
  excessOf,
  type FoundPolicy,
  type PolicySet,
  policyBytes,
  policySet,
  ruleBytes,
  TOKEN_POLICY_LIMITS,
  tellExcess,
  tooMuch,
} from './policy-set.ts';
import { readPolicy } from './read-policy.ts';
import type { TemplateAllowance, TemplateIdentity } from './template.ts';

/** Bytes of heap that are kept, estimated upwards. */
export const ACL_CACHE_LIMITS = {
  /**
   * Policies in read form.
   * @limit policies in memory in read form, estimated, bytes -> what was unused for longest is read again
   */
  policies: 64 * 1024 * 1024,
  /**
   * Policies put together; what they share with those above counts again.
   * @limit policies of tokens put together in memory, estimated, bytes -> what was unused for longest is put together again
   */
  sets: 96 * 1024 * 1024,
  /**
   * Access lists, each with what is in it of one identity alone.
   * @limit access lists in memory, estimated, bytes -> what was unused for longest is made again
   */
  acls: 32 * 1024 * 1024,
};
/** @limit policies in memory, and sets of them, entries -> what was unused for longest is read again */
const MAX_ENTRIES = 5_000;
const ENTRY_BYTES = 500;
/** Policies that are asked for at a time. */
const SOURCES_AT_ONCE = 8;

/** A set of policies, and what it is kept under. */
interface KeptSet {
  /** Of the policies that it was made of. */
  readonly key: string;
  readonly set: PolicySet;
}

/** A policy as it is stored. */
export interface PolicySource {
  readonly text: string;
  /** What values of its templates may hold. */
  readonly allowance: TemplateAllowance;
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** What a policy of a name would be: it is asked about and not stored. */
export interface PolicyDraft {
  /** Normalized. */
  readonly name: string;
  readonly source: PolicySource;
}

interface NamedSource {
  readonly name: string;
  readonly source: PolicySource | undefined;
  /** Of the text. */
  readonly digest: string;
}

/**
 * Keeps what policies come to: read once for each text, put together once for each set of texts, whatever else in the
 * policies changes. All of it is done in slices, and once for all who ask at the same time.
 */
export class AclCache {
  readonly #clock: Clock;
  readonly #sourceOf: (name: string) => Promise<PolicySource | undefined>;
  /** By their text. */
  readonly #policies = new LRUCache<string, Policy>({ max: MAX_ENTRIES, maxSize: ACL_CACHE_LIMITS.policies });
  /** What names stand for at a version: the key of a set. */
  readonly #keys = lruCache<string, string>(MAX_ENTRIES);
  readonly #sets: LRUCache<string, PolicySet>;
  /** By the key of the set and who is asking. */
  readonly #acls = new LRUCache<string, Acl>({ max: MAX_ENTRIES, maxSize: ACL_CACHE_LIMITS.acls });
  readonly #reading = new SharedWork<Policy>();
  readonly #loading = new SharedWork<KeptSet>();
  readonly #joining = new SharedWork<PolicySet>();
  readonly #building = new SharedWork<Acl>();

  /** @param sourceOf a policy by its normalized name; undefined when there is none, or it has expired */
  constructor(sourceOf: (name: string) => Promise<PolicySource | undefined>, clock: Clock) {
    this.#sourceOf = sourceOf;
    this.#clock = clock;
    // An access list holds on to what it was made of, which must not be there without being counted.
    const dispose = () => this.#acls.clear();
    this.#sets = new LRUCache({ max: MAX_ENTRIES, maxSize: ACL_CACHE_LIMITS.sets, dispose });
  }

  /**
   * @param identity asked for only when a policy has templates
   * @param draft stands in place of what is stored under its name
   */
  async aclOf(
    names: readonly string[],
    version: number,
    identity: () => Promise<TemplateIdentity | undefined>,
    draft?: PolicyDraft,
  ): Promise<Acl> {
    if (names.length > MAX_TOKEN_POLICIES) return TOO_MANY;
    const normalized = normalizePolicies(names);
    if (normalized.length === 1 && normalized[0] === ROOT) return Acl.root;
    const kept = await this.#kept(normalized, version, draft);
    const who = kept.set.common.templated.length > 0 ? await identity() : undefined;
    const key = who ? `${kept.key} ${digest(JSON.stringify(who))}` : kept.key;
    const known = this.#acls.get(key);
    if (known && known.validUntil > this.#clock()) return known;
    return this.#building.once(key, () => this.#build(key, kept, who));
  }

  /**
   * What is behind the names at this version or later, never before: who calls has read the version already. `root` grants
   * nothing beside others.
   */
  async set(names: readonly string[], version: number, draft?: PolicyDraft): Promise<PolicySet> {
    if (names.length > MAX_TOKEN_POLICIES) return tooMuch(TOO_MANY_POLICIES);
    return (await this.#kept(normalizePolicies(names), version, draft)).set;
  }

  /**
   * A policy in read form.
   * @throws PolicyError
   */
  read(text: string): Promise<Policy> {
    return this.#read(digest(text), text);
  }

  async #kept(normalized: readonly string[], version: number, draft?: PolicyDraft): Promise<KeptSet> {
    // By what is in it: under the names alone it would be found by who means what is stored.
    if (draft && normalized.includes(draft.name)) return this.#put(await this.#sourcesOf(normalized, draft));
    const names = JSON.stringify([version, ...normalized]);
    const key = this.#keys.get(names);
    const set = key === undefined ? undefined : this.#setOf(key);
    return key !== undefined && set ? { key, set } : this.#loading.once(names, () => this.#load(names, normalized));
  }

  /** Not one with a policy or a block that has expired meanwhile. */
  #setOf(key: string): PolicySet | undefined {
    const set = this.#sets.get(key);
    return set && set.common.validUntil > this.#clock() ? set : undefined;
  }

  async #load(names: string, normalized: readonly string[]): Promise<KeptSet> {
    const kept = await this.#put(await this.#sourcesOf(normalized));
    this.#keys.set(names, kept.key);
    return kept;
  }

  async #put(sources: readonly NamedSource[]): Promise<KeptSet> {
    const key = digest(JSON.stringify(sources.map(identified)));
    return { key, set: this.#setOf(key) ?? (await this.#joining.once(key, () => this.#join(key, sources))) };
  }

  /** No further ones when they are more than one token may have already. */
  async #sourcesOf(normalized: readonly string[], draft?: PolicyDraft): Promise<NamedSource[]> {
    const names = normalized.filter((name) => name !== ROOT);
    const sources: NamedSource[] = [];
    for (let at = 0; at < names.length && lengthOf(sources) <= TOKEN_POLICY_LIMITS.length; at += SOURCES_AT_ONCE) {
      const some = names.slice(at, at + SOURCES_AT_ONCE);
      const sourceOf = (name: string) => (name === draft?.name ? draft.source : this.#sourceOf(name));
      const found = await Promise.all(some.map(async (name) => ({ name, source: await sourceOf(name) })));
      for (const { name, source } of found) {
        sources.push({ name, source, digest: source === undefined ? '' : digest(source.text) });
        await yieldIfDue();
      }
    }
    return sources;
  }

  async #join(key: string, sources: readonly NamedSource[]): Promise<PolicySet> {
    const excess = excessOf({ length: lengthOf(sources), paths: 0 });
    const set =
      excess === undefined ? await runInSlices(policySet(await this.#found(sources), this.#clock())) : tooMuch(excess);
    this.#sets.set(key, set, { size: set.bytes + ENTRY_BYTES });
    return set;
  }

  async #found(sources: readonly NamedSource[]): Promise<FoundPolicy[]> {
    const found: FoundPolicy[] = [];
    for (const { name, source, digest } of sources) {
      const policy = source && (await this.#read(digest, source.text).catch(unreadable));
      found.push({ name, policy, allowance: source?.allowance, expiresAt: source?.expiresAt ?? undefined });
    }
    return found;
  }

  async #read(key: string, text: string): Promise<Policy> {
    const known = this.#policies.get(key);
    if (known) return known;
    return this.#reading.once(key, async () => {
      const policy = await runInSlices(readPolicy(text));
      const size = policyBytes({ length: policy.length, paths: policy.blocks.length }) + ENTRY_BYTES;
      this.#policies.set(key, policy, { size });
      return policy;
    });
  }

  async #build(key: string, { set }: KeptSet, who: TemplateIdentity | undefined): Promise<Acl> {
    if (set.excess !== undefined) return new Acl({ excess: set.excess });
    const acl = await runInSlices(buildAcl(set.common, who));
    this.#acls.set(key, acl, { size: ruleBytes(set.common.templated) + ENTRY_BYTES });
    return acl;
  }
}

const TOO_MANY_POLICIES = tellExcess(MAX_TOKEN_POLICIES, 'names');
const TOO_MANY = new Acl({ excess: TOO_MANY_POLICIES });

const lengthOf = (sources: readonly NamedSource[]): number =>
  sources.reduce((sum, { source }) => sum + (source?.text.length ?? 0), 0);

/** All that a policy can be told from another by: what is kept of it must not stand for that. */
const identified = ({ name, source, digest }: NamedSource) => [
  name,
  digest,
  source && [source.allowance.wildcards, source.allowance.slashes, source.expiresAt],
];

function unreadable(error: unknown): PolicyError {
  if (error instanceof PolicyError) return error;
  throw error;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
