import type { JsonObject } from '../token/strict-json.ts';

/**
 * Returns the claim with a name or, if the name starts with a slash, at a JSON pointer (RFC 6901). Returns undefined
 * if the claim is absent or null.
 */
export function claimAt(claims: JsonObject, name: string): unknown {
  return name.startsWith('/') ? pointedAt(claims, name) : memberOf(claims, name);
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name] ?? undefined;
}

function pointedAt(claims: JsonObject, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((value, name) => {
    if (Array.isArray(value) && !/^(0|[1-9]\d{0,5})$/.test(name)) return undefined;
    return memberOf(value, name);
  }, claims);
}

/** A value that can be compared: not an object or an array. */
export type Plain = string | number | boolean;

/** Excludes integers that a double cannot represent exactly: two different ones could compare as equal. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value)));

/** Returns a value, or the values of an array, as a list. Returns undefined if one of them is not plain. */
export function plainValues(value: unknown): readonly Plain[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  return values.every(isPlain) ? values : undefined;
}

/** Formats a value for an administrator, as JSON. A number too large for a double is shown as Infinity. */
export const shownValue = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'number' ? String(value) : JSON.stringify(value);
