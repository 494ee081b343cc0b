import { type PathShape, pathShape } from './path-shape.ts';
import { givesAnything, isExactRule, type Rule } from './rule.ts';

/** Node of a trie over path segments, for rules with wildcards. Empty members are undefined to save memory. */
interface Node {
  parts: Map<string, Node> | undefined;
  /** The child for the segment `+`. */
  any: Node | undefined;
  /** The rule that ends at this node. */
  end: Rule | undefined;
  /** The rule with `*` as its next and last segment. */
  open: Rule | undefined;
  /** Rules whose last segment ends in `*`, by the text before the `*`. */
  prefixes: Map<string, Rule> | undefined;
  /** Lengths of the keys of `prefixes`. */
  lengths: Set<number> | undefined;
  /** Whether a rule at this node or below it grants anything. */
  gives: boolean;
}

/** Depth up to which the index knows whether exact rules grant anything below a path. Mount paths are not deeper. */
const FOLDER_DEPTH = 10;

/** Index of rules by path. The cost of a search depends on the matching rules, not on the number of all rules. */
export class RuleIndex {
  readonly #exact = new Map<string, Rule>();
  readonly #wild: Rule[] = [];
  readonly #root = emptyNode();
  /** Prefixes such as `auth/cert/` of exact rules that grant anything. */
  readonly #folders = new Set<string>();

  /**
   * Adds a rule.
   * @param rule must have a path that no other rule has
   */
  add(rule: Rule): void {
    if (isExactRule(rule)) {
      this.#exact.set(rule.path, rule);
      if (givesAnything(rule)) for (const folder of foldersOf(rule.path)) this.#folders.add(folder);
    } else {
      this.#wild.push(rule);
      addWildcard(this.#root, rule);
    }
  }

  /** Yields all rules, those with wildcards last. */
  *all(): Generator<Rule> {
    yield* this.#exact.values();
    yield* this.#wild;
  }

  /** Returns whether any rule grants anything below a short path. */
  givesBelow(path: string): boolean {
    return this.#folders.has(`${path}/`) || givesAt(this.#root, path.split('/'), 0);
  }

  exact(path: string): Rule | undefined {
    return this.#exact.get(path);
  }

  /** Returns the rules with wildcards that match a path, in no order. */
  wildcards(path: string): Rule[] {
    const found: Rule[] = [];
    collect(this.#root, path.split('/'), 0, found);
    return found;
  }

  /** Returns the rule with exactly this path, wildcards included. */
  rulesFor(path: string): Rule | undefined {
    return this.#exact.get(path) ?? wildcardOf(this.#root, pathShape(path));
  }
}

function emptyNode(): Node {
  const nothing = { parts: undefined, any: undefined, end: undefined, open: undefined };
  return { ...nothing, prefixes: undefined, lengths: undefined, gives: false };
}

function* foldersOf(path: string): Generator<string> {
  let slash = path.indexOf('/');
  for (let depth = 1; slash >= 0 && depth <= FOLDER_DEPTH; depth++) {
    yield path.slice(0, slash + 1);
    slash = path.indexOf('/', slash + 1);
  }
}

function givesAt(node: Node, parts: readonly string[], depth: number): boolean {
  const part = parts[depth];
  if (part === undefined) return node.gives;
  const [same, any] = [node.parts?.get(part), node.any];
  return (
    (same !== undefined && givesAt(same, parts, depth + 1)) || (any !== undefined && givesAt(any, parts, depth + 1))
  );
}

function addWildcard(root: Node, rule: Rule): void {
  const parts = rule.shape.text.split('/');
  const last = rule.shape.isPrefix ? parts.pop() : undefined;
  const gives = givesAnything(rule);
  let node = root;
  for (const part of parts) {
    node = child(node, part);
    node.gives ||= gives;
  }
  if (last === undefined) node.end = rule;
  else if (last === '') node.open = rule;
  else addPrefix(node, last, rule);
}

function wildcardOf(root: Node, { text, isPrefix }: PathShape): Rule | undefined {
  const parts = text.split('/');
  const last = isPrefix ? parts.pop() : undefined;
  let node: Node | undefined = root;
  for (const part of parts) node = part === '+' ? node?.any : node?.parts?.get(part);
  if (last === undefined) return node?.end;
  return last === '' ? node?.open : node?.prefixes?.get(last);
}

function addPrefix(node: Node, prefix: string, rule: Rule): void {
  node.prefixes ??= new Map();
  node.lengths ??= new Set();
  node.prefixes.set(prefix, rule);
  node.lengths.add(prefix.length);
}

function child(node: Node, part: string): Node {
  if (part === '+') {
    node.any ??= emptyNode();
    return node.any;
  }
  node.parts ??= new Map();
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
  if (node.open) found.push(node.open);
  for (const length of node.lengths ?? []) {
    const rule = length <= part.length && node.prefixes?.get(part.slice(0, length));
    if (rule) found.push(rule);
  }
  const same = node.parts?.get(part);
  if (same) collect(same, parts, depth + 1, found);
  if (node.any) collect(node.any, parts, depth + 1, found);
}
