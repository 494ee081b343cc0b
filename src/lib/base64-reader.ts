const EQUALS = 0x3d;
/** Number of characters that decode to whole bytes. */
const GROUP = 4;
const DIGITS = /^[\w+/-]*$/;
/** For each byte, whether it is a digit of base64 (RFC 4648 §4) or base64url (§5). */
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => Number(DIGITS.test(String.fromCharCode(byte))));

/**
 * Decodes base64 and base64url (RFC 4648 §4 and §5, padding optional) that arrives in parts. One other character
 * beside whole groups is ignored, such as a line break at the end; more than one is an error.
 */
export class Base64Reader {
  /** Base64 digits of a group that is not complete yet. */
  #waiting = '';
  #strays = 0;
  #isPadded = false;

  /** Decodes the next part, which is UTF-8. Returns undefined once the text is not base64. */
  write(part: Buffer): Buffer | undefined {
    if (!this.#isPadded) {
      // Fast path: nearly every part holds only digits.
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

  /** Decodes the last digits. Returns undefined if the text was not base64. */
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
