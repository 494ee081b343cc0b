import { Acl, type DroppedBlock } from './acl.ts';
import { fillBlock } from './fill-block.ts';
import type { PathBlock, Policy } from './policy.ts';
import { ruleOf, type Statement } from './rule.ts';
import { type TemplateIdentity, type Unfillable, UnfilledError } from './template.ts';

export interface NamedPolicy {
  readonly name: string;
  /** Undefined: there is a text, and it cannot be read. */
  readonly policy: Policy | undefined;
}

const BECAUSE: Readonly<Record<Unfillable, string>> = {
  'no-identity': 'a template in it has no value: the token has no entity',
  missing: 'a template in it has no value for this entity',
  refused: 'the value of a template in it holds / * + or a control character',
};

/** What some policies allow one identity at one moment. */
export function buildAcl(policies: readonly NamedPolicy[], identity: TemplateIdentity | undefined, now: number): Acl {
  const byPath = new Map<string, Statement[]>();
  const dropped: DroppedBlock[] = [];
  const ends: number[] = [];
  for (const { name, policy } of policies) {
    for (const block of policy?.blocks ?? []) {
      const filled = liveBlock(block, identity, now);
      if (typeof filled === 'string') {
        dropped.push({ policy: name, path: block.path, line: block.line, because: filled });
        continue;
      }
      if (block.expiresAt !== null) ends.push(block.expiresAt);
      const statement = { policy: name, written: block.path, block: filled };
      const known = byPath.get(filled.path);
      if (known) known.push(statement);
      else byPath.set(filled.path, [statement]);
    }
  }
  return new Acl({
    rules: [...byPath].map(([path, statements]) => ruleOf(path, statements)),
    dropped,
    unreadable: policies.filter(({ policy }) => policy === undefined).map(({ name }) => name),
    validUntil: ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY),
  });
}

/** The block with its templates filled in; or why it does not count. */
function liveBlock(block: PathBlock, identity: TemplateIdentity | undefined, now: number): PathBlock | string {
  if (block.expiresAt !== null && block.expiresAt <= now) return 'it has expired';
  if (!block.templated) return block;
  try {
    return fillBlock(block, identity);
  } catch (error) {
    if (error instanceof UnfilledError) return BECAUSE[error.reason];
    throw error;
  }
}
