import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { JSON_LIMITS, type JsonLimits, notJson, notUtf8, parseJson } from '../json.ts';
import { yieldIfDue } from '../slices.ts';
import { LongText, LongTextWriter } from './long-text.ts';

/**
 * Size of a JSON string, escapes included, above which it becomes a `LongText`.
 * @limit string in a JSON body with a CRL or a state that is processed in one piece, bytes -> the string is processed
 * in pieces
 */
export const LONG_TEXT_BYTES = 65_536;
/** Bytes that are processed before the event loop serves other requests. */
const PIECE_BYTES = 16_384;
/**
 * Size of everything beside the long texts, which is parsed at once.
 * @limit JSON body with a CRL or a state, without its long strings, bytes -> 413
 */
export const REST_BYTES = 262_144;

/**
 * Parses a JSON text like `parseJson`, but returns long strings as `LongText`s. The event loop is never blocked for
 * longer than the time of one piece.
 * @throws AppError `bad-request` like `parseJson`, `too-large` above `REST_BYTES`, and any error of the source
 */
export async function readLongJson(
  source: AsyncIterable<Uint8Array>,
  limits: JsonLimits = JSON_LIMITS,
): Promise<unknown> {
  const reader = new LongJsonReader(limits);
  for await (const bytes of source) {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, bytes.length - start);
      reader.write(Buffer.from(bytes.buffer, bytes.byteOffset + start, length));
      await yieldIfDue();
    }
  }
  return reader.end();
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const U = 0x75;
/** For each byte, whether it needs no escape in a string. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH),
);
/** Length of an escape such as `\u00e9`. */
const ESCAPE_BYTES = 6;

/**
 * Copies everything except the long texts, for each of which it inserts a placeholder. `parseJson` parses the copy, so
 * invalid JSON fails there or in the reader of a long text.
 */
class LongJsonReader {
  readonly #limits: JsonLimits;
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  readonly #texts: LongText[] = [];
  /** Random placeholder that no client can guess. */
  readonly #mark = randomUUID();
  #text: TextReader | undefined;
  #afterSpace = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      at = this.#text ? this.#readText(this.#text, bytes, at) : this.#readBetween(bytes, at);
    }
  }

  end(): unknown {
    if (this.#text) throw notJson();
    const value = parseJson(Buffer.concat(this.#rest), this.#limits);
    let replaced = 0;
    const restored = (one: unknown): unknown => {
      if (typeof one === 'string' && one.startsWith(this.#mark)) {
        replaced++;
        return this.#texts[Number(one.slice(this.#mark.length))];
      }
      if (Array.isArray(one)) return one.map(restored);
      if (typeof one !== 'object' || one === null) return one;
      return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, restored(inner)]));
    };
    const whole = this.#texts.length === 0 ? value : restored(value);
    // The long text was the name of a member, or the value of a duplicate name.
    if (replaced !== this.#texts.length)
      throw new AppError('bad-request', 'the JSON input has a text that is too long');
    return whole;
  }

  /** Reads up to and including the next quote. White space between values is shortened to one space. */
  #readBetween(bytes: Buffer, start: number): number {
    const quote = bytes.indexOf(QUOTE, start);
    const end = quote < 0 ? bytes.length : quote + 1;
    const kept = Buffer.allocUnsafe(end - start);
    let length = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      const isSpace = byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
      if (!(isSpace && this.#afterSpace)) kept[length++] = byte;
      this.#afterSpace = isSpace;
    }
    this.#keep(kept.subarray(0, length));
    if (quote >= 0) this.#text = new TextReader();
    return end;
  }

  /** Reads up to and including the quote that ends the text. */
  #readText(text: TextReader, bytes: Buffer, start: number): number {
    const end = text.read(bytes, start);
    if (text.isComplete) {
      this.#text = undefined;
      const long = text.end();
      if (long instanceof LongText) this.#keep(Buffer.from(`${this.#mark}${this.#texts.push(long) - 1}`), CLOSING);
      else this.#keep(...long, CLOSING);
    }
    return end;
  }

  #keep(...bytes: readonly Buffer[]): void {
    this.#rest.push(...bytes);
    this.#restBytes = bytes.reduce((sum, { length }) => sum + length, this.#restBytes);
    if (this.#restBytes > REST_BYTES) throw new AppError('too-large', 'the request body is too large');
  }
}

const CLOSING = Buffer.from('"');

/** Reads one string between its quotes. Keeps the bytes while the string is short, and decodes it once it is long. */
class TextReader {
  isComplete = false;
  readonly #short: Buffer[] = [];
  #size = 0;
  #long: LongTextWriter | undefined;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Whether the text so far is plain ASCII without escapes and control characters. */
  #isPlain = true;
  /** Number of bytes read of an escape, which may continue in the next chunk. */
  #escape = 0;
  /** The incomplete escape at the end of the last chunk. */
  #held: Buffer = Buffer.alloc(0);

  /** Reads from `start` on. Returns the position behind the closing quote, or the end of the bytes. */
  read(bytes: Buffer, start: number): number {
    const quote = this.#isPlain ? this.#plainQuoteIn(bytes, start) : this.#quoteIn(bytes, start);
    this.isComplete = quote < bytes.length;
    const part = bytes.subarray(start, quote);
    this.#size += part.length;
    if (this.#long) {
      this.#decode(this.#long, part);
    } else {
      this.#short.push(part);
      if (this.#size > LONG_TEXT_BYTES) {
        this.#long = new LongTextWriter();
        this.#decode(this.#long, Buffer.concat(this.#short.splice(0)));
      }
    }
    return quote + 1;
  }

  /** Returns the long text, or the bytes of a short one. */
  end(): LongText | Buffer[] {
    if (!this.#long) return this.#short;
    this.#long.write(this.#utf8Text());
    return this.#long.end();
  }

  #plainQuoteIn(bytes: Buffer, start: number): number {
    const { length } = bytes;
    let at = start;
    while (at < length && IS_PLAIN[bytes[at] as number] === 1) at++;
    if (at === length || bytes[at] === QUOTE) return at;
    this.#isPlain = false;
    return this.#quoteIn(bytes, start);
  }

  /** Returns the position of the closing quote, or the end of the bytes. */
  #quoteIn(bytes: Buffer, start: number): number {
    let progress = this.#escape;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (progress > 1) progress = (progress + 1) % ESCAPE_BYTES;
      else if (progress === 1) progress = byte === U ? 2 : 0;
      else if (byte === BACKSLASH) progress = 1;
      else if (byte === QUOTE) break;
    }
    this.#escape = progress;
    return at;
  }

  #decode(long: LongTextWriter, part: Buffer): void {
    if (this.#isPlain) {
      long.writePlain(part);
      return;
    }
    const bytes = this.#held.length === 0 ? part : Buffer.concat([this.#held, part]);
    const whole = bytes.length - this.#escape;
    this.#held = bytes.subarray(whole);
    const text = this.#utf8Text(bytes.subarray(0, whole));
    try {
      long.write(JSON.parse(`"${text}"`));
    } catch {
      throw notJson();
    }
  }

  #utf8Text(bytes?: Buffer): string {
    try {
      return bytes ? this.#utf8.decode(bytes, { stream: true }) : this.#utf8.decode();
    } catch {
      throw notUtf8();
    }
  }
}
