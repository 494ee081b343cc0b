import { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';

const BEGIN = '-----BEGIN X509 CRL-----';
const END = '-----END X509 CRL-----';
const SEQUENCE = 0x30;
const EMPTY = Buffer.alloc(0);

/**
 * Converts the bytes of a file to the DER of the single CRL in it, piece by piece. Both methods throw a `ParseError`.
 */
export interface CrlDecoder {
  /** Returns the DER in these bytes. */
  write(bytes: Buffer): Buffer;
  /** Must be called after the last bytes. */
  end(): void;
}

/**
 * Returns the decoder for a file that starts with these bytes (two at least): DER is passed on unchanged, anything else
 * is PEM (RFC 7468). A text can start with the first byte of DER, but not with the second, because no CRL is shorter
 * than 128 bytes.
 */
export function decoderFor(start: Buffer): CrlDecoder {
  const isDer = start[0] === SEQUENCE && (start[1] ?? 0) >= 0x80;
  return isDer ? { write: (bytes) => bytes, end: () => {} } : new PemDecoder();
}

/** Decodes one block of PEM. Text before and behind it is ignored; a second CRL is an error. */
class PemDecoder implements CrlDecoder {
  #place: 'before' | 'inside' | 'after' = 'before';
  /** Text that may be the start of something that continues in the next bytes. */
  #text = '';
  #padded = false;

  write(bytes: Buffer): Buffer {
    this.#text += bytes.toString('latin1');
    if (this.#place === 'before' && !this.#findBegin()) return EMPTY;
    if (this.#place === 'inside') return this.#readBody();
    if (this.#findBegin()) throw new ParseError('more than one CRL in a PEM text');
    return EMPTY;
  }

  end(): void {
    if (this.#place === 'before') throw new ParseError('neither DER nor a PEM block "X509 CRL"');
    if (this.#place === 'inside') throw new ParseError('PEM block without an end: X509 CRL');
  }

  /** Skips the first line of a block; without one, keeps only text that may be part of one. */
  #findBegin(): boolean {
    const at = this.#text.indexOf(BEGIN);
    this.#text = this.#text.slice(at < 0 ? -(BEGIN.length - 1) : at + BEGIN.length);
    if (at >= 0 && this.#place === 'before') this.#place = 'inside';
    return at >= 0;
  }

  #readBody(): Buffer {
    const end = this.#text.indexOf('-');
    const der = this.#decode(end < 0 ? this.#text : this.#text.slice(0, end), end >= 0);
    if (end < 0) return der;
    const rest = this.#text;
    if (rest.startsWith(END)) {
      this.#place = 'after';
      if (this.#findBegin()) throw new ParseError('more than one CRL in a PEM text');
    } else if (!END.startsWith(rest)) {
      throw new ParseError('PEM block without an end: X509 CRL');
    }
    return der;
  }

  /** Decodes whole groups of four characters, and keeps the incomplete rest. */
  #decode(body: string, complete: boolean): Buffer {
    const base64 = body.replace(/\s+/g, '');
    const whole = complete ? base64.length : base64.length - (base64.length % 4);
    const group = base64.slice(0, whole);
    const der = Buffer.from(group, 'base64');
    // Buffer ignores characters that are not base64; encoding the result again reveals them.
    if (der.toString('base64') !== group || (this.#padded && whole > 0)) {
      throw new ParseError('PEM block that is not base64: X509 CRL');
    }
    this.#padded ||= group.endsWith('=');
    this.#text = base64.slice(whole) + this.#text.slice(body.length);
    return der;
  }
}
