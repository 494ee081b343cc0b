import type { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';

/** Identifier octets that X.509 uses. Tags are one byte, because X.509 has no long-form tag numbers. */
export const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Returns `[number]`, primitive: an implicitly tagged simple value. */
export const primitiveTag = (number: number): number => 0x80 | number;
/** Returns `[number]`, constructed: an explicitly tagged value, or an implicitly tagged structure. */
export const constructedTag = (number: number): number => 0xa0 | number;

/**
 * Maximum nesting depth, more than any structure that this module reads.
 * @limit nested elements of DER, levels -> the data cannot be read
 */
const MAX_DEPTH = 16;
/**
 * Length octets after the first; four of them are enough for 4 GiB.
 * @limit length field of a DER element, octets -> the data cannot be read
 */
const MAX_LENGTH_OCTETS = 4;

/**
 * A strict forward reader of DER (X.690 §10) over part of a buffer: definite and shortest lengths only, no copies, no
 * recursion. `next` moves to the next element, whose parts are then available; `enter` returns a reader of its content.
 */
export class DerReader {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #depth: number;
  #position: number;
  #elementStart = 0;
  #contentStart = 0;
  #contentEnd = 0;

  /** Reads the elements in `bytes[start, end)`. */
  constructor(bytes: Buffer, start = 0, end = bytes.length, depth = 0) {
    if (depth > MAX_DEPTH) throw new ParseError(`more than ${MAX_DEPTH} levels of nesting`);
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#depth = depth;
    this.#position = start;
  }

  /** Returns a reader of the content of the single element in `bytes`. */
  static inside(bytes: Buffer, tag: number): DerReader {
    const outer = new DerReader(bytes);
    const inner = outer.enter(tag);
    outer.finish();
    return inner;
  }

  get more(): boolean {
    return this.#position < this.#end;
  }

  /** Returns whether the next element has this tag. */
  at(tag: number): boolean {
    return this.more && this.#bytes[this.#position] === tag;
  }

  /** Moves to the next element and returns its tag. */
  next(): number {
    const start = this.#position;
    if (start === this.#end) throw this.#error('an element is missing');
    if (start + 2 > this.#end) throw this.#error('truncated');
    const tag = this.#byte(start);
    if ((tag & 0x1f) === 0x1f) throw this.#error('a tag number above 30');
    this.#readLength(start + 1);
    this.#elementStart = start;
    this.#position = this.#contentEnd;
    return tag;
  }

  /** Moves to the next element, which must have this tag. */
  expect(tag: number): void {
    const start = this.#position;
    const found = this.next();
    if (found === tag) return;
    this.#position = start;
    throw this.#error(`tag 0x${found.toString(16)} instead of 0x${tag.toString(16)}`);
  }

  /** Skips the next element if it has this tag. */
  skipOptional(tag: number): boolean {
    if (!this.at(tag)) return false;
    this.next();
    return true;
  }

  /** Moves to the next element, which must have this tag, and returns a reader of its content. */
  enter(tag: number): DerReader {
    this.expect(tag);
    return this.inner();
  }

  /** Returns a reader of the content of the current element. */
  inner(): DerReader {
    return new DerReader(this.#bytes, this.#contentStart, this.#contentEnd, this.#depth + 1);
  }

  /** Throws if anything is left. */
  finish(): void {
    if (this.more) throw this.#error('bytes after the end');
  }

  /** Length of the content of the current element, bytes. */
  get length(): number {
    return this.#contentEnd - this.#contentStart;
  }

  /** Returns the byte at `index` in the content of the current element; `index` must be below `length`. */
  octet(index: number): number {
    return this.#byte(this.#contentStart + index);
  }

  /** Content of the current element: a view, not a copy. */
  get content(): Buffer {
    return this.#bytes.subarray(this.#contentStart, this.#contentEnd);
  }

  /** The current element with its header: a view. */
  get element(): Buffer {
    return this.#bytes.subarray(this.#elementStart, this.#contentEnd);
  }

  /** All bytes of this reader: a view. */
  get all(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Returns the content of the current element as text, one character a byte (`latin1`) or two (`hex`). */
  text(encoding: 'latin1' | 'hex' | 'utf8'): string {
    return this.#bytes.toString(encoding, this.#contentStart, this.#contentEnd);
  }

  #readLength(at: number): void {
    const first = this.#byte(at);
    const octets = first & 0x80 ? first & 0x7f : 0;
    if (first === 0x80) throw this.#error('indefinite length');
    if (octets > MAX_LENGTH_OCTETS || at + 1 + octets > this.#end) throw this.#error('length out of bounds');
    const length = octets === 0 ? first : this.#longLength(at + 1, octets);
    this.#contentStart = at + 1 + octets;
    this.#contentEnd = this.#contentStart + length;
    if (this.#contentEnd > this.#end) throw this.#error('longer than the enclosing element');
  }

  #longLength(at: number, octets: number): number {
    let length = 0;
    for (let i = 0; i < octets; i++) length = length * 256 + this.#byte(at + i);
    if (length < 0x80 || this.#byte(at) === 0) throw this.#error('length not in its shortest form');
    return length;
  }

  #byte(index: number): number {
    return this.#bytes[index] as number;
  }

  #error(what: string): ParseError {
    return new ParseError(`not DER: ${what} (byte ${this.#position})`);
  }
}
