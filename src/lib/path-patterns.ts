interface Node {
  readonly fixed: Map<string, Node>;
  one: Node | undefined;
  many: Node | undefined;
  /** What stands here is a secret by one pattern at least. */
  isSecret: boolean;
}

const newNode = (): Node => ({ fixed: new Map(), one: undefined, many: undefined, isSecret: false });

/**
 * Which parts of a path may be shown in a record. A part may as long as the path follows a pattern that was declared, and no
 * pattern that it can follow says that a secret stands there; behind the first part that follows none nothing may. So what
 * nobody answers to is told as far as it makes sense, and a secret behind it is not.
 */
export class PathPatterns {
  readonly #root = newNode();

  /**
   * @param pattern `certs/:name`; `*path` stands for any number of parts; `*` for parts that somebody else tells apart, none of
   * which is shown
   * @param secrets the parameters whose text lets somebody in
   * @throws for a secret that is no parameter of the pattern: a typing error would show it
   */
  add(pattern: string, secrets: readonly string[] = []): void {
    const parts = pattern.replace(/^\//, '').split('/');
    const missing = secrets.find((name) => !parts.some((part) => part === `:${name}` || part === `*${name}`));
    if (missing !== undefined) throw new Error(`${pattern} has no parameter ${missing}`);
    let node = this.#root;
    for (const part of parts) node = child(node, part, secrets);
  }

  /** For each part of a path whether it may be shown. */
  shown(parts: readonly string[]): readonly boolean[] {
    let nodes: readonly Node[] = [this.#root];
    return parts.map((part) => {
      nodes = behind(nodes, part);
      return nodes.length > 0 && !nodes.some(({ isSecret }) => isSecret);
    });
  }
}

/** Each once: a path that fits two patterns may come back to one. */
function behind(nodes: readonly Node[], part: string): readonly Node[] {
  const found: Node[] = [];
  for (const { fixed, one, many } of nodes) {
    for (const node of [fixed.get(part), one, many]) if (node && !found.includes(node)) found.push(node);
  }
  return found;
}

function child(node: Node, part: string, secrets: readonly string[]): Node {
  const isOne = part.startsWith(':');
  if (!isOne && !part.startsWith('*')) {
    const known = node.fixed.get(part) ?? newNode();
    node.fixed.set(part, known);
    return known;
  }
  const made = (isOne ? node.one : node.many) ?? newNode();
  made.isSecret ||= part === '*' || secrets.includes(part.slice(1));
  if (isOne) node.one = made;
  else node.many = made;
  // Any number of parts, so the next one may be part of it too.
  if (!isOne) made.many = made;
  return made;
}
