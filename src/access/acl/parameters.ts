import { LongText } from '../../lib/long-json/long-text.ts';
import type { ParameterMap, ParameterValue, Restrictions } from './policy.ts';

export type RequestData = Readonly<Record<string, unknown>>;

/** Returns why a request's parameters are refused, or undefined. The message names parameters, never their values. */
export function parameterFault(rule: Restrictions, data: RequestData): string | undefined {
  const missing = rule.required.find((name) => !Object.hasOwn(data, name));
  if (missing !== undefined) return `the parameter "${missing}" is required`;
  const names = Object.keys(data);
  if (names.length === 0) return undefined;
  if (rule.denied.has('*')) return 'every parameter is denied';
  const denied = names.find((name) => isDenied(rule.denied.get(name.toLowerCase()), data[name]));
  if (denied !== undefined) return `the parameter "${denied}", or this value of it, is denied`;
  if (rule.allowed.size === 0) return undefined;
  const surplus = names.find((name) => !isAllowed(rule.allowed, name, data[name]));
  return surplus === undefined ? undefined : `the parameter "${surplus}", or this value of it, is not allowed`;
}

/** Returns whether a value is denied. A list is denied if any item is, as an array or as text with commas. */
function isDenied(values: readonly ParameterValue[] | undefined, value: unknown): boolean {
  if (!values) return false;
  if (values.length === 0) return true;
  const plain = plainOf(value);
  return [plain, ...itemsOf(plain)].some((one) => values.some((pattern) => fits(pattern, one)));
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && value.includes(',') ? value.split(',').map((item) => item.trim()) : [];
}

function isAllowed(allowed: ParameterMap, name: string, value: unknown): boolean {
  const values = allowed.get(name.toLowerCase());
  if (!values) return allowed.has('*');
  if (values.length === 0) return true;
  const plain = plainOf(value);
  return values.some((pattern) => fits(pattern, plain));
}

/** Converts a long text to a string only if a policy restricts its values. */
const plainOf = (value: unknown): unknown => (value instanceof LongText ? value.toString() : value);

/** Compares numbers and booleans as text, because clients send both forms. A text may start and end with `*`. */
function fits(pattern: ParameterValue, value: unknown): boolean {
  if (typeof pattern === 'object' && pattern !== null) return sameStructure(pattern, value);
  if (typeof value === 'object' && value !== null) return false;
  return typeof pattern === 'string' ? fitsText(pattern, String(value)) : String(pattern) === String(value);
}

function fitsText(pattern: string, text: string): boolean {
  const open = pattern.startsWith('*');
  const end = pattern.length > 1 && pattern.endsWith('*');
  const core = pattern.slice(open ? 1 : 0, end ? -1 : undefined);
  if (open && end) return text.includes(core);
  if (open) return text.endsWith(core);
  return end ? text.startsWith(core) : text === core;
}

function sameStructure(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size && left.every(([key, value]) => right.has(key) && sameStructure(value, right.get(key)))
  );
}
