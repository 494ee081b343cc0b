import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { deflateSync } from 'node:zlib';
import type { Misbehaviour } from '../../support/git-server.ts';

/** Numbers of the types of objects in a pack. */
const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, 'offset-delta': 6, 'id-delta': 7 } as const;
type Type = keyof typeof TYPES;

/** An object as it is in a pack. */
export interface PackedObject {
  readonly type: Type;
  readonly content: Uint8Array;
  /** Size in the header. Default: that of the content. */
  readonly size?: number;
  /** Base of a delta: distance in bytes, or id. */
  readonly base?: number | string;
}

export function packOf(objects: readonly PackedObject[], count = objects.length): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const bytes = Buffer.concat([head, ...objects.map(packedObject)]);
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}

export function packedObject({ type, content, size = content.length, base }: PackedObject): Buffer {
  const reference = typeof base === 'string' ? Buffer.from(base, 'hex') : Buffer.from(offset(base));
  return Buffer.concat([Buffer.from(header(TYPES[type], size)), reference, deflateSync(content)]);
}

function header(type: number, size: number): number[] {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return bytes;
}

function offset(distance: number | undefined): number[] {
  if (distance === undefined) return [];
  const bytes = [distance & 0x7f];
  for (let rest = distance >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (--rest & 0x7f));
  return bytes;
}

/** Returns a size as deltas have it. */
export function deltaSize(size: number): number[] {
  const bytes: number[] = [];
  let rest = size;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(0x80 | (rest & 0x7f));
  return [...bytes, rest];
}

export function idOf(kind: 'commit' | 'tree' | 'blob', content: Uint8Array): string {
  return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex');
}

export function treeOf(entries: readonly (readonly [mode: string, name: string, id: string])[]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
}

/** Returns a commit with a tree, and its id. */
export function commitOf(treeId: string): { readonly id: string; readonly content: Buffer } {
  const person = 'Ada <a@b> 1767300000 +0000';
  const content = Buffer.from(`tree ${treeId}\nauthor ${person}\ncommitter ${person}\n\nx\n`);
  return { id: idOf('commit', content), content };
}

export function packet(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** Returns the response to `fetch` with a pack. */
export function packResponse(pack: Uint8Array): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0; at < pack.length; at += 60_000) {
    packets.push(packet(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])));
  }
  return Buffer.concat([packet('packfile\n'), ...packets, Buffer.from('0000')]);
}

export const ADVERTISEMENT = Buffer.concat([
  ...['version 2\n', 'ls-refs=unborn\n', 'fetch=shallow filter\n', 'object-format=sha1\n'].map(packet),
  Buffer.from('0000'),
]);

/** Lets the capabilities be asked for, and answers commands otherwise than Git. */
export function commands(answer: (response: ServerResponse) => void): Misbehaviour {
  return (request, response) => {
    request.resume();
    if (request.method === 'GET') response.end(ADVERTISEMENT);
    else answer(response);
  };
}

/** Writes as long as the client reads. */
export function writeForever(response: ServerResponse, chunk: Uint8Array): void {
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}
