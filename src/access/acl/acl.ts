import type { Decision } from './decision.ts';
import { compareShapes, whyLess } from './path-shape.ts';
import type { Verb } from './policy.ts';
import { givesAnything, isDeny, isExactRule, type Rule, shownRule } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import { trimSlashes } from './trim-slashes.ts';
import { type AclRequest, verdict } from './verdict.ts';

export type { Decision } from './decision.ts';
export type { AclRequest } from './verdict.ts';

/** A block that does not apply, because its templates have no valid value or it has expired. */
export interface DroppedBlock {
  readonly policy: string;
  readonly path: string;
  readonly line: number;
  readonly because: string;
}

export interface AclContent {
  /** Rules for every identity, shared by many ACLs. */
  readonly rules?: RuleIndex;
  /** Rules for one identity. A rule here replaces the common rule of the same path. */
  readonly own?: RuleIndex;
  readonly dropped?: readonly DroppedBlock[];
  /** Names of policies whose stored text cannot be parsed. */
  readonly unreadable?: readonly string[];
  /** Why the policies are not evaluated: they exceed the limits of a token. */
  readonly excess?: string;
  /** First expiry of a policy or block, milliseconds since 1970. The ACL must be rebuilt then. */
  readonly validUntil?: number;
}

const NO_RULES = new RuleIndex();
/**
 * Maximum number of overridden rules in a decision.
 * @limit overridden rules in an explanation, rules -> the others are left out
 */
const MAX_OVERRIDDEN = 100;
const SHOWN_ORDER: readonly Verb[] = ['read', 'list', 'update', 'delete', 'create', 'patch'];

/** Access control list: the combined permissions of some policies. Immutable, and shared by many requests. */
export class Acl {
  static readonly root: Acl = new Acl({}, true);

  readonly dropped: readonly DroppedBlock[];
  readonly unreadable: readonly string[];
  readonly excess: string | undefined;
  readonly validUntil: number;
  readonly isRoot: boolean;
  readonly #rules: RuleIndex;
  readonly #own: RuleIndex;

  constructor(content: AclContent, isRoot = false) {
    this.dropped = content.dropped ?? [];
    this.unreadable = content.unreadable ?? [];
    this.validUntil = content.validUntil ?? Number.POSITIVE_INFINITY;
    this.isRoot = isRoot;
    this.excess = content.excess;
    this.#rules = content.rules ?? NO_RULES;
    this.#own = content.own ?? NO_RULES;
  }

  decide(request: AclRequest): Decision {
    if (this.isRoot)
      return { allowed: true, reason: 'root', detail: 'the root policy allows everything', overridden: [] };
    if (this.excess !== undefined) {
      return { allowed: false, reason: 'too-much-policy', detail: this.excess, overridden: [] };
    }
    if (this.unreadable.length > 0) {
      const detail = `the stored text of ${this.unreadable.join(', ')} cannot be parsed, so nothing is allowed`;
      return { allowed: false, reason: 'unreadable-policy', detail, overridden: [] };
    }
    const [rule, ...others] = this.#matching(request.path, request.capability === 'list');
    if (!rule) return { allowed: false, reason: 'no-rule', detail: 'no path of any policy matches', overridden: [] };
    const [reason, detail] = verdict(rule, request);
    return {
      allowed: reason === 'granted',
      reason,
      detail,
      rule: shownRule(rule),
      overridden: others
        .slice(0, MAX_OVERRIDDEN)
        .map((other) => ({ ...shownRule(other), because: whyLess(other.shape, rule.shape) })),
    };
  }

  /**
   * Returns the capabilities on a path, in the order that clients expect. `deny` and `root` are never combined with
   * others.
   */
  capabilities(path: string): string[] {
    if (this.isRoot) return ['root'];
    if (this.#allowsNothing) return ['deny'];
    const [rule] = this.#matching(path, false);
    const [listRule] = this.#matching(path, true);
    const given = SHOWN_ORDER.filter((verb) => (verb === 'list' ? listRule : rule)?.capabilities.has(verb));
    const sudo = rule?.capabilities.has('sudo') || listRule?.capabilities.has('sudo');
    if (given.length === 0 && !sudo) return ['deny'];
    return sudo ? ['sudo', ...given] : given;
  }

  /**
   * Returns whether any capability exists at a short path or below it. Decides whether a mount is visible. May return
   * true where a rule of one identity overrides the common rule of the same path.
   */
  givesBelow(path: string): boolean {
    if (this.isRoot || this.#allowsNothing) return this.isRoot;
    const [rule] = this.#matching(path, true);
    if (rule && givesAnything(rule)) return true;
    return this.#own.givesBelow(path) || this.#rules.givesBelow(path);
  }

  /** Yields every effective rule, in no order. Yields none for root. */
  *rules(): Generator<Rule> {
    if (this.#allowsNothing) return;
    yield* this.#own.all();
    for (const rule of this.#rules.all()) if (!this.#own.rulesFor(rule.path)) yield rule;
  }

  get #allowsNothing(): boolean {
    return this.excess !== undefined || this.unreadable.length > 0;
  }

  /** Returns the matching rules, most specific first. */
  #matching(path: string, listing: boolean): Rule[] {
    const plain = path.replace(/^\/+/, '');
    if (!listing) return this.#sorted(plain);
    const bare = trimSlashes(plain);
    return this.#listed(`${bare}/`, bare);
  }

  /**
   * Matches a list request. The path with a trailing slash takes precedence; the path without it applies if nothing
   * else matches. A deny on the path without the slash always applies, because its author meant the list too
   * (GHSA-xp3c-3jw3-4vcr).
   */
  #listed(path: string, bare: string): Rule[] {
    const rules = this.#sorted(path, this.#exact(bare));
    const known = new Set(rules);
    const denied = this.#wildcards(bare).filter((rule) => !known.has(rule) && (rules.length === 0 || isDeny(rule)));
    return denied.length === 0 ? rules : bySpecificity([...rules, ...denied]);
  }

  #sorted(path: string, spare?: Rule): Rule[] {
    return bySpecificity([this.#exact(path), spare, ...this.#wildcards(path)].filter((rule) => rule !== undefined));
  }

  #exact(path: string): Rule | undefined {
    return this.#own.exact(path) ?? this.#rules.exact(path);
  }

  #wildcards(path: string): Rule[] {
    const own = this.#own.wildcards(path);
    const rules = this.#rules.wildcards(path);
    if (own.length === 0) return rules;
    const replaced = new Set(own.map((rule) => rule.path));
    return [...own, ...rules.filter((rule) => !replaced.has(rule.path))];
  }
}

/** Sorts exact paths first. The longer of two exact paths, with the trailing slash, comes first. */
function bySpecificity(rules: Rule[]): Rule[] {
  return rules.sort((a, b) => {
    const exact = Number(isExactRule(b)) - Number(isExactRule(a));
    return exact !== 0 ? exact : compareShapes(b.shape, a.shape);
  });
}
