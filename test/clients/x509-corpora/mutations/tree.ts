/** One DER element, decomposed: it contains either more elements or bytes. */
export interface Node {
  readonly tag: number;
  /** Bytes before the inner elements: the number of unused bits of a BIT STRING. */
  readonly prefix: Buffer;
  readonly children: readonly Node[] | undefined;
  readonly content: Buffer;
}

const OCTET_STRING = 0x04;
const BIT_STRING = 0x03;
const CONSTRUCTED = 0x20;
const EMPTY = Buffer.alloc(0);

/** Decomposes one element of valid DER, including strings that contain elements. */
export function treeOf(der: Buffer): Node {
  const [node] = elements(der) ?? [];
  if (node === undefined) throw new Error('a template that is no DER');
  return node;
}

/** Returns every node with its path from the root: the indexes in the lists of children. */
export function* nodesIn(root: Node, path: readonly number[] = []): Generator<{ node: Node; path: readonly number[] }> {
  yield { node: root, path };
  for (const [i, child] of (root.children ?? []).entries()) yield* nodesIn(child, [...path, i]);
}

/** Replaces one node with bytes and corrects all lengths around it. */
export function replaced(root: Node, path: readonly number[], bytes: Buffer): Buffer {
  const [at, ...rest] = path;
  if (at === undefined) return bytes;
  const inside = (root.children ?? []).map((child, i) => (i === at ? replaced(child, rest, bytes) : encoded(child)));
  return element(root.tag, root.prefix, ...inside);
}

export function encoded(node: Node): Buffer {
  return node.children === undefined
    ? element(node.tag, node.content)
    : element(node.tag, node.prefix, ...node.children.map(encoded));
}

/** Encodes one element with the shortest form of its length. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function elements(bytes: Buffer): Node[] | undefined {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const size = first < 0x80 ? 0 : first & 0x7f;
    if ((tag & 0x1f) === 0x1f || size > 2 || first === 0x80) return undefined;
    const start = at + 2 + size;
    const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
    if (start + length > bytes.length) return undefined;
    nodes.push(nodeOf(tag, bytes.subarray(start, start + length)));
    at = start + length;
  }
  return nodes;
}

function nodeOf(tag: number, content: Buffer): Node {
  if ((tag & CONSTRUCTED) !== 0) return { tag, prefix: EMPTY, children: elements(content), content };
  const skip = tag === BIT_STRING ? 1 : 0;
  const holds = (tag === OCTET_STRING || tag === BIT_STRING) && content.length > skip + 1;
  const children = holds ? elements(content.subarray(skip)) : undefined;
  return { tag, prefix: children === undefined ? EMPTY : content.subarray(0, skip), children, content };
}
