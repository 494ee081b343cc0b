/** Bit set of small integers. 100,000 of them take 12 KB, and a set operation takes microseconds. */
export class Bits {
  #words: Uint32Array<ArrayBuffer>;

  /** @param size capacity: smaller numbers need no reallocation */
  constructor(size = 0) {
    this.#words = new Uint32Array((size + 31) >>> 5);
  }

  static of(numbers: Iterable<number>, size = 0): Bits {
    const bits = new Bits(size);
    for (const number of numbers) bits.add(number);
    return bits;
  }

  add(number: number): void {
    const at = number >>> 5;
    if (at >= this.#words.length) this.#grow(at + 1);
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (number & 31));
  }

  delete(number: number): void {
    const at = number >>> 5;
    if (at < this.#words.length) this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (number & 31));
  }

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  get size(): number {
    let size = 0;
    for (let at = 0; at < this.#words.length; at++) size += onesIn(this.#words[at] ?? 0);
    return size;
  }

  // Plain loops: a callback for each word is ten times slower.
  and(other: Bits): Bits {
    const [words, others] = [this.#words.slice(), other.#words];
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0);
    return Bits.#having(words);
  }

  andNot(other: Bits): Bits {
    const [words, others] = [this.#words.slice(), other.#words];
    const common = Math.min(words.length, others.length);
    for (let at = 0; at < common; at++) words[at] = (words[at] ?? 0) & ~(others[at] ?? 0);
    return Bits.#having(words);
  }

  or(other: Bits): Bits {
    if (other.#words.length > this.#words.length) return other.or(this);
    const [words, others] = [this.#words.slice(), other.#words];
    for (let at = 0; at < others.length; at++) words[at] = (words[at] ?? 0) | (others[at] ?? 0);
    return Bits.#having(words);
  }

  /** The numbers in ascending order. */
  numbers(): number[] {
    const numbers: number[] = [];
    for (let at = 0; at < this.#words.length; at++) {
      for (let word = this.#words[at] ?? 0; word !== 0; word &= word - 1) {
        numbers.push(at * 32 + 31 - Math.clz32(word & -word));
      }
    }
    return numbers;
  }

  static #having(words: Uint32Array<ArrayBuffer>): Bits {
    const bits = new Bits();
    bits.#words = words;
    return bits;
  }

  #grow(length: number): void {
    const words = new Uint32Array(Math.max(length, this.#words.length * 2));
    words.set(this.#words);
    this.#words = words;
  }
}

/** Population count (SWAR): counts the bits in pairs, then in groups of four and eight. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
