import { createHash } from 'node:crypto';
import { yieldIfDue } from '../slices.ts';

/** A text that is too long to be worked on in one go: UTF-8 in pieces, of which none keeps the event loop long. */
export class LongText {
  /** In order; none is empty. Not always cut between characters. */
  readonly pieces: readonly Buffer[];
  /** Of all pieces. */
  readonly bytes: number;
  /** Of the text in UTF-8, in hex. */
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

  /** Whether a short text in ASCII stands in it. */
  async includes(ascii: string): Promise<boolean> {
    let before = '';
    for (const piece of this.pieces) {
      if (piece.includes(ascii)) return true;
      // It may begin in one piece and end in the next, or in one after that.
      const edge = before + piece.toString('latin1', 0, ascii.length);
      before = (before + piece.toString('latin1', Math.max(piece.length - ascii.length, 0))).slice(-ascii.length);
      if (edge.includes(ascii)) return true;
      await yieldIfDue();
    }
    return false;
  }

  /** All of it in one go. For what has no other way. */
  toString(): string {
    return Buffer.concat(this.pieces).toString();
  }

  toJSON(): string {
    return this.toString();
  }
}

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Puts a long text together of the parts that come in. */
export class LongTextWriter {
  readonly #pieces: Buffer[] = [];
  readonly #hash = createHash('sha256');
  /** The first half of a character whose second half begins the next part. */
  #half = '';

  /** Takes the next part. */
  write(part: string): void {
    const text = this.#half + part;
    this.#half = HIGH_SURROGATE.test(text) ? text.slice(-1) : '';
    this.#add(text.slice(0, text.length - this.#half.length));
  }

  /** Takes the next part, of which nobody changes the bytes. All parts before it were of ASCII. */
  writePlain(ascii: Buffer): void {
    if (ascii.length === 0) return;
    this.#hash.update(ascii);
    this.#pieces.push(ascii);
  }

  /** After the last part. */
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
