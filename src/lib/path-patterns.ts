interface Node {
  readonly fixed: Map<string, Node>;
  one: Node | undefined;
  many: Node | undefined;
  /** True if at least one pattern has a secret at this position. */
  isSecret: boolean;
}

const newNode = (): Node => ({ fixed: new Map(), one: undefined, many: undefined, isSecret: false });

/**
 * Decides which parts of a path may appear in the audit log. A part may appear if the path so far matches a declared
 * pattern, and no pattern that it may match has a secret at this position. Nothing appears behind the first part that
 * matches no pattern. So the log shows as much as possible of an unknown path, and no secret.
 */
export class PathPatterns {
  readonly #root = newNode();

  /**
   * @param pattern `certs/:name`; `*path` matches any number of parts; a plain `*` matches parts that another component
   * distinguishes, and hides them all
   * @param secrets parameters whose value authenticates its holder
   * @throws if a secret is not a parameter of the pattern, because such a typing error would show the secret
   */
  add(pattern: string, secrets: readonly string[] = []): void {
    const parts = pattern.replace(/^\//, '').split('/');
    const missing = secrets.find((name) => !parts.some((part) => part === `:${name}` || part === `*${name}`));
    if (missing !== undefined) throw new Error(`${pattern} has no parameter ${missing}`);
    let node = this.#root;
    for (const part of parts) node = child(node, part, secrets);
  }

  /** Returns for each part of a path whether it may be shown. */
  shown(parts: readonly string[]): readonly boolean[] {
    let nodes: readonly Node[] = [this.#root];
    return parts.map((part) => {
      nodes = behind(nodes, part);
      return nodes.length > 0 && !nodes.some(({ isSecret }) => isSecret);
    });
  }
}

/** Returns each node once, because a path that matches two patterns may reach the same node twice. */
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
  // `*path` matches any number of parts, so the next part may belong to it too.
  if (!isOne) made.many = made;
  return made;
}
