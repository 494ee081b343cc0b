import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { JSON_LIMITS, type JsonLimits, notJson, notUtf8, parseJson } from '../json.ts';
import { yieldIfDue } from '../slices.ts';
import { LongText, LongTextWriter } from './long-text.ts';

/**
 * Bytes of a text in JSON, its escapes included, above which it is a `LongText`.
 * @limit a text in a body with a revocation list or a state that is kept whole, bytes -> it is kept in pieces
 */
export const LONG_TEXT_BYTES = 65_536;
/** Bytes that are worked on before others get their turn. */
const PIECE_BYTES = 16_384;
/**
 * Bytes of everything beside the long texts; this is read in one go.
 * @limit everything else in such a body, bytes -> 413
 */
export const REST_BYTES = 262_144;

/**
 * The value of a JSON text as `parseJson` reads it, but long texts in it are `LongText`s, and however long it is, the event
 * loop is held up for no more than a piece of it.
 * @throws AppError `bad-request` as `parseJson`, `too-large` beyond `REST_BYTES`, and whatever the source throws
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
/** For each byte, whether it stands for itself in a text. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH),
);
/** `\u00e9` */
const ESCAPE_BYTES = 6;

/**
 * Copies everything but the long texts, and something else in the place of each of those. The copy is read as any JSON text:
 * what is no JSON fails there, or in the parts of a long text.
 */
class LongJsonReader {
  readonly #limits: JsonLimits;
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  readonly #texts: LongText[] = [];
  /** Nobody outside can write what stands in the place of a long text. */
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
    // A name, or the value of a name that is there twice.
    if (replaced !== this.#texts.length)
      throw new AppError('bad-request', 'the JSON input holds a text that is too long');
    return whole;
  }

  /** Up to and with the next quote. Of white space, which means nothing here, one space is left. */
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

  /** Up to and with the quote that ends the text. */
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

/** One text between its quotes: as it came while it is short, decoded when it is long. */
class TextReader {
  isComplete = false;
  readonly #short: Buffer[] = [];
  #size = 0;
  #long: LongTextWriter | undefined;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** As long as all of it means what it says: no escapes, no control characters, nothing but ASCII. */
  #isPlain = true;
  /** How much of an escape has been read: it may go on with the next bytes. */
  #escape = 0;
  /** What has been read of an escape at the end of the last bytes. */
  #held: Buffer = Buffer.alloc(0);

  /** Reads from `start` on; returns where to go on, behind the closing quote if that is there. */
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

  /** The long text, or the bytes of a short one. */
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

  /** The place of the closing quote, or the end. */
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
