import { isExactRule, type Rule } from './rule.ts';

/** Where rules with wildcards end or go on, for one part of a path after another. */
interface Node {
  readonly parts: Map<string, Node>;
  /** The part `+`. */
  any: Node | undefined;
  /** The rule that ends here. */
  end: Rule | undefined;
  /** Rules that end in `*`, by what stands before it in its part. */
  readonly prefixes: Map<string, Rule>;
  /** The lengths of those. */
  readonly lengths: Set<number>;
}

/** Finds the rules that a path fits, at a cost that depends on those and not on the number of all others. */
export class RuleIndex {
  readonly #exact = new Map<string, Rule>();
  readonly #root = emptyNode();

  /** @param rules of which no two have the same path */
  constructor(rules: Iterable<Rule>) {
    for (const rule of rules) {
      if (isExactRule(rule)) this.#exact.set(rule.shape.text, rule);
      else addWildcard(this.#root, rule);
    }
  }

  exact(path: string): Rule | undefined {
    return this.#exact.get(path);
  }

  /** Those with wildcards that the path fits, in no order. */
  wildcards(path: string): Rule[] {
    const found: Rule[] = [];
    collect(this.#root, path.split('/'), 0, found);
    return found;
  }
}

function emptyNode(): Node {
  return { parts: new Map(), any: undefined, end: undefined, prefixes: new Map(), lengths: new Set() };
}

function addWildcard(root: Node, rule: Rule): void {
  const parts = rule.shape.text.split('/');
  const last = rule.shape.isPrefix ? parts.pop() : undefined;
  let node = root;
  for (const part of parts) node = child(node, part);
  if (last === undefined) {
    node.end = rule;
  } else {
    node.prefixes.set(last, rule);
    node.lengths.add(last.length);
  }
}

function child(node: Node, part: string): Node {
  if (part === '+') {
    node.any ??= emptyNode();
    return node.any;
  }
  const known = node.parts.get(part);
  if (known) return known;
  const added = emptyNode();
  node.parts.set(part, added);
  return added;
}

function collect(node: Node, parts: readonly string[], depth: number, found: Rule[]): void {
  const part = parts[depth];
  if (part === undefined) {
    if (node.end) found.push(node.end);
    return;
  }
  for (const length of node.lengths) {
    const rule = length <= part.length && node.prefixes.get(part.slice(0, length));
    if (rule) found.push(rule);
  }
  const same = node.parts.get(part);
  if (same) collect(same, parts, depth + 1, found);
  if (node.any) collect(node.any, parts, depth + 1, found);
}
