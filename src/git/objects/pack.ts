import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { GitBounds } from '../bounds.ts';
import { GitError } from '../git-remote.ts';
import { applyDelta, resultSize } from './delta.ts';
import { invalidPack } from './invalid-pack.ts';

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly kind: ObjectKind;
  readonly data: Buffer;
}

/** Returns the number of the base of a delta; undefined as long as it is not known. */
type FindBase = () => number | undefined;

type PackBounds = Pick<GitBounds, 'objects' | 'objectBytes' | 'deltaChain' | 'inflatedBytes'>;

/** Kinds by their number in a pack. */
const KINDS: readonly (ObjectKind | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const OFFSET_DELTA = 6;
const ID_DELTA = 7;
const ID_BYTES = 20;
const HEADER_BYTES = 12;
/** Base of an object that is no delta. */
const NONE = -1;
/** Size of the cache of unpacked objects, bytes. All trees of an ordinary repository fit. */
const CACHE_BYTES = 67_108_864;
const CACHE_ENTRY_BYTES = 64;

/**
 * A pack of objects in memory, with an index by id. Ids are computed from the content, never read. Objects are unpacked
 * when they are needed; a cache keeps those used last.
 * @see https://git-scm.com/docs/gitformat-pack
 */
export class Pack {
  readonly #bytes: Buffer;
  readonly #bounds: PackBounds;
  /** By number of the object: position in the pack and of its compressed content, size of the content. */
  readonly #starts: Float64Array;
  readonly #contents: Float64Array;
  readonly #sizes: Float64Array;
  readonly #bases: Int32Array;
  readonly #kinds: Uint8Array;
  readonly #chains: Uint8Array;
  /** 1 once the id is computed. */
  readonly #isKnown: Uint8Array;
  /** Numbers of objects by their ids, as 20 Latin-1 characters. */
  readonly #numbers = new Map<string, number>();
  readonly #cache = new LRUCache<number, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (data) => data.length + CACHE_ENTRY_BYTES,
  });
  #inflated = 0;

  /** @throws GitError `invalid`, `limit` */
  constructor(bytes: Buffer, bounds: PackBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    const count = this.#checkedCount();
    [this.#starts, this.#contents, this.#sizes] = [
      new Float64Array(count),
      new Float64Array(count),
      new Float64Array(count),
    ];
    this.#bases = new Int32Array(count);
    this.#kinds = new Uint8Array(count);
    this.#chains = new Uint8Array(count);
    this.#isKnown = new Uint8Array(count);
    this.#index(count);
  }

  /** Number of objects. */
  get count(): number {
    return this.#starts.length;
  }

  /** Returns an object; undefined if the pack has none of this id. @param id 40 hexadecimal digits */
  find(id: string): GitObject | undefined {
    return this.findBinary(Buffer.from(id, 'hex').toString('latin1'));
  }

  /** @param id 20 bytes as Latin-1 */
  findBinary(id: string): GitObject | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#object(number);
  }

  #checkedCount(): number {
    const { length } = this.#bytes;
    if (length < HEADER_BYTES + ID_BYTES || this.#bytes.toString('latin1', 0, 4) !== 'PACK') throw invalidPack();
    if (this.#bytes.readUInt32BE(4) !== 2) throw invalidPack();
    const count = this.#bytes.readUInt32BE(8);
    const { objects } = this.#bounds;
    if (count > objects) throw new GitError('limit', `The commit has more than ${objects} objects.`);
    // The shortest object has a byte of its header and eight of compressed content.
    if (count > length / 9) throw invalidPack();
    const sum = createHash('sha1').update(this.#bytes.subarray(0, -ID_BYTES)).digest();
    if (!sum.equals(this.#bytes.subarray(-ID_BYTES))) throw invalidPack();
    return count;
  }

  /** Reads all objects once, computes their ids, and resolves deltas whose bases come later. */
  #index(count: number): void {
    const waiting = new Map<number, FindBase>();
    let at = HEADER_BYTES;
    for (let number = 0; number < count; number++) at = this.#read(number, at, waiting);
    if (at !== this.#bytes.length - ID_BYTES) throw invalidPack();
    while (waiting.size > 0) {
      const before = waiting.size;
      for (const [number, find] of waiting) if (this.#resolve(number, find)) waiting.delete(number);
      // Bases that are not there, or deltas that are based on each other.
      if (waiting.size === before) throw invalidPack();
    }
  }

  /** Reads an object and returns the position behind it. */
  #read(number: number, start: number, waiting: Map<number, FindBase>): number {
    const { type, size, next } = this.#readHeader(start);
    this.#starts[number] = start;
    this.#sizes[number] = size;
    this.#kinds[number] = type;
    this.#bases[number] = NONE;
    const { find, next: content } = this.#readBase(type, number, next);
    this.#contents[number] = content;
    const { data, length } = this.#inflate(number);
    if (!find) this.#add(number, data);
    else if (!this.#resolve(number, find, data)) waiting.set(number, find);
    return content + length;
  }

  #readHeader(start: number): { readonly type: number; readonly size: number; readonly next: number } {
    let at = start;
    let byte = this.#byte(at++);
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte & 0x80; shift += 7) {
      byte = this.#byte(at++);
      size += (byte & 0x7f) * 2 ** shift;
      if (shift > 32) throw invalidPack();
    }
    this.#checkSize(size);
    return { type, size, next: at };
  }

  /** Reads which object a delta is based on. */
  #readBase(type: number, number: number, at: number): { readonly find?: FindBase; readonly next: number } {
    if (type === OFFSET_DELTA) {
      const [offset, next] = this.#readOffset(at);
      const base = this.#numberAt((this.#starts[number] ?? 0) - offset, number);
      return { find: () => (this.#isKnown[base] === 1 ? base : undefined), next };
    }
    if (type === ID_DELTA) {
      const id = this.#bytes.toString('latin1', at, at + ID_BYTES);
      return { find: () => this.#numbers.get(id), next: at + ID_BYTES };
    }
    if (KINDS[type] === undefined) throw invalidPack();
    return { next: at };
  }

  #readOffset(start: number): [offset: number, next: number] {
    let at = start;
    let byte = this.#byte(at++);
    let offset = byte & 0x7f;
    while (byte & 0x80) {
      byte = this.#byte(at++);
      offset = (offset + 1) * 128 + (byte & 0x7f);
      if (offset > this.#bytes.length) throw invalidPack();
    }
    return [offset, at];
  }

  /** Finds the number of an earlier object by its position, by binary search. */
  #numberAt(position: number, before: number): number {
    let low = 0;
    let high = before - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const start = this.#starts[middle] ?? 0;
      if (start === position) return middle;
      if (start < position) low = middle + 1;
      else high = middle - 1;
    }
    throw invalidPack();
  }

  /** Makes the object of a delta if its base is known. Returns whether it is. */
  #resolve(number: number, find: FindBase, content = this.#inflate(number).data): boolean {
    const base = find();
    if (base === undefined) return false;
    const chain = (this.#chains[base] ?? 0) + 1;
    const { deltaChain } = this.#bounds;
    if (chain > deltaChain)
      throw new GitError('limit', `The Git server sent a chain of more than ${deltaChain} deltas.`);
    this.#chains[number] = chain;
    this.#bases[number] = base;
    this.#add(number, this.#made(number, content));
    return true;
  }

  /** Computes the id of an object and adds it to the index. */
  #add(number: number, data: Buffer): void {
    const hash = createHash('sha1')
      .update(`${this.#kindOf(number)} ${data.length}\0`)
      .update(data);
    this.#numbers.set(hash.digest('binary'), number);
    this.#isKnown[number] = 1;
    this.#cache.set(number, data);
  }

  #object(number: number): GitObject {
    return { kind: this.#kindOf(number), data: this.#data(number) };
  }

  #kindOf(number: number): ObjectKind {
    let at = number;
    for (let base = this.#bases[at] ?? NONE; base >= 0; base = this.#bases[at] ?? NONE) at = base;
    const kind = KINDS[this.#kinds[at] ?? 0];
    if (kind === undefined) throw invalidPack();
    return kind;
  }

  #data(number: number): Buffer {
    const cached = this.#cache.get(number);
    if (cached) return cached;
    const data = this.#made(number, this.#inflate(number).data);
    this.#cache.set(number, data);
    return data;
  }

  /** Returns the object of an uncompressed content. The chain of bases is bounded, so this recursion is too. */
  #made(number: number, content: Buffer): Buffer {
    const base = this.#bases[number] ?? NONE;
    if (base < 0) return content;
    const size = resultSize(content);
    this.#checkSize(size);
    this.#spend(size);
    return applyDelta(this.#data(base), content);
  }

  /** Returns the uncompressed content of an object, and the number of its compressed bytes. */
  #inflate(number: number): { readonly data: Buffer; readonly length: number } {
    const size = this.#sizes[number] ?? 0;
    const from = this.#contents[number] ?? 0;
    this.#spend(size);
    const compressed = this.#bytes.subarray(from, this.#bytes.length - ID_BYTES);
    // One more byte than the content has, so that zlib needs no second buffer to find the end.
    const options = { info: true, chunkSize: Math.max(size + 1, 64), maxOutputLength: Math.max(size, 1) } as const;
    try {
      const { buffer, engine } = inflateSync(compressed, options) as unknown as Inflated;
      if (buffer.length !== size) throw invalidPack();
      return { data: buffer, length: engine.bytesWritten };
    } catch (cause) {
      throw cause instanceof GitError ? cause : invalidPack(cause);
    }
  }

  #checkSize(size: number): void {
    const { objectBytes } = this.#bounds;
    if (size > objectBytes)
      throw new GitError('limit', `The commit has a file, or another object, of more than ${objectBytes} bytes.`);
  }

  #spend(bytes: number): void {
    this.#inflated += bytes;
    const { inflatedBytes } = this.#bounds;
    if (this.#inflated > inflatedBytes)
      throw new GitError('limit', `The commit has more than ${inflatedBytes} bytes when it is unpacked.`);
  }

  #byte(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw invalidPack();
    return byte;
  }
}

/** Result of `inflateSync` with the option `info`. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
