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

/** One block of one policy, with its templates filled in. */
export interface Statement {
  readonly policy: string;
  /** The path as written, with templates. */
  readonly written: string;
  readonly block: PathBlock;
  /** Characters that values in its templates may contain. Undefined: plain values only. */
  readonly allowance?: TemplateAllowance | undefined;
}

/** All statements of all policies about one path, combined. */
export interface Rule extends Restrictions {
  readonly path: string;
  readonly shape: PathShape;
  /** Capabilities: either only `deny`, or any others. */
  readonly capabilities: ReadonlySet<Capability>;
  readonly statements: readonly Statement[];
}

export const isDeny = (rule: Rule): boolean => rule.capabilities.has('deny');
export const givesAnything = (rule: Rule): boolean => !isDeny(rule) && rule.capabilities.size > 0;
export const isExactRule = (rule: Rule): boolean => isExact(rule.shape);

/** Combines the blocks of one path: the union of their capabilities, unless one denies, and all their restrictions. */
export function* ruleOf(path: string, statements: readonly Statement[]): Steps<Rule> {
  const [only, another] = statements;
  const said = only && !another ? only.block : yield* together(statements);
  const { capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl } = said;
  return { path, shape: pathShape(path), capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl, statements };
}

/** Number of blocks that one slice combines. */
const JOINED_IN_STEP = 20;

/** Combines blocks in slices, because all blocks of a large policy may have the same path. */
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

/** Joins lists of values. An empty list means every value, so the joined list is empty too. */
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

/** @limit blocks of one rule in an explanation, blocks -> the others are left out */
export const MAX_SHOWN_BLOCKS = 100;

/** Returns a rule in a form for explanations. Computed on demand, because most rules are never shown. */
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
