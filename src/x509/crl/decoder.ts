import { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';

const BEGIN = '-----BEGIN X509 CRL-----';
const END = '-----END X509 CRL-----';
const SEQUENCE = 0x30;
const EMPTY = Buffer.alloc(0);

/** Turns the bytes of a file into the DER of the one list in it, piece by piece. Both throw a `ParseError`. */
export interface CrlDecoder {
  /** The DER that these bytes bring. */
  write(bytes: Buffer): Buffer;
  /** After the last bytes. */
  end(): void;
}

/**
 * For a file that begins with these bytes (two at least): DER passes as it is, anything else is PEM (RFC 7468). A text
 * can begin with the first byte of DER, but not with the second: no list is shorter than 128 bytes.
 */
export function decoderFor(start: Buffer): CrlDecoder {
  const isDer = start[0] === SEQUENCE && (start[1] ?? 0) >= 0x80;
  return isDer ? { write: (bytes) => bytes, end: () => {} } : new PemDecoder();
}

/** One block of PEM; what lies before and after it is passed over, but a second list is not. */
class PemDecoder implements CrlDecoder {
  #place: 'before' | 'inside' | 'after' = 'before';
  /** What may be the beginning of something that the next bytes go on with. */
  #text = '';
  #padded = false;

  write(bytes: Buffer): Buffer {
    this.#text += bytes.toString('latin1');
    if (this.#place === 'before' && !this.#findBegin()) return EMPTY;
    if (this.#place === 'inside') return this.#readBody();
    if (this.#findBegin()) throw new ParseError('more than one list in a PEM text');
    return EMPTY;
  }

  end(): void {
    if (this.#place === 'before') throw new ParseError('neither DER nor a PEM block "X509 CRL"');
    if (this.#place === 'inside') throw new ParseError('PEM block without an end: X509 CRL');
  }

  /** Steps over the first line of a block; without one, forgets all but what may be part of one. */
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
      if (this.#findBegin()) throw new ParseError('more than one list in a PEM text');
    } else if (!END.startsWith(rest)) {
      throw new ParseError('PEM block without an end: X509 CRL');
    }
    return der;
  }

  /** Decodes whole groups of four, and keeps the rest before whatever follows the body. */
  #decode(body: string, complete: boolean): Buffer {
    const base64 = body.replace(/\s+/g, '');
    const whole = complete ? base64.length : base64.length - (base64.length % 4);
    const group = base64.slice(0, whole);
    const der = Buffer.from(group, 'base64');
    // Buffer passes over what is not base64; encoding again shows whether there was any.
    if (der.toString('base64') !== group || (this.#padded && whole > 0)) {
      throw new ParseError('PEM block that is not base64: X509 CRL');
    }
    this.#padded ||= group.endsWith('=');
    this.#text = base64.slice(whole) + this.#text.slice(body.length);
    return der;
  }
}
