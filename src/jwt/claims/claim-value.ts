import type { JsonObject } from '../token/strict-json.ts';

/**
 * What a token says under a name, or at a JSON pointer (RFC 6901) where that begins with a slash. Undefined where there is nothing,
 * or null.
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

/** A value that can be compared: none that has parts. */
export type Plain = string | number | boolean;

/** Numbers that are not the same could be equal here beyond what a double holds. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value)));

/** One value, or a list of such; undefined for anything else. */
export function plainValues(value: unknown): readonly Plain[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  return values.every(isPlain) ? values : undefined;
}

/** For people: values as they are in JSON. A number beyond what a double holds is Infinity. */
export const shownValue = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'number' ? String(value) : JSON.stringify(value);
