import type { Decision } from './decision.ts';
import { compareShapes, whyLess } from './path-shape.ts';
import type { Verb } from './policy.ts';
import { givesAnything, isDeny, isExactRule, type Rule, shownRule } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import { trimSlashes } from './trim-slashes.ts';
import { type AclRequest, verdict } from './verdict.ts';

export type { Decision } from './decision.ts';
export type { AclRequest } from './verdict.ts';

/** A block that could not be filled in for whoever is asking. */
export interface DroppedBlock {
  readonly policy: string;
  readonly path: string;
  readonly line: number;
  readonly because: string;
}

export interface AclContent {
  /** What holds for everybody, shared by many access lists. */
  readonly rules?: RuleIndex;
  /** What holds for one identity. A rule in here takes the place of the one of the same path for everybody. */
  readonly own?: RuleIndex;
  readonly dropped?: readonly DroppedBlock[];
  /** Names of policies whose stored text cannot be read. */
  readonly unreadable?: readonly string[];
  /** Why the policies were not put together: there is too much of them. */
  readonly excess?: string;
  /** Milliseconds: from then on it may have to be made anew. */
  readonly validUntil?: number;
}

const NO_RULES = new RuleIndex();
/**
 * Rules that gave way, in one decision.
 * @limit rules that an explanation says gave way, rules -> the others are left out
 */
const MAX_OVERRIDDEN = 100;
const SHOWN_ORDER: readonly Verb[] = ['read', 'list', 'update', 'delete', 'create', 'patch'];

/** What some policies together allow. Immutable, and made once for many requests. */
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
    if (this.isRoot) return { allowed: true, reason: 'root', detail: 'root may do everything', overridden: [] };
    if (this.excess !== undefined) {
      return { allowed: false, reason: 'too-much-policy', detail: this.excess, overridden: [] };
    }
    if (this.unreadable.length > 0) {
      const detail = `the stored text of ${this.unreadable.join(', ')} cannot be read, so nothing is allowed`;
      return { allowed: false, reason: 'unreadable-policy', detail, overridden: [] };
    }
    const [rule, ...others] = this.#matching(request.path, request.capability === 'list');
    if (!rule) return { allowed: false, reason: 'no-rule', detail: 'no path of any policy fits', overridden: [] };
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

  /** What may be done with a path, in the order in which it is always shown; `deny` or `root` alone. */
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
   * Whether anything may be done at a path of few parts or below it: for who may know that something is there. A rule for
   * everybody counts here also where one identity has another of the same path.
   */
  givesBelow(path: string): boolean {
    if (this.isRoot || this.#allowsNothing) return this.isRoot;
    const [rule] = this.#matching(path, true);
    if (rule && givesAnything(rule)) return true;
    return this.#own.givesBelow(path) || this.#rules.givesBelow(path);
  }

  /** Every rule that can count, in no order; none for root. */
  *rules(): Generator<Rule> {
    if (this.#allowsNothing) return;
    yield* this.#own.all();
    for (const rule of this.#rules.all()) if (!this.#own.rulesFor(rule.path)) yield rule;
  }

  get #allowsNothing(): boolean {
    return this.excess !== undefined || this.unreadable.length > 0;
  }

  /** The rules that fit, the one that counts first. */
  #matching(path: string, listing: boolean): Rule[] {
    const plain = path.replace(/^\/+/, '');
    if (!listing) return this.#sorted(plain);
    const bare = trimSlashes(plain);
    return this.#listed(`${bare}/`, bare);
  }

  /**
   * A list is of what lies behind a slash, so that form counts; the one without it stands in when nothing fits. It also
   * counts when it denies: who wrote it meant the list too (GHSA-xp3c-3jw3-4vcr).
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

/** Exact before all others; of two exact ones, the one with the slash is longer. */
function bySpecificity(rules: Rule[]): Rule[] {
  return rules.sort((a, b) => {
    const exact = Number(isExactRule(b)) - Number(isExactRule(a));
    return exact !== 0 ? exact : compareShapes(b.shape, a.shape);
  });
}
