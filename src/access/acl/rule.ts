import { memoizeByObject } from '../../lib/memoize-by-object.ts';
import type { Steps } from '../../lib/slices.ts';
import type { DecidingRule } from './decision.ts';
import { isExact, type PathShape, pathShape } from './path-shape.ts';
import {
  type Capability,
  NO_PARAMETERS,
  type ParameterMap,
  type ParameterValue,
  type PathBlock,
  type Restrictions,
} from './policy.ts';
import type { TemplateAllowance } from './template.ts';

/** One block of one policy, filled in for whoever is asking. */
export interface Statement {
  readonly policy: string;
  /** Its path as written: with its templates. */
  readonly written: string;
  readonly block: PathBlock;
  /** What values of its templates may hold; none of it when nothing is said. */
  readonly allowance?: TemplateAllowance | undefined;
}

/** Everything that is said about one path, by however many policies. */
export interface Rule extends Restrictions {
  readonly path: string;
  readonly shape: PathShape;
  /** `deny` alone, or anything else. */
  readonly capabilities: ReadonlySet<Capability>;
  readonly statements: readonly Statement[];
}

export const isDeny = (rule: Rule): boolean => rule.capabilities.has('deny');
export const givesAnything = (rule: Rule): boolean => !isDeny(rule) && rule.capabilities.size > 0;
export const isExactRule = (rule: Rule): boolean => isExact(rule.shape);

/** What several blocks say about one path: each one's capabilities, unless one denies; and the restrictions of all. */
export function* ruleOf(path: string, statements: readonly Statement[]): Steps<Rule> {
  const [only, another] = statements;
  const said = only && !another ? only.block : yield* together(statements);
  const { capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl } = said;
  return { path, shape: pathShape(path), capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl, statements };
}

/** Blocks that are put together in one step. */
const JOINED_IN_STEP = 20;

/** All blocks of a policy may be about one path. */
function* together(statements: readonly Statement[]): Steps<Restrictions & Pick<Rule, 'capabilities'>> {
  const given = new Set<Capability>();
  const required = new Set<string>();
  const allowed = new JoinedParameters();
  const denied = new JoinedParameters();
  let minWrapTtl = 0;
  let maxWrapTtl = 0;
  let done = 0;
  for (const { block } of statements) {
    for (const capability of block.capabilities) given.add(capability);
    for (const name of block.required) required.add(name);
    allowed.add(block.allowed);
    denied.add(block.denied);
    minWrapTtl = Math.max(minWrapTtl, block.minWrapTtl);
    if (block.maxWrapTtl > 0) maxWrapTtl = Math.min(maxWrapTtl || block.maxWrapTtl, block.maxWrapTtl);
    if (++done % JOINED_IN_STEP === 0) yield;
  }
  return {
    capabilities: given.has('deny') ? new Set<Capability>(['deny']) : given,
    allowed: allowed.map,
    denied: denied.map,
    required: [...required],
    minWrapTtl,
    maxWrapTtl,
  };
}

/** Value lists are joined. An empty one means every value, so it stays empty. */
class JoinedParameters {
  readonly #values = new Map<string, ParameterValue[]>();
  readonly #open = new Set<string>();

  add(map: ParameterMap): void {
    for (const [name, values] of map) {
      const known = this.#values.get(name) ?? [];
      if (values.length === 0) this.#open.add(name);
      for (const value of values) known.push(value);
      this.#values.set(name, known);
    }
  }

  get map(): ParameterMap {
    if (this.#values.size === 0) return NO_PARAMETERS;
    for (const name of this.#open) this.#values.set(name, []);
    return this.#values;
  }
}

/** @limit parts of policies that an explanation shows of one rule, parts -> the others are left out */
export const MAX_SHOWN_BLOCKS = 100;

/** A rule as it may be shown; most never are. */
export const shownRule: (rule: Rule) => DecidingRule = memoizeByObject(({ path, capabilities, statements }: Rule) => ({
  path,
  policies: [...new Set(statements.map(({ policy }) => policy))].sort(),
  capabilities: [...capabilities].sort(),
  blocks: statements.slice(0, MAX_SHOWN_BLOCKS).map(({ policy, written, block }) => ({
    policy,
    path: written,
    line: block.line,
    capabilities: [...block.capabilities],
  })),
}));
