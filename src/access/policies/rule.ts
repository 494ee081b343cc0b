import { keptWith } from '../../lib/kept-with.ts';
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

/** One block of one policy, filled in for whoever is asking. */
export interface Statement {
  readonly policy: string;
  /** Its path as written: with its templates. */
  readonly written: string;
  readonly block: PathBlock;
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
export const isExactRule = (rule: Rule): boolean => isExact(rule.shape);

/** What several blocks say about one path: each one's capabilities, unless one denies; and the restrictions of all. */
export function ruleOf(path: string, statements: readonly Statement[]): Rule {
  const [only, another] = statements;
  const said = only && !another ? only.block : together(statements.map(({ block }) => block));
  const { capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl } = said;
  return { path, shape: pathShape(path), capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl, statements };
}

function together(blocks: readonly PathBlock[]): Restrictions & Pick<Rule, 'capabilities'> {
  const given = new Set(blocks.flatMap((block) => [...block.capabilities]));
  const maxima = blocks.map((block) => block.maxWrapTtl).filter((ttl) => ttl > 0);
  return {
    capabilities: given.has('deny') ? new Set<Capability>(['deny']) : given,
    allowed: joined(blocks.map((block) => block.allowed)),
    denied: joined(blocks.map((block) => block.denied)),
    required: [...new Set(blocks.flatMap((block) => block.required))],
    minWrapTtl: blocks.reduce((most, block) => Math.max(most, block.minWrapTtl), 0),
    maxWrapTtl: maxima.length > 0 ? maxima.reduce((a, b) => Math.min(a, b)) : 0,
  };
}

/** Value lists are joined. An empty one means every value, so it stays empty. */
function joined(maps: readonly ParameterMap[]): ParameterMap {
  if (maps.every(({ size }) => size === 0)) return NO_PARAMETERS;
  const result = new Map<string, ParameterValue[]>();
  const open = new Set<string>();
  for (const map of maps) {
    for (const [name, values] of map) {
      const known = result.get(name) ?? [];
      for (const value of values) known.push(value);
      result.set(name, known);
      if (values.length === 0) open.add(name);
    }
  }
  for (const name of open) result.set(name, []);
  return result;
}

/** A rule as it may be shown; most never are. */
export const shownRule: (rule: Rule) => DecidingRule = keptWith(({ path, capabilities, statements }: Rule) => ({
  path,
  policies: [...new Set(statements.map(({ policy }) => policy))].sort(),
  capabilities: [...capabilities].sort(),
  blocks: statements.map(({ policy, written, block }) => ({
    policy,
    path: written,
    line: block.line,
    capabilities: [...block.capabilities],
  })),
}));
