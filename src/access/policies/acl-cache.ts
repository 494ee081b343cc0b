import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { Acl } from './acl.ts';
import { buildAcl } from './build-acl.ts';
import { ROOT } from './built-in.ts';
import { normalizePolicies } from './names.ts';
import type { Policy } from './policy.ts';
import { type PolicySet, policySet } from './policy-set.ts';
import { readPolicy } from './read-policy.ts';
import type { TemplateIdentity } from './template.ts';

/** Path blocks that are kept in memory, in sets of policies and again in access lists made of them. */
const MAX_BLOCKS = 200_000;
const MAX_ENTRIES = 5_000;
/** Of policy texts that are kept in read form, by their content. */
const MAX_TEXT = 32 * 1024 * 1024;

/** Keeps what policies come to: read once for each text, put together once for each set of names. */
export class AclCache {
  readonly #clock: Clock;
  readonly #textOf: (name: string) => Promise<string | undefined>;
  readonly #policies = new LRUCache<string, { policy: Policy }>({ max: MAX_ENTRIES, maxSize: MAX_TEXT });
  readonly #sets = new LRUCache<string, PolicySet>({ max: MAX_ENTRIES, maxSize: MAX_BLOCKS });
  readonly #acls = new LRUCache<string, Acl>({ max: MAX_ENTRIES, maxSize: MAX_BLOCKS });
  readonly #loading = new Map<string, Promise<PolicySet>>();

  /** @param textOf a policy by its normalized name; undefined when there is none */
  constructor(textOf: (name: string) => Promise<string | undefined>, clock: Clock) {
    this.#textOf = textOf;
    this.#clock = clock;
  }

  /** @param identity asked for only when a policy has templates */
  async aclOf(
    names: readonly string[],
    version: number,
    identity: () => Promise<TemplateIdentity | undefined>,
  ): Promise<Acl> {
    const normalized = normalizePolicies(names);
    if (normalized.length === 1 && normalized[0] === ROOT) return Acl.root;
    const set = await this.set(normalized, version);
    const who = set.templated ? await identity() : undefined;
    return this.#built(set, keyOf(normalized, version, set.templated ? who : null), who);
  }

  /**
   * What is behind the names at this version or later, never before: who calls has read the version already. `root` grants
   * nothing beside others.
   */
  async set(normalized: readonly string[], version: number): Promise<PolicySet> {
    const key = keyOf(normalized, version, null);
    const known = this.#sets.get(key);
    if (known) return known;
    const loading = this.#loading.get(key) ?? this.#load(normalized, key);
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(normalized: readonly string[], key: string): Promise<PolicySet> {
    try {
      const named = normalized.filter((name) => name !== ROOT);
      const texts = await Promise.all(named.map(async (name) => [name, await this.#textOf(name)] as const));
      const set = policySet(new Map(texts), (text) => this.#read(text));
      this.#sets.set(key, set, { size: sizeOf(set.size) });
      return set;
    } finally {
      this.#loading.delete(key);
    }
  }

  #read(text: string): Policy {
    const key = digest(text);
    const known = this.#policies.get(key);
    if (known) return known.policy;
    const policy = readPolicy(text);
    this.#policies.set(key, { policy }, { size: text.length + 1 });
    return policy;
  }

  /** A block that expires makes the access list anew at that moment. */
  #built(set: PolicySet, key: string, who: TemplateIdentity | undefined): Acl {
    const now = this.#clock();
    const known = this.#acls.get(key);
    if (known && known.validUntil > now) return known;
    const acl = buildAcl(set.policies, who, now);
    this.#acls.set(key, acl, { size: sizeOf(set.size) });
    return acl;
  }
}

/** One of more blocks than all together may have is kept alone. */
const sizeOf = (blocks: number): number => Math.min(blocks + 1, MAX_BLOCKS);

function keyOf(names: readonly string[], version: number, who: TemplateIdentity | undefined | null): string {
  const identity = who ? digest(JSON.stringify(who)) : String(who);
  return JSON.stringify([version, identity, ...names]);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
