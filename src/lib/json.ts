import { isUtf8 } from 'node:buffer';
import { AppError } from './errors.ts';

/** Limits of a JSON document. */
export interface JsonLimits {
  /** Maximum depth of nested objects and arrays. */
  readonly depth: number;
  /** Maximum number of values at all levels. This is an upper estimate: an empty array counts as two. */
  readonly values: number;
}

/** Limits of every document that a client sends. */
export const JSON_LIMITS: JsonLimits = {
  /** @limit nested objects and arrays in a JSON body, levels -> 400 */
  depth: 32,
  /** @limit values in a JSON body, values -> 400 */
  values: 10_000,
};

export const notJson = (): AppError => new AppError('bad-request', 'failed to parse JSON input');
export const notUtf8 = (): AppError => new AppError('bad-request', 'failed to parse JSON input: not UTF-8');

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Square and curly brackets differ only in the bit 0x20: with this bit set, both become the curly one. */
const BRACKET_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Parses a JSON text (RFC 8259) of a client; returns undefined for no bytes. Depth and number of values are checked
 * before any value is built, and the key `__proto__` is refused.
 * @throws AppError `bad-request`, with a message that repeats nothing of the input
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
 * Content-type parser for Fastify (`{ parseAs: 'buffer' }`). Lone surrogates, which no database stores, become U+FFFD.
 * @throws AppError like `parseJson`
 */
export async function parseJsonBody(_request: unknown, body: Buffer): Promise<unknown> {
  const value = parseJson(body);
  // A lone surrogate can appear only as an escape.
  return body.includes('\\ud') || body.includes('\\uD') ? wellFormed(value) : value;
}

/**
 * Refuses documents above the limits. Every value except the first follows a comma or an opening bracket, so the
 * function counts these.
 */
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
    if (values > limits.values) throw new AppError('bad-request', 'the JSON input has too many values');
  }
}

/** Returns the position of the closing quote, or the end of the text. */
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

/**
 * Refuses the key `__proto__`. The key is harmless here, but allows prototype pollution in code that merges the object
 * into another.
 */
function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__'))
    throw new AppError('bad-request', 'the JSON input has a key that is not allowed');
  for (const inner of Object.values(value)) refuseProto(inner);
}
