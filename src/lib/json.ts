import { isUtf8 } from 'node:buffer';
import { AppError } from './errors.ts';

/** What a document from outside may hold. */
export interface JsonLimits {
  /** Objects and arrays inside one another. */
  readonly depth: number;
  /** Values of every sort, those inside others included; counted from above (an empty array counts as two). */
  readonly values: number;
}

/** Of every document from outside. */
export const JSON_LIMITS: JsonLimits = {
  /** @limit objects and arrays inside one another in a JSON body, levels -> 400 */
  depth: 32,
  /** @limit values in a JSON body, values -> 400 */
  values: 10_000,
};

export const notJson = (): AppError => new AppError('bad-request', 'failed to parse JSON input');
export const notUtf8 = (): AppError => new AppError('bad-request', 'failed to parse JSON input: not UTF-8');

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** A square bracket and a curly one differ in the bit 0x20 alone: with it set, both are the curly one. */
const BRACKET_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * The value of a JSON text (RFC 8259) that a stranger sent; undefined for no bytes at all. Depth and number of values are
 * bounded before anything is built, and `__proto__` is no key.
 * @throws AppError `bad-request`, with a text that holds nothing of the input
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits = JSON_LIMITS): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notUtf8();
  refuseExcess(bytes, limits);
  const value = parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  refuseProto(value);
  return value;
}

/**
 * A content-type parser for Fastify (`{ parseAs: 'buffer' }`). Halves of characters, which no database keeps, are U+FFFD in what it reads.
 * @throws AppError as `parseJson`
 */
export async function parseJsonBody(_request: unknown, body: Buffer): Promise<unknown> {
  const value = parseJson(body);
  // They can only have been written as escapes.
  return body.includes('\\ud') || body.includes('\\uD') ? wellFormed(value) : value;
}

/** Every value but the first stands behind a comma or an opening bracket, so those are what is counted. */
function refuseExcess(bytes: Uint8Array, limits: JsonLimits): void {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = endOfString(bytes, i);
    } else if ((byte | BRACKET_BIT) === OPEN) {
      values++;
      if (++depth > limits.depth) throw new AppError('bad-request', 'the JSON input is nested too deeply');
    } else if ((byte | BRACKET_BIT) === CLOSE) {
      depth--;
    } else if (byte === COMMA) {
      values++;
    }
    if (values > limits.values) throw new AppError('bad-request', 'the JSON input holds too many values');
  }
}

/** The place of the closing quote, or the end of a text that has none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}

/** Such a key is harmless here, and an attack on whoever merges the object into another. */
function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__'))
    throw new AppError('bad-request', 'the JSON input holds a key that is not allowed');
  for (const inner of Object.values(value)) refuseProto(inner);
}
