import type { Input } from '../inputs.ts';
import { TEMPLATES } from './templates.ts';
import { element, encoded, type Node, nodesIn, replaced, treeOf } from './tree.ts';

/** Bytes that replace a node, by the name of the change. */
export type Mutations = Readonly<Record<string, Buffer>>;

export const TAG_NAMES: Readonly<Record<number, string>> = {
  1: 'BOOLEAN',
  2: 'INTEGER',
  3: 'BIT STRING',
  4: 'OCTET STRING',
  5: 'NULL',
  6: 'OBJECT IDENTIFIER',
  10: 'ENUMERATED',
  12: 'UTF8String',
  18: 'NumericString',
  19: 'PrintableString',
  20: 'TeletexString',
  22: 'IA5String',
  23: 'UTCTime',
  24: 'GeneralizedTime',
  26: 'VisibleString',
  28: 'UniversalString',
  30: 'BMPString',
  48: 'SEQUENCE',
  49: 'SET',
};
const STRINGS = [12, 18, 19, 20, 22, 26, 28, 30];
const NULL = Buffer.from([5, 0]);
const FALSE = Buffer.from([1, 1, 0]);
const MINIMUM_ZERO = Buffer.from([0x80, 1, 0]);

/**
 * Returns every template with one change: for each node, each change that a node of its type can have. The result and
 * its order are always the same.
 */
export function mutatedInputs(): Input[] {
  return TEMPLATES.flatMap(({ name, kind, der }) => {
    const root = treeOf(der);
    const inputs: Input[] = [{ kind, der, name: `mutations/${name}` }];
    for (const { node, path } of nodesIn(root)) {
      for (const [change, bytes] of Object.entries(mutationsOf(node))) {
        const place = `${path.join('.')} ${TAG_NAMES[node.tag] ?? `[${node.tag & 0x1f}]`}`;
        inputs.push({ kind, der: replaced(root, path, bytes), name: `mutations/${name}/${place}: ${change}` });
      }
    }
    return inputs;
  });
}

/** Returns all changes of one node. */
export function mutationsOf(node: Node): Mutations {
  const whole = encoded(node);
  return {
    'left out': Buffer.alloc(0),
    twice: Buffer.concat([whole, whole]),
    'length in a longer form': longer(whole),
    ...(node.children === undefined ? ofPrimitive(node) : ofConstructed(node, node.children)),
  };
}

function ofConstructed(node: Node, children: readonly Node[]): Mutations {
  const inside = children.map(encoded);
  const around = (...items: readonly Buffer[]): Buffer => element(node.tag, node.prefix, ...items);
  const [first = Buffer.alloc(0), ...rest] = inside;
  return {
    empty: around(),
    'NULL at its end': around(...inside, NULL),
    'minimum 0 at its end': around(...inside, MINIMUM_ZERO),
    'FALSE behind the first': around(first, FALSE, ...rest),
    ...(inside.length > 1 ? { 'in reverse': around(...inside.toReversed()) } : {}),
    ...((node.tag & 0x20) === 0
      ? {}
      : { 'of indefinite length': Buffer.concat([Buffer.from([node.tag, 0x80]), ...inside, Buffer.alloc(2)]) }),
  };
}

function ofPrimitive({ tag, content }: Node): Mutations {
  const same = (...parts: readonly Uint8Array[]): Buffer => element(tag, ...parts);
  const any = { empty: same(), constructed: element(tag | 0x20, content) };
  if (tag === 1) return { ...any, FALSE, 'TRUE as 1': same(Buffer.from([1])) };
  if (tag === 2 || tag === 10) return { ...any, ...ofInteger(same, content) };
  if (tag === 3) return { ...any, ...ofBits(same, content) };
  if (tag === 5) return { ...any, 'with a byte': same(Buffer.from([0])) };
  if (tag === 6)
    return { ...any, 'with a padded arc': same(content.subarray(0, 1), Buffer.from([0x80]), content.subarray(1)) };
  if (tag === 23 || tag === 24) return { ...any, ...ofTime(same, tag, content.toString('latin1')) };
  if (STRINGS.includes(tag)) return { ...any, ...ofString(same, tag, content) };
  return tag >= 0x80 ? { ...any, ...ofText(same, content) } : any;
}

type Same = (...parts: readonly Uint8Array[]) => Buffer;

function ofInteger(same: Same, content: Buffer): Mutations {
  return {
    zero: same(Buffer.from([0])),
    negative: same(Buffer.from([0xff])),
    'a zero in front': same(Buffer.from([0]), content),
    'of 21 bytes': same(Buffer.alloc(21, 0x11)),
    'of 200 bytes': same(Buffer.alloc(200, 0x11)),
  };
}

/** Named bits; the first byte is the number of unused bits. */
function ofBits(same: Same, content: Buffer): Mutations {
  const unused = content[0] ?? 0;
  const bits = content.subarray(1);
  const padded = Buffer.from(bits);
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 1;
  return {
    'no bits': same(Buffer.from([0])),
    'zero bits only': same(Buffer.from([0]), Buffer.alloc(1)),
    'all bits counted': same(Buffer.from([0]), bits),
    'a zero byte behind': same(Buffer.from([0]), bits, Buffer.alloc(1)),
    'three zero bytes behind': same(Buffer.from([0]), bits, Buffer.alloc(3)),
    'two zero bytes and unused bits behind': same(Buffer.from([7]), bits, Buffer.alloc(2)),
    'a set bit that is not counted': same(Buffer.from([Math.max(unused, 1)]), padded),
    'eight unused bits': same(Buffer.from([8]), bits),
    'a bit far behind': same(Buffer.from([0]), bits, Buffer.from([0, 1])),
  };
}

function ofTime(same: Same, tag: number, text: string): Mutations {
  const write = (changed: string): Buffer => same(Buffer.from(changed));
  const other = tag === 23 ? element(24, Buffer.from(`20${text}`)) : element(23, Buffer.from(text.slice(2)));
  return {
    'as the other type': other,
    'without seconds': write(`${text.slice(0, -3)}Z`),
    'with a fraction': write(text.replace('Z', '.5Z')),
    'with a fraction of zero': write(text.replace('Z', '.0Z')),
    'with an offset': write(text.replace('Z', '+0100')),
    'with an offset of zero': write(text.replace('Z', '+0000')),
    'without a zone': write(text.replace('Z', '')),
    'in a thirteenth month': write(text.replace(/0[12](0[1-3])/, '13$1')),
    'with a leap second': write(text.replace(/..Z/, '60Z')),
  };
}

function ofString(same: Same, tag: number, content: Buffer): Mutations {
  const text = content.toString('latin1');
  const wide = (width: number): Buffer =>
    Buffer.from([...text].flatMap((c) => [...Array(width - 1).fill(0), c.charCodeAt(0)]));
  const types = STRINGS.filter((type) => type !== tag).map((type) => {
    const bytes = type === 28 ? wide(4) : type === 30 ? wide(2) : content;
    return [`as ${TAG_NAMES[type]}`, element(type, bytes)] as const;
  });
  const bad = [28, 30].map(
    (type) => [`an odd ${TAG_NAMES[type]}`, element(type, content, Buffer.from('xyz'))] as const,
  );
  return { ...Object.fromEntries([...types, ...bad]), ...ofText(same, content) };
}

function ofText(same: Same, content: Buffer): Mutations {
  const behind = (...bytes: readonly number[]): Buffer => same(content, Buffer.from(bytes));
  return {
    'NUL behind': behind(0),
    'line end behind': behind(10),
    'space behind': behind(0x20),
    'DEL behind': behind(0x7f),
    'Latin-1 behind': behind(0xe9),
    'UTF-8 behind': behind(0xc3, 0xa9),
    'a star, at and underscore behind': behind(0x2a, 0x40, 0x5f),
    'space only': same(Buffer.from(' ')),
    'dot in front': same(Buffer.from('.'), content),
  };
}

/** Writes the length in a longer form, which BER allows and DER forbids. */
function longer(whole: Buffer): Buffer {
  const first = whole[1] ?? 0;
  const size = first < 0x80 ? 0 : first & 0x7f;
  const length = size === 0 ? [first] : [...whole.subarray(2, 2 + size)];
  return Buffer.concat([Buffer.from([whole[0] ?? 0, 0x81 + length.length, 0, ...length]), whole.subarray(2 + size)]);
}
