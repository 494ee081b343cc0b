import { AppError } from '../../lib/errors.ts';
import { type JsonLimits, parseJson } from '../../lib/json.ts';

const LIMITS: JsonLimits = {
  /** @limit nested objects and arrays in the header or the claims of a token, levels -> the token is refused */
  depth: 16,
  /** @limit values in the header or the claims of a token, values -> the token is refused */
  values: 2_000,
};

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses an object that all JSON readers understand alike: without duplicate members at any depth (RFC 7515 §4, RFC
 * 7519 §4). Returns undefined for anything else.
 */
export function strictObject(bytes: Uint8Array, limits: JsonLimits = LIMITS): JsonObject | undefined {
  const value = parsed(bytes, limits);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isText(value)) return undefined;
  return namesTwice(Buffer.from(bytes).toString()) ? undefined : (value as JsonObject);
}

/** Rejects lone surrogates: two different texts with them would be stored as the same one. */
function isText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isText(inner));
}

function parsed(bytes: Uint8Array, limits: JsonLimits): unknown {
  try {
    return parseJson(bytes, limits);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Returns whether valid JSON has a duplicate member. */
function namesTwice(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (isName(text, index + token.length)) {
      const name: string = JSON.parse(token);
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

function isName(text: string, end: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return colon.test(text);
}
