import { Buffer } from 'node:buffer';
import { REVOCATION_REASONS, type RevokedCertificate } from '../../x509/index.ts';
import { type HashKey, keyedHash } from './keyed-hash.ts';

/** A position combines the number of a chunk and an offset in it, in 32 bits. */
const OFFSET_BITS = 20;
const CHUNK_BYTES = 2 ** OFFSET_BITS;
const LENGTH_BYTES = 2;
const REST_BYTES = 5;
const LATEST_SECOND = 2 ** 32 - 1;

/** Time and reason of a revocation. */
export interface Revocation {
  /** Revocation time, milliseconds since 1970, in whole seconds; dates before 1970 and after 2106 are clamped. */
  readonly revokedAt: number;
  /** Reason code of RFC 5280 §5.3.1, such as `keyCompromise`. */
  readonly reason: string;
}

/**
 * Arena allocator for the entries of a CRL, without one object for each: length of the serial number (2 bytes), serial
 * number, reason (1), second of the revocation (4). It grows without copying existing entries.
 */
export class EntryArena {
  readonly #chunks: Buffer[] = [];
  /** Number of used bytes of each chunk. */
  readonly #ends: number[] = [];
  #size = 0;

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  /** Appends a copy of the entry. */
  add({ serial, revokedAt, reason }: RevokedCertificate): void {
    const length = LENGTH_BYTES + serial.length + REST_BYTES;
    if (this.#chunks.length === 0 || this.#last + length > CHUNK_BYTES) this.#addChunk();
    const chunk = this.#chunks.at(-1) as Buffer;
    const start = this.#last;
    chunk.writeUInt16LE(serial.length, start);
    chunk.set(serial, start + LENGTH_BYTES);
    const rest = start + LENGTH_BYTES + serial.length;
    chunk.writeUInt8(reason, rest);
    chunk.writeUInt32LE(Math.min(Math.max(Math.floor(revokedAt / 1000), 0), LATEST_SECOND), rest + 1);
    this.#ends[this.#ends.length - 1] = start + length;
    this.#size++;
  }

  /** Frees the memory reserved for further entries. No entry may be added afterwards. */
  seal(): void {
    const last = this.#chunks.pop();
    if (last) this.#chunks.push(Buffer.from(last.subarray(0, this.#last)));
  }

  /** Position of the first entry; undefined if there is none. */
  get first(): number | undefined {
    return this.#size > 0 ? 0 : undefined;
  }

  /** Returns the position of the next entry; undefined after the last. */
  next(position: number): number | undefined {
    const number = position >>> OFFSET_BITS;
    const end = (position & (CHUNK_BYTES - 1)) + LENGTH_BYTES + this.#serialLength(position) + REST_BYTES;
    if (end < (this.#ends[number] as number)) return number * CHUNK_BYTES + end;
    return number + 1 < this.#chunks.length ? (number + 1) * CHUNK_BYTES : undefined;
  }

  /** Returns a view of the serial number, not a copy. */
  serialAt(position: number): Buffer {
    const start = (position & (CHUNK_BYTES - 1)) + LENGTH_BYTES;
    return this.#chunkOf(position).subarray(start, start + this.#serialLength(position));
  }

  revocationAt(position: number): Revocation {
    const chunk = this.#chunkOf(position);
    const rest = (position & (CHUNK_BYTES - 1)) + LENGTH_BYTES + this.#serialLength(position);
    const reason = REVOCATION_REASONS[chunk.readUInt8(rest)] ?? 'unspecified';
    return { revokedAt: chunk.readUInt32LE(rest + 1) * 1000, reason };
  }

  hashAt(position: number, key: HashKey): number {
    const start = (position & (CHUNK_BYTES - 1)) + LENGTH_BYTES;
    return keyedHash(key, this.#chunkOf(position), start, start + this.#serialLength(position));
  }

  /** Returns whether the entry at a position has this serial number. */
  isAt(position: number, serial: Uint8Array): boolean {
    return this.#isAt(position, serial, 0, serial.length);
  }

  /** Returns whether the entries at two positions have the same serial number. */
  areSame(one: number, other: number): boolean {
    const start = (other & (CHUNK_BYTES - 1)) + LENGTH_BYTES;
    return this.#isAt(one, this.#chunkOf(other), start, this.#serialLength(other));
  }

  #isAt(position: number, bytes: Uint8Array, from: number, length: number): boolean {
    if (this.#serialLength(position) !== length) return false;
    const chunk = this.#chunkOf(position);
    const start = (position & (CHUNK_BYTES - 1)) + LENGTH_BYTES;
    // Different serial numbers usually differ in their last bytes.
    for (let i = length - 1; i >= 0; i--) if (chunk[start + i] !== bytes[from + i]) return false;
    return true;
  }

  get #last(): number {
    return this.#ends.at(-1) ?? 0;
  }

  #addChunk(): void {
    this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES));
    this.#ends.push(0);
  }

  #chunkOf(position: number): Buffer {
    return this.#chunks[position >>> OFFSET_BITS] as Buffer;
  }

  #serialLength(position: number): number {
    const chunk = this.#chunkOf(position);
    const offset = position & (CHUNK_BYTES - 1);
    return (chunk[offset] as number) | ((chunk[offset + 1] as number) << 8);
  }
}
