import type { Masking } from './masking.ts';
import { isStructured, maskedLine } from './structured-line.ts';

const LINE_END = 0x0a;
const BRACE = 0x7b;
const NOTHING = Buffer.alloc(0);
/**
 * @limit structured line in the log of a run that stays JSON when a secret in it is masked, bytes -> a longer line is
 * masked as text
 */
const MAX_LINE = 1_048_576;

/** Masks secrets in the log of a job as a stream. Structured lines stay JSON; everything else is text. */
export class LogMasking {
  readonly #text: Masking;
  /** The received part of a line that may be structured. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isLineStart = true;

  constructor(text: Masking) {
    this.#text = text;
  }

  /** Adds secrets for the rest of the stream. @param secrets see `secretForms` */
  hide(secrets: readonly Buffer[]): void {
    this.#text.hide(secrets);
  }

  /** Returns the part of the stream that can be sent. */
  next(bytes: Uint8Array): Buffer {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const out: Buffer[] = [];
    for (let at = 0; at < all.length; ) {
      const end = all.indexOf(LINE_END, at);
      const piece = all.subarray(at, end < 0 ? all.length : end + 1);
      out.push(this.#piece(piece, end >= 0));
      at += piece.length;
    }
    return Buffer.concat(out);
  }

  /** Returns the rest at the end of the stream. */
  end(): Buffer {
    this.#isLineStart = true;
    return Buffer.concat([this.#line(), this.#text.end()]);
  }

  #piece(piece: Buffer, isLineEnd: boolean): Buffer {
    const mayBeStructured = this.#held.length > 0 || (this.#isLineStart && piece[0] === BRACE);
    this.#isLineStart = isLineEnd;
    if (!mayBeStructured) return this.#text.next(piece);
    this.#held.push(Buffer.from(piece));
    this.#heldBytes += piece.length;
    return isLineEnd || this.#heldBytes > MAX_LINE ? this.#line() : NOTHING;
  }

  #line(): Buffer {
    const line = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    if (!isStructured(line)) return this.#text.next(line);
    return Buffer.concat([this.#text.end(), maskedLine(line, this.#text.found(line))]);
  }
}
