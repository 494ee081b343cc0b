/** How the scanner treats a value: enter it, capture its bytes, stream its bytes, or skip it. */
export type Wanted = 'enter' | 'capture' | 'stream' | 'skip';

/** Callbacks of a scanner. */
export interface JsonVisitor {
  /**
   * Chooses the treatment of a value. `keys` is the path from the root to the value; an element of a list has an empty
   * key, and the root has no keys. The scanner reuses the list, so the callback must not keep it.
   */
  want(keys: readonly string[]): Wanted;
  /** Receives a captured value, which is undefined if it exceeds the limit. `start` and `end` are its byte offsets. */
  captured(keys: readonly string[], json: string | undefined, start: number, end: number): void;
  /** Receives a part of a streamed value. */
  part(keys: readonly string[], bytes: Buffer): void;
  /** Called at the end of an entered value. */
  left(keys: readonly string[]): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** Square and curly brackets differ only in this bit. */
const BRACKET_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_CURLY = 0x7b;
const CLOSE_SQUARE = 0x5d;
/** @limit the name of a member in a state, bytes -> the member is ignored */
const MAX_KEY_BYTES = 4_096;
/** @limit nesting depth of a state, levels -> the resources and outputs of the state are not listed */
const MAX_DEPTH = 16;

/** Number of bytes of a string that are read one by one. For short strings a native search costs more. */
const SHORT = 48;

/** Number of cached names, and maximum bytes of each. */
const KNOWN_KEYS = 64;
const KNOWN_BYTES = 32;

type Step = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'next' | 'raw' | 'done' | 'broken';

function endOfScalar(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === COMMA || (byte | BRACKET_BIT) === CLOSE || isSpace(byte)) return at;
  }
  return bytes.length;
}

/**
 * Returns the position of the quote that ends a string; without one, the end of the bytes. If the last byte is a
 * backslash, the result is one more, because the backslash escapes the first byte of the next part.
 */
function closingQuote(bytes: Buffer, start: number): number {
  const { length } = bytes;
  const near = Math.min(start + SHORT, length);
  let at = start;
  for (; at < near; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  if (at >= length) return at;
  // A long string: native functions find the quote and the backslashes before it.
  for (let from = at; ; ) {
    const quote = bytes.indexOf(QUOTE, from);
    const end = quote < 0 ? length : quote;
    let before = end;
    while (before > at && bytes[before - 1] === BACKSLASH) before--;
    const isEscaped = (end - before) % 2 === 1;
    if (quote < 0) return isEscaped ? length + 1 : length;
    if (!isEscaped) return quote;
    from = quote + 1;
  }
}

/** Decodes a string without its opening quote. Returns undefined if it is invalid. */
function unquoted(text: string): string | undefined {
  if (!text.includes('\\')) return text.slice(0, -1);
  try {
    return JSON.parse(`"${text}`) as string;
  } catch {
    return undefined;
  }
}

/** Cache of member names. Names occur again and again, and decoding each from its bytes is slow. */
class KnownKeys {
  readonly #slots: ({ readonly bytes: Buffer; readonly key: string } | undefined)[] = new Array(KNOWN_KEYS).fill(
    undefined,
  );

  /** Decodes a string without its opening quote. Returns undefined if it is invalid. */
  textOf(bytes: Buffer, start: number, end: number): string | undefined {
    const length = end - start;
    const place = (length * 31 + (bytes[start] as number) * 7 + (bytes[end - 2] ?? 0)) % KNOWN_KEYS;
    const slot = this.#slots[place];
    if (slot?.bytes.length === length && isAt(slot.bytes, bytes, start)) return slot.key;
    const key = unquoted(bytes.toString('utf8', start, end));
    if (key !== undefined && length <= KNOWN_BYTES) {
      this.#slots[place] = { bytes: Buffer.from(bytes.subarray(start, end)), key };
    }
    return key;
  }
}

function isAt(expected: Buffer, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
  return true;
}

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Streaming JSON scanner (RFC 8259) with constant memory: it follows brackets and strings and keeps only the values
 * that the visitor wants. It does not validate the values that it skips.
 */
export class JsonScanner {
  readonly #visitor: JsonVisitor;
  readonly #maxCapture: number;
  readonly #maxDepth: number;
  /** For each open container, whether it is an object. */
  readonly #isObject: boolean[] = [];
  readonly #keys: string[] = [];
  readonly #known = new KnownKeys();
  #step: Step = 'value';
  #offset = 0;

  /** Treatment of the current value, if it is not entered. */
  #wanted: Wanted = 'skip';
  #rawDepth = 0;
  #inString = false;
  #escaped = false;
  #scalar = false;
  #valueStart = 0;
  #parts: Buffer[] = [];
  #length = 0;

  /**
   * @param maxCapture maximum bytes of a captured value
   * @param maxDepth levels that are entered; deeper input counts as invalid JSON
   */
  constructor(visitor: JsonVisitor, maxCapture: number, maxDepth = MAX_DEPTH) {
    this.#visitor = visitor;
    this.#maxDepth = maxDepth;
    this.#maxCapture = maxCapture;
  }

  /** Scans the next bytes. After invalid JSON it ignores all further input. */
  feed(part: Uint8Array): void {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let at = 0;
    while (at < bytes.length && this.#step !== 'broken') at = this.#advance(bytes, at);
    this.#offset += bytes.length;
  }

  /** Returns whether the input was exactly one JSON value. */
  end(): boolean {
    if (this.#step === 'raw' && this.#scalar && this.#isObject.length === 0) this.#endOfValue();
    return this.#step === 'done';
  }

  #advance(bytes: Buffer, at: number): number {
    if (this.#step === 'raw') return this.#raw(bytes, at);
    if (this.#step === 'key' && this.#inString) return this.#key(bytes, at);
    const byte = bytes[at] as number;
    if (isSpace(byte)) return at + 1;
    switch (this.#step) {
      case 'value-or-end':
        return byte === CLOSE_SQUARE ? this.#leave(at) : this.#value(bytes, at);
      case 'value':
        return this.#value(bytes, at);
      case 'key-or-end':
      case 'key':
        if (byte === CLOSE && this.#step === 'key-or-end') return this.#leave(at);
        if (byte !== QUOTE) return this.#break();
        this.#beginRaw('key');
        this.#inString = true;
        return at + 1;
      case 'colon':
        if (byte !== COLON) return this.#break();
        this.#step = 'value';
        return at + 1;
      case 'next':
        if (byte === (this.#isObject.at(-1) ? CLOSE : CLOSE_SQUARE)) return this.#leave(at);
        if (byte !== COMMA) return this.#break();
        this.#step = this.#isObject.at(-1) ? 'key' : 'value';
        return at + 1;
      default:
        return this.#break();
    }
  }

  #break(): number {
    this.#step = 'broken';
    this.#parts = [];
    return Number.MAX_SAFE_INTEGER;
  }

  #beginRaw(step: Step): void {
    this.#step = step;
    this.#inString = false;
    this.#escaped = false;
    this.#rawDepth = 0;
    this.#parts = [];
    this.#length = 0;
  }

  #value(bytes: Buffer, at: number): number {
    const byte = bytes[at] as number;
    const isContainer = (byte | BRACKET_BIT) === OPEN;
    if (!isContainer && ((byte | BRACKET_BIT) === CLOSE || byte === COMMA || byte === COLON)) return this.#break();
    const wanted = this.#visitor.want(this.#keys);
    if (wanted === 'enter' && isContainer) return this.#enter(byte === OPEN_CURLY, at);
    this.#beginRaw('raw');
    this.#wanted = wanted === 'enter' ? 'skip' : wanted;
    this.#scalar = !isContainer && byte !== QUOTE;
    this.#valueStart = this.#offset + at;
    return this.#raw(bytes, at);
  }

  #enter(isObject: boolean, at: number): number {
    if (this.#isObject.length === this.#maxDepth) return this.#break();
    this.#isObject.push(isObject);
    this.#keys.push('');
    this.#step = isObject ? 'key-or-end' : 'value-or-end';
    return at + 1;
  }

  #leave(at: number): number {
    if (this.#isObject.pop() === undefined) return this.#break();
    this.#keys.pop();
    this.#visitor.left(this.#keys);
    this.#step = this.#isObject.length === 0 ? 'done' : 'next';
    return at + 1;
  }

  /** Reads the rest of a key, without its quotes. */
  #key(bytes: Buffer, start: number): number {
    const end = this.#endOfString(bytes, start);
    if (this.#inString || this.#length > 0) this.#keep(bytes.subarray(start, end), MAX_KEY_BYTES);
    if (this.#inString) return end;
    const key =
      this.#length > 0 ? unquoted(Buffer.concat(this.#parts).toString()) : this.#known.textOf(bytes, start, end);
    if (key === undefined) return this.#break();
    this.#keys[this.#keys.length - 1] = key;
    this.#step = 'colon';
    return end;
  }

  /** Reads to the end of the value, or of the available bytes. */
  #raw(bytes: Buffer, start: number): number {
    const at = this.#scalar ? endOfScalar(bytes, start) : this.#endOfRaw(bytes, start);
    const hasEnded = this.#scalar ? at < bytes.length : this.#rawDepth === 0 && !this.#inString;
    const isWhole = hasEnded && this.#length === 0 && this.#wanted === 'capture';
    if (this.#wanted === 'stream') this.#visitor.part(this.#keys, bytes.subarray(start, at));
    else if (this.#wanted === 'capture' && !isWhole) this.#keep(bytes.subarray(start, at), this.#maxCapture);
    if (!hasEnded) return at;
    if (isWhole) this.#tell(at - start, () => bytes.toString('utf8', start, at));
    this.#endOfValue();
    return at;
  }

  #endOfRaw(bytes: Buffer, start: number): number {
    const { length } = bytes;
    let at = this.#inString ? this.#endOfString(bytes, start) : start;
    let depth = this.#rawDepth;
    if (this.#inString || (at > start && depth === 0)) return at;
    while (at < length) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) {
        at = closingQuote(bytes, at) + 1;
        if (at > length) {
          this.#inString = true;
          this.#escaped = at > length + 1;
          at = length;
        }
        if (depth === 0) break;
      } else if ((byte | BRACKET_BIT) === OPEN) {
        depth++;
      } else if ((byte | BRACKET_BIT) === CLOSE && --depth === 0) {
        break;
      }
    }
    this.#rawDepth = depth;
    return at;
  }

  /** Returns the position behind the closing quote, or the end of the bytes. */
  #endOfString(bytes: Buffer, start: number): number {
    const at = closingQuote(bytes, this.#escaped ? start + 1 : start);
    this.#inString = at >= bytes.length;
    this.#escaped = at > bytes.length;
    return Math.min(at + 1, bytes.length);
  }

  /** Copies the bytes, because the caller reuses the buffer. */
  #keep(bytes: Buffer, limit: number): void {
    this.#length += bytes.length;
    if (this.#length <= limit) this.#parts.push(Buffer.from(bytes));
    else this.#parts = [];
  }

  #tell(length: number, textOf: () => string): void {
    const json = length <= this.#maxCapture ? textOf() : undefined;
    this.#visitor.captured(this.#keys, json, this.#valueStart, this.#valueStart + length);
  }

  #endOfValue(): void {
    if (this.#wanted === 'capture' && this.#length > 0) {
      this.#tell(this.#length, () => Buffer.concat(this.#parts).toString());
      this.#parts = [];
    }
    this.#step = this.#isObject.length === 0 ? 'done' : 'next';
  }
}
