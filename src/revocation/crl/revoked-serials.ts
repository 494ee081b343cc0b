import { randomBytes } from 'node:crypto';
import type { EntryArena, Revocation } from './entry-arena.ts';
import { type HashKey, keyedHash } from './keyed-hash.ts';

/** Ratio that keeps at least a third of the table free. */
const SLOTS_PER_ENTRY = 1.5;
/**
 * Each entry may touch a page of memory for the first time, which is most of its cost.
 * @limit entries of a CRL that are indexed in one step, entries -> the rest is indexed in the next steps
 */
export const ENTRIES_PER_STEP = 128;
/**
 * Size of a segment of the table as a power of two. Segments are allocated one by one, because the system zeroes new
 * memory at once.
 */
const SEGMENT_BITS = 15;
const SEGMENT_SLOTS = 2 ** SEGMENT_BITS;
const FREE = 0;

/**
 * Hash table of the serial numbers of a CRL: exact look-up in constant time for any number and length, with a hash that
 * attackers cannot predict. It stores positions in the arena, with open addressing and linear probing. An entry of 16
 * bytes takes 23 bytes in the arena and 6 to 12 in the table.
 */
export class RevokedSerials {
  readonly #arena: EntryArena;
  readonly #key: HashKey = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()];
  /** Number of slots as a power of two. */
  readonly #slots: number;
  /** Positions of entries, each plus one; 0 marks a free slot. */
  readonly #table: Uint32Array[] = [];

  private constructor(arena: EntryArena) {
    this.#arena = arena;
    this.#slots = 2 ** Math.ceil(Math.log2(arena.size * SLOTS_PER_ENTRY + 1));
  }

  /** Builds the table of a complete arena in steps far below a millisecond; the last step returns it. */
  static *fromArena(arena: EntryArena): Generator<undefined, RevokedSerials> {
    arena.seal();
    const serials = new RevokedSerials(arena);
    for (let made = 0; made < serials.#slots; made += SEGMENT_SLOTS) {
      serials.#table.push(new Uint32Array(Math.min(serials.#slots, SEGMENT_SLOTS)));
      yield undefined;
    }
    let done = 0;
    for (let at = arena.first; at !== undefined; at = arena.next(at)) {
      serials.#put(at);
      if (++done % ENTRIES_PER_STEP === 0) yield undefined;
    }
    return serials;
  }

  /** Returns undefined if the serial number is not on the CRL. */
  find(serial: Uint8Array): Revocation | undefined {
    const position = this.#positionOf(serial);
    return position === undefined ? undefined : this.#arena.revocationAt(position);
  }

  /**
   * Returns up to `most` different serial numbers, in the order of the CRL, as views.
   * @param after start behind this serial number; the result is undefined if it is not on the CRL
   */
  serials(most = Number.POSITIVE_INFINITY, after?: Uint8Array): Iterable<Uint8Array> | undefined {
    if (after === undefined) return this.#from(this.#arena.first, most);
    const position = this.#positionOf(after);
    return position === undefined ? undefined : this.#from(this.#arena.next(position), most);
  }

  *#from(start: number | undefined, most: number): Generator<Uint8Array> {
    let left = most;
    for (let at = start; at !== undefined && left > 0; at = this.#arena.next(at)) {
      const serial = this.#arena.serialAt(at);
      if (this.#positionOf(serial) !== at) continue;
      left--;
      yield serial;
    }
  }

  /** Adds an entry. A serial number that is listed twice is found at its first position. */
  #put(position: number): void {
    let slot = this.#arena.hashAt(position, this.#key) & (this.#slots - 1);
    for (let held = this.#at(slot); held !== FREE; held = this.#at(slot)) {
      if (this.#arena.areSame(held - 1, position)) return;
      slot = (slot + 1) & (this.#slots - 1);
    }
    (this.#table[slot >>> SEGMENT_BITS] as Uint32Array)[slot & (SEGMENT_SLOTS - 1)] = position + 1;
  }

  #positionOf(serial: Uint8Array): number | undefined {
    let slot = keyedHash(this.#key, serial, 0, serial.length) & (this.#slots - 1);
    for (let held = this.#at(slot); held !== FREE; held = this.#at(slot)) {
      if (this.#arena.isAt(held - 1, serial)) return held - 1;
      slot = (slot + 1) & (this.#slots - 1);
    }
    return undefined;
  }

  #at(slot: number): number {
    return (this.#table[slot >>> SEGMENT_BITS] as Uint32Array)[slot & (SEGMENT_SLOTS - 1)] as number;
  }
}
