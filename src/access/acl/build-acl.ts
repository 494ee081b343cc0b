import type { Steps } from '../../lib/slices.ts';
import { Acl, type DroppedBlock } from './acl.ts';
import type { ParameterMap, ParameterValue, PathBlock, Policy } from './policy.ts';
import { ruleOf, type Statement } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import {
  fillIn,
  type TemplateAllowance,
  type TemplateOwner,
  type TemplateUses,
  TemplateUsesOf,
  type Unfillable,
  UnfilledError,
} from './template.ts';

export interface NamedPolicy {
  readonly name: string;
  /** Parsed policy. Undefined if the stored text cannot be parsed. */
  readonly policy: Policy | undefined;
  readonly allowance?: TemplateAllowance | undefined;
  /** Expiry, milliseconds since 1970. Undefined: the policy never expires. */
  readonly expiresAt?: number | undefined;
}

/** Rules for every identity at one time. Rules for one identity are added on top. */
export interface CommonRules {
  readonly rules: RuleIndex;
  readonly unreadable: readonly string[];
  /** Blocks that have expired and are ignored. */
  readonly dropped: readonly DroppedBlock[];
  /** Blocks with templates that have not expired. They determine the cost of an ACL for one identity. */
  readonly templated: readonly Statement[];
  /** Values that these templates use. */
  readonly uses: TemplateUses;
  /** First expiry of a policy or block, milliseconds since 1970. */
  readonly validUntil: number;
}

const BECAUSE: Readonly<Record<Unfillable, string>> = {
  'no-identity': 'a template in it has no value: the token has no entity',
  'no-login': 'a template in it has no value: the token is not from a login, and only logins vouch for metadata',
  missing: 'a template in it has no value for this token or its entity',
  refused: 'the value of a template in it contains / * + or a control character, which the policy does not allow',
};
/** Number of blocks and rules in one slice: about 50 microseconds of work. */
const DONE_IN_STEP = 20;

/** Builds the part of an ACL that is the same for every identity. */
export function* commonRules(policies: readonly NamedPolicy[], now: number): Steps<CommonRules> {
  const byPath: ByPath = new Map();
  const templated: Statement[] = [];
  const uses = new TemplateUsesOf();
  const dropped: DroppedBlock[] = [];
  let validUntil = policies.reduce(
    (first, { expiresAt = first }) => Math.min(first, expiresAt),
    Number.POSITIVE_INFINITY,
  );
  let done = 0;
  for (const statement of statementsOf(policies)) {
    const { policy, block } = statement;
    if (++done % DONE_IN_STEP === 0) yield;
    if (block.expiresAt !== null && block.expiresAt <= now) {
      dropped.push({ policy, path: block.path, line: block.line, because: 'it has expired' });
      continue;
    }
    if (block.expiresAt !== null) validUntil = Math.min(validUntil, block.expiresAt);
    if (block.templated) {
      templated.push(statement);
      // Visits all texts of the block.
      fillBlock(block, (text) => {
        uses.add(text);
        return text;
      });
    } else add(byPath, statement);
  }
  const rules = new RuleIndex();
  for (const [path, statements] of byPath) {
    if (++done % DONE_IN_STEP === 0) yield;
    rules.add(yield* ruleOf(path, statements));
  }
  const unreadable = policies.filter(({ policy }) => policy === undefined).map(({ name }) => name);
  const { identity, metadataKeys } = uses;
  return { rules, unreadable, dropped, templated, uses: { identity, metadataKeys }, validUntil };
}

/** Builds the ACL of one token at the time of the common rules. */
export function* buildAcl(common: CommonRules, owner: TemplateOwner): Steps<Acl> {
  const byPath: ByPath = new Map();
  const dropped = [...common.dropped];
  let done = 0;
  for (const statement of common.templated) {
    const { policy, written, block } = statement;
    if (++done % DONE_IN_STEP === 0) yield;
    const filled = filledBlock(statement, owner);
    if (typeof filled === 'string') dropped.push({ policy, path: written, line: block.line, because: filled });
    else add(byPath, { policy, written, block: filled });
  }
  const own = new RuleIndex();
  for (const [path, statements] of byPath) {
    if (++done % DONE_IN_STEP === 0) yield;
    own.add(yield* ruleOf(path, inOrder([...(common.rules.rulesFor(path)?.statements ?? []), ...statements])));
  }
  const { rules, unreadable, validUntil } = common;
  return new Acl({ rules, own, dropped: inOrder(dropped), unreadable, validUntil });
}

type ByPath = Map<string, Statement[]>;

function* statementsOf(policies: readonly NamedPolicy[]): Generator<Statement> {
  for (const { name, policy, allowance } of policies) {
    for (const block of policy?.blocks ?? []) yield { policy: name, written: block.path, block, allowance };
  }
}

function add(byPath: ByPath, statement: Statement): void {
  const known = byPath.get(statement.block.path);
  if (known) known.push(statement);
  else byPath.set(statement.block.path, [statement]);
}

/** Sorts by policy, then by line. */
function inOrder<T extends DroppedBlock | Statement>(said: T[]): T[] {
  const line = (one: T) => ('block' in one ? one.block.line : one.line);
  return said.sort((a, b) => (a.policy === b.policy ? line(a) - line(b) : a.policy < b.policy ? -1 : 1));
}

/** Returns the block with its templates filled in, or why the block does not apply. */
function filledBlock({ block, allowance }: Statement, owner: TemplateOwner): PathBlock | string {
  try {
    return fillBlock(block, (text) => fillIn(text, owner, allowance));
  } catch (error) {
    if (error instanceof UnfilledError) return BECAUSE[error.reason];
    throw error;
  }
}

type Fill = (text: string) => string;

/**
 * Returns a block with its templates filled in.
 * @throws UnfilledError
 */
function fillBlock(block: PathBlock, fill: Fill): PathBlock {
  return {
    ...block,
    path: filledPath(fill(block.path)),
    allowed: fillMap(block.allowed, fill),
    denied: fillMap(block.denied, fill),
  };
}

/** Applies the rules of a written path to a path that a value has changed. */
function filledPath(path: string): string {
  if (path.includes('+*')) throw new UnfilledError('refused');
  return path.startsWith('/') ? path.slice(1) : path;
}

function fillMap(map: ParameterMap, fill: Fill): ParameterMap {
  return map.size === 0
    ? map
    : new Map([...map].map(([name, values]) => [name, values.map((value) => fillValue(value, fill))]));
}

function fillValue(value: ParameterValue, fill: Fill): ParameterValue {
  if (typeof value === 'string') return fill(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((one) => fillValue(one, fill));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValue(one, fill)]));
}

function isList(value: ParameterValue): value is readonly ParameterValue[] {
  return Array.isArray(value);
}
