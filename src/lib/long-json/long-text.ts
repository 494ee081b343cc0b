import { createHash } from 'node:crypto';
import { yieldIfDue } from '../slices.ts';

/** A text that is too long to be processed at once: pieces of UTF-8, each small enough not to block the event loop. */
export class LongText {
  /** Pieces in order; none is empty. A cut may be inside a character. */
  readonly pieces: readonly Buffer[];
  /** Size of all pieces. */
  readonly bytes: number;
  /** SHA-256 of the text in UTF-8, in hex. */
  readonly sha256: string;

  constructor(pieces: readonly Buffer[], sha256: string) {
    this.pieces = pieces;
    this.bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    this.sha256 = sha256;
  }

  static fromString(text: string): LongText {
    const writer = new LongTextWriter();
    writer.write(text);
    return writer.end();
  }

  /** Returns whether the text contains a short ASCII text. */
  async includes(ascii: string): Promise<boolean> {
    let before = '';
    for (const piece of this.pieces) {
      if (piece.includes(ascii)) return true;
      // The match may start in one piece and end in a later one.
      const edge = before + piece.toString('latin1', 0, ascii.length);
      before = (before + piece.toString('latin1', Math.max(piece.length - ascii.length, 0))).slice(-ascii.length);
      if (edge.includes(ascii)) return true;
      await yieldIfDue();
    }
    return false;
  }

  /** Returns the whole text at once, for code that cannot process pieces. */
  toString(): string {
    return Buffer.concat(this.pieces).toString();
  }

  toJSON(): string {
    return this.toString();
  }
}

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Builds a long text from the parts that arrive. */
export class LongTextWriter {
  readonly #pieces: Buffer[] = [];
  readonly #hash = createHash('sha256');
  /** First half of a surrogate pair whose second half starts the next part. */
  #half = '';

  write(part: string): void {
    const text = this.#half + part;
    this.#half = HIGH_SURROGATE.test(text) ? text.slice(-1) : '';
    this.#add(text.slice(0, text.length - this.#half.length));
  }

  /**
   * Appends an ASCII part without copying it; the caller must not change the bytes. All earlier parts must be ASCII
   * too.
   */
  writePlain(ascii: Buffer): void {
    if (ascii.length === 0) return;
    this.#hash.update(ascii);
    this.#pieces.push(ascii);
  }

  /** Completes the text after the last part. */
  end(): LongText {
    this.#add(this.#half);
    return new LongText(this.#pieces, this.#hash.digest('hex'));
  }

  #add(text: string): void {
    if (text === '') return;
    const piece = Buffer.from(text);
    this.#hash.update(piece);
    this.#pieces.push(piece);
  }
}
