const EQUALS = 0x3d;
/** Characters that give whole bytes. */
const GROUP = 4;
const DIGITS = /^[\w+/-]*$/;
/** For each byte, whether it is a digit of base64 (RFC 4648 §4) or of its form for addresses (§5). */
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => Number(DIGITS.test(String.fromCharCode(byte))));

/**
 * Decodes base64 (RFC 4648 §4 and §5, with its padding or without) that comes in parts. One character that is none of it is
 * passed over where it stands beside whole groups, as a line break at the end does; more are not.
 */
export class Base64Reader {
  /** Digits that wait for the rest of their group. */
  #waiting = '';
  #strays = 0;
  #isPadded = false;

  /** What comes of the next part, in UTF-8; undefined once it was no base64. */
  write(part: Buffer): Buffer | undefined {
    if (!this.#isPadded) {
      // Nearly always there is nothing but digits.
      const text = this.#waiting + part.toString('latin1');
      const whole = text.length - (text.length % GROUP);
      const rest = text.slice(whole);
      const bytes = Buffer.from(text.slice(0, whole), 'base64');
      if (bytes.length === (whole / GROUP) * 3 && DIGITS.test(rest)) {
        this.#waiting = rest;
        return bytes;
      }
    }
    return this.#withStrays(part);
  }

  /** What the last digits come to; undefined when all of it was no base64. */
  end(): Buffer | undefined {
    const isWhole = this.#waiting.length === 0;
    return this.#strays === 0 || isWhole ? Buffer.from(this.#waiting, 'base64') : undefined;
  }

  #withStrays(part: Buffer): Buffer | undefined {
    const digits = Buffer.allocUnsafe(part.length);
    let length = 0;
    for (const byte of part) {
      if (byte === EQUALS) this.#isPadded = true;
      else if (this.#isPadded) return undefined;
      else if (IS_DIGIT[byte]) digits[length++] = byte;
      else if (++this.#strays > 1) return undefined;
    }
    const text = this.#waiting + digits.toString('latin1', 0, length);
    const whole = text.length - (text.length % GROUP);
    this.#waiting = text.slice(whole);
    return Buffer.from(text.slice(0, whole), 'base64');
  }
}
