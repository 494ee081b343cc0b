import { type PathShape, pathShape } from './path-shape.ts';
import { givesAnything, isExactRule, type Rule } from './rule.ts';

/** Where rules with wildcards end or go on, for one part of a path after another. What it has none of is not there. */
interface Node {
  parts: Map<string, Node> | undefined;
  /** The part `+`. */
  any: Node | undefined;
  /** The rule that ends here. */
  end: Rule | undefined;
  /** The rule that ends in a `*` which is a part of its own. */
  open: Rule | undefined;
  /** Rules that end in `*`, by what stands before it in its part. */
  prefixes: Map<string, Rule> | undefined;
  /** The lengths of those. */
  lengths: Set<number> | undefined;
  /** Whether any rule that ends here or further on gives anything. */
  gives: boolean;
}

/** Parts of a path below which it is known whether rules without wildcards give anything: a mount has no more. */
const FOLDER_DEPTH = 10;

/** Finds the rules that a path fits, at a cost that depends on those and not on the number of all others. */
export class RuleIndex {
  readonly #exact = new Map<string, Rule>();
  readonly #wild: Rule[] = [];
  readonly #root = emptyNode();
  /** `auth/cert/`: what begins so, up to a slash, and gives anything, among rules without wildcards. */
  readonly #folders = new Set<string>();

  /** @param rule of a path that no other has */
  add(rule: Rule): void {
    if (isExactRule(rule)) {
      this.#exact.set(rule.path, rule);
      if (givesAnything(rule)) for (const folder of foldersOf(rule.path)) this.#folders.add(folder);
    } else {
      this.#wild.push(rule);
      addWildcard(this.#root, rule);
    }
  }

  /** All of them, those with wildcards last. */
  *all(): Generator<Rule> {
    yield* this.#exact.values();
    yield* this.#wild;
  }

  /** Whether any rule gives anything below a path of few parts. */
  givesBelow(path: string): boolean {
    return this.#folders.has(`${path}/`) || givesAt(this.#root, path.split('/'), 0);
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

  /** The rule of this very path, wildcards included. */
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
