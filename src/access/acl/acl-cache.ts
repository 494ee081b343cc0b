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
import type { TemplateAllowance, TemplateIdentity, TemplateOwner, TemplateUses } from './template.ts';

/** Limits of the cache, in bytes of heap. Sizes are estimates that are rather too large. */
export const ACL_CACHE_LIMITS = {
  /**
   * Parsed policies.
   * @limit parsed policies in memory (estimated), bytes -> the least recently used policy is parsed again
   */
  policies: 64 * 1024 * 1024,
  /**
   * Policy sets of tokens. Parsed policies that they share with `policies` are counted again.
   * @limit policy sets of tokens in memory (estimated), bytes -> the least recently used set is built again
   */
  sets: 96 * 1024 * 1024,
  /**
   * ACLs, each with the rules that apply to one entity only.
   * @limit ACLs in memory (estimated), bytes -> the least recently used ACL is built again
   */
  acls: 32 * 1024 * 1024,
};
/** @limit entries in each cache of policies and policy sets, entries -> the least recently used one is built again */
const MAX_ENTRIES = 5_000;
const ENTRY_BYTES = 500;
/** Number of policies that are loaded concurrently. */
const SOURCES_AT_ONCE = 8;

/** A policy set with its cache key. */
interface KeptSet {
  /** Digest of the policies in the set. */
  readonly key: string;
  readonly set: PolicySet;
}

/** A stored policy. */
export interface PolicySource {
  readonly text: string;
  /** Characters that values in its templates may contain. */
  readonly allowance: TemplateAllowance;
  /** Expiry, milliseconds since 1970. Null: the policy never expires. */
  readonly expiresAt: number | null;
}

/** An unsaved policy that is evaluated instead of the stored one of the same name. */
export interface PolicyDraft {
  /** Normalized name. */
  readonly name: string;
  readonly source: PolicySource;
}

interface NamedSource {
  readonly name: string;
  readonly source: PolicySource | undefined;
  /** Digest of the text. */
  readonly digest: string;
}

/**
 * Read-through cache of parsed policies, policy sets and ACLs. Keys are digests of the policy texts, so a change to
 * one policy does not discard the others. Work runs in slices, so that it does not block the event loop, and
 * concurrent callers share it.
 */
export class AclCache {
  readonly #clock: Clock;
  readonly #sourceOf: (name: string) => Promise<PolicySource | undefined>;
  /** Parsed policies by digest of their text. */
  readonly #policies = new LRUCache<string, Policy>({ max: MAX_ENTRIES, maxSize: ACL_CACHE_LIMITS.policies });
  /** Keys of policy sets by policy version and names. */
  readonly #keys = lruCache<string, string>(MAX_ENTRIES);
  readonly #sets: LRUCache<string, PolicySet>;
  /** ACLs by the key of their set and, with templates, the identity. */
  readonly #acls = new LRUCache<string, Acl>({ max: MAX_ENTRIES, maxSize: ACL_CACHE_LIMITS.acls });
  readonly #reading = new SharedWork<Policy>();
  readonly #loading = new SharedWork<KeptSet>();
  readonly #joining = new SharedWork<PolicySet>();
  readonly #building = new SharedWork<Acl>();

  /** @param sourceOf returns a policy by its normalized name; undefined if there is none or it has expired */
  constructor(sourceOf: (name: string) => Promise<PolicySource | undefined>, clock: Clock) {
    this.#sourceOf = sourceOf;
    this.#clock = clock;
    // ACLs keep their set in memory. When a set is evicted, the ACLs go too, so that no uncounted memory stays.
    const dispose = () => this.#acls.clear();
    this.#sets = new LRUCache({ max: MAX_ENTRIES, maxSize: ACL_CACHE_LIMITS.sets, dispose });
  }

  /**
   * Returns the ACL of some policies.
   * @param identity called only if a policy has templates of the identity
   * @param draft replaces the stored policy of its name
   * @param metadata of the token; undefined if it is not from a login
   */
  async aclOf(
    names: readonly string[],
    version: number,
    identity: () => Promise<TemplateIdentity | undefined>,
    draft?: PolicyDraft,
    metadata?: TemplateOwner['metadata'],
  ): Promise<Acl> {
    if (names.length > MAX_TOKEN_POLICIES) return TOO_MANY;
    const normalized = normalizePolicies(names);
    if (normalized.length === 1 && normalized[0] === ROOT) return Acl.root;
    const kept = await this.#kept(normalized, version, draft);
    const { uses } = kept.set.common;
    const owner = { identity: uses.identity ? await identity() : undefined, metadata: usedOf(uses, metadata) };
    const key = owner.identity || owner.metadata ? `${kept.key} ${digest(JSON.stringify(owner))}` : kept.key;
    const known = this.#acls.get(key);
    if (known && known.validUntil > this.#clock()) return known;
    return this.#building.once(key, () => this.#build(key, kept, owner));
  }

  /**
   * Returns the policies with some names, at this version or later. The caller has read the version before. `root`
   * adds nothing to other policies.
   */
  async set(names: readonly string[], version: number, draft?: PolicyDraft): Promise<PolicySet> {
    if (names.length > MAX_TOKEN_POLICIES) return tooMuch(TOO_MANY_POLICIES);
    return (await this.#kept(normalizePolicies(names), version, draft)).set;
  }

  /**
   * Parses a policy, or returns the cached result.
   * @throws PolicyError
   */
  read(text: string): Promise<Policy> {
    return this.#read(digest(text), text);
  }

  async #kept(normalized: readonly string[], version: number, draft?: PolicyDraft): Promise<KeptSet> {
    // A set with a draft is not cached under the names: other callers would get the draft instead of the stored
    // policy.
    if (draft && normalized.includes(draft.name)) return this.#put(await this.#sourcesOf(normalized, draft));
    const names = JSON.stringify([version, ...normalized]);
    const key = this.#keys.get(names);
    const set = key === undefined ? undefined : this.#setOf(key);
    return key !== undefined && set ? { key, set } : this.#loading.once(names, () => this.#load(names, normalized));
  }

  /** Returns a cached set, unless a policy or a block in it has expired. */
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

  /** Loads policies, and stops when they exceed the limit of a token. */
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

  async #build(key: string, { set }: KeptSet, owner: TemplateOwner): Promise<Acl> {
    if (set.excess !== undefined) return new Acl({ excess: set.excess });
    const acl = await runInSlices(buildAcl(set.common, owner));
    this.#acls.set(key, acl, { size: ruleBytes(set.common.templated) + ENTRY_BYTES });
    return acl;
  }
}

/** Returns the part of the metadata that templates use. Other metadata is different for each token. */
function usedOf({ metadataKeys }: TemplateUses, metadata: TemplateOwner['metadata']): TemplateOwner['metadata'] {
  if (metadataKeys.length === 0 || !metadata) return undefined;
  const used = metadataKeys.filter((key) => Object.hasOwn(metadata, key));
  return Object.fromEntries(used.map((key) => [key, metadata[key] as string]));
}

const TOO_MANY_POLICIES = tellExcess(MAX_TOKEN_POLICIES, 'names');
const TOO_MANY = new Acl({ excess: TOO_MANY_POLICIES });

const lengthOf = (sources: readonly NamedSource[]): number =>
  sources.reduce((sum, { source }) => sum + (source?.text.length ?? 0), 0);

/** Returns everything that distinguishes two policies, for the cache key. */
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
