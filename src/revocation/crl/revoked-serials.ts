import { randomBytes } from 'node:crypto';
import type { EntryArena, Revocation } from './entry-arena.ts';
import { type HashKey, keyedHash } from './keyed-hash.ts';

/** At least a third of the table stays free. */
const SLOTS_PER_ENTRY = 1.5;
/**
 * Each may touch a page of memory for the first time, which is most of its cost.
 * @limit entries of a list that are indexed in one step, entries -> the next step
 */
export const ENTRIES_PER_STEP = 128;
/** Of the table, that are made at a time: memory that is new is filled with zeros, in one go. */
const SEGMENT_BITS = 15;
const SEGMENT_SLOTS = 2 ** SEGMENT_BITS;
const FREE = 0;

/**
 * The serial numbers of a list, looked up in constant time however many there are and however long they are: exactly, and
 * with a hash that nobody outside can steer. A table of positions in the arena, open addressing, linear probing. An entry
 * of 16 bytes takes 23 in the arena and 6 to 12 in the table.
 */
export class RevokedSerials {
  readonly #arena: EntryArena;
  readonly #key: HashKey = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()];
  /** As a power of two. */
  readonly #slots: number;
  /** Positions, each plus one. */
  readonly #table: Uint32Array[] = [];

  private constructor(arena: EntryArena) {
    this.#arena = arena;
    this.#slots = 2 ** Math.ceil(Math.log2(arena.size * SLOTS_PER_ENTRY + 1));
  }

  /** Builds the table over a complete arena, in steps far below a millisecond: the last one returns it. */
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

  /** Undefined when the serial number is not on the list. */
  find(serial: Uint8Array): Revocation | undefined {
    const position = this.#positionOf(serial);
    return position === undefined ? undefined : this.#arena.revocationAt(position);
  }

  /**
   * At most so many serial numbers, each once, in the order of the list. Views.
   * @param after begins behind this one; undefined when it is not on the list
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

  /** A serial number that is listed twice is found at its first place. */
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
