import type { Steps } from '../../lib/slices.ts';
import { type Item, parseLanguage, type Value } from './language/parse.ts';
import { errorAt, PolicyError, quoted } from './language/policy-error.ts';
import type { PathBlock, Policy } from './policy.ts';
import { readBlock } from './read-block.ts';

export interface PolicyLimits {
  /** Maximum length of the text of a policy, UTF-16 units. */
  readonly length: number;
  readonly paths: number;
}

/** Limits of one policy. */
export const POLICY_LIMITS: PolicyLimits = {
  /** @limit a policy, characters -> 400 */
  length: 512 * 1024,
  /** @limit paths of a policy, paths -> 400 */
  paths: 10_000,
};
/**
 * Maximum number of warnings about one policy. Only the number of further ones is returned.
 * @limit warnings about a policy, warnings -> the others are counted
 */
const MAX_WARNINGS = 100;

/**
 * Parses a policy.
 * @throws PolicyError with the position, the fault, and how to fix it
 */
export function* readPolicy(text: string, limits: PolicyLimits = POLICY_LIMITS): Steps<Policy> {
  if (text.length > limits.length) throw new PolicyError(`a policy may have at most ${limits.length} characters`);
  if (!text.isWellFormed() || text.includes('\0'))
    throw new PolicyError('the text contains invalid Unicode or a NUL character');
  const lineOf = lineCounter(text);
  const blocks: PathBlock[] = [];
  const warnings: string[] = [];
  for (const { path, offset, value } of paths(text, yield* parseLanguage(text))) {
    if (blocks.length >= limits.paths) throw new PolicyError(`a policy may have at most ${limits.paths} paths`);
    const block = readBlock(text, path, value, lineOf(offset));
    blocks.push(block);
    warnings.push(...pathWarnings(block));
    yield;
  }
  return {
    blocks,
    warnings: shortened(warnings),
    templated: blocks.some((block) => block.templated),
    length: text.length,
  };
}

function shortened(warnings: string[]): string[] {
  const surplus = warnings.length - MAX_WARNINGS;
  return surplus > 0 ? [...warnings.slice(0, MAX_WARNINGS), `and ${surplus} more`] : warnings;
}

interface WrittenPath {
  readonly path: string;
  readonly offset: number;
  readonly value: Value;
}

/**
 * Yields the blocks: `path "a" {…}` and its JSON form `"path": {"a": {…}}`, where each object may be a list of
 * objects.
 */
function* paths(text: string, items: readonly Item[]): Generator<WrittenPath> {
  for (const { keys, value } of items) {
    const [key, label, surplus] = keys;
    if (key.text === 'name' && !label) {
      if (value.kind !== 'scalar') throw errorAt(text, value.offset, 'a name must be a string');
    } else if (key.text !== 'path') {
      throw errorAt(text, key.offset, `invalid key ${quoted(key.text)}; a policy contains only blocks: path "…" { … }`);
    } else if (surplus) {
      throw errorAt(text, surplus.offset, 'a block has exactly one path; write one block for each path');
    } else if (label) {
      yield { path: label.text, offset: key.offset, value };
    } else {
      yield* nestedPaths(text, value);
    }
  }
}

function* nestedPaths(text: string, value: Value): Generator<WrittenPath> {
  const objects = value.kind === 'list' ? value.values : [value];
  for (const object of objects) {
    if (object.kind !== 'object')
      throw errorAt(text, object.offset, 'expected the path in double quotes, then its block');
    for (const { keys, value: block } of object.items) {
      if (keys.length > 1)
        throw errorAt(text, keys[0].offset, 'a block has exactly one path; write one block for each path');
      const blocks = block.kind === 'list' ? block.values : [block];
      for (const one of blocks) yield { path: keys[0].text, offset: keys[0].offset, value: one };
    }
  }
}

/** Returns a function from offset to line. The offsets must increase. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let newline = text.indexOf('\n');
  return (offset) => {
    while (newline >= 0 && newline < offset) {
      line++;
      newline = text.indexOf('\n', newline + 1);
    }
    return line;
  };
}

function pathWarnings({ path, line }: PathBlock): string[] {
  const where = `line ${line}, path ${quoted(path)}:`;
  const warnings: string[] = [];
  if (path.slice(0, -1).includes('*')) {
    warnings.push(`${where} * is a wildcard only at the end; write + for one segment in the middle`);
  }
  if (path.split('/').some((part) => part !== '+' && part.includes('+'))) {
    warnings.push(`${where} + is a wildcard only as a whole segment between slashes`);
  }
  if (path.startsWith('v1/')) warnings.push(`${where} write paths without the leading v1/`);
  return warnings;
}
