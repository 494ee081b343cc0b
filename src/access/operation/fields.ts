import { isIP } from 'node:net';
import { DurationError, parseSeconds } from '../../lib/duration.ts';
import { AppError } from '../../lib/errors.ts';
import { LongText } from '../../lib/long-json/long-text.ts';
import { textKind, type Wanted } from '../../lib/pem/text-kind.ts';
import { secretText } from '../../lib/secret/secret-text.ts';

/**
 * A field of a request body, in all forms that official clients send: numbers as text, lists as comma-separated text,
 * durations in several forms.
 */
export interface Field<T> {
  /** Value before the first write. */
  readonly initial: T;
  /** Preferred form, for the OpenAPI document; other forms are accepted too. Undefined: any value. */
  readonly schema?: FieldSchema;
  /** Description of the field; see `described`. */
  readonly description?: string;
  /** Allowed names in an object, or in each object of a list. Undefined: any name. */
  readonly nested?: FieldSet;
  /**
   * Parses a value. Returns undefined to keep the stored one.
   * @throws FieldError
   */
  parse(value: unknown): T | undefined;
}

/** Schema in OpenAPI 3.0. */
export interface FieldSchema {
  readonly type: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  readonly format?: string;
  readonly items?: FieldSchema;
}

const TEXT: FieldSchema = { type: 'string' };
const TEXTS: FieldSchema = { type: 'array', items: TEXT };

/** An invalid value. The message never contains the value. */
export class FieldError extends Error {}

export type FieldSet = Readonly<Record<string, Field<unknown>>>;
export type Values<F extends FieldSet> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** Adds descriptions to fields. */
export function described<F extends FieldSet>(fields: F, texts: Readonly<Record<keyof F, string>>): F {
  const entries = Object.entries(fields).map(([name, field]) => [name, { ...field, description: texts[name] }]);
  return Object.fromEntries(entries) as F;
}

export function text(initial = ''): Field<string> {
  return { initial, schema: TEXT, parse: asText };
}

/** A token or another secret. Surrounding white space is removed. */
export function secret(): Field<string> {
  return { initial: '', schema: TEXT, parse: (value) => secretText(asText(value)) };
}

/** IP address of a client. Empty: the address of the connection. */
export function ipAddress(): Field<string> {
  return {
    ...text(),
    parse(value) {
      const address = asText(value).trim();
      if (address === '' || isIP(address) !== 0) return address;
      throw new FieldError('expected an IP address without port and mask');
    },
  };
}

/** A PEM text. If the value cannot be text, the message names its actual format. */
export function pem(): Field<string> {
  return { ...text(), parse: (value) => asPem(value, 'certificate') };
}

/** A PEM text that may be long (`LongText`). */
export function longPem(wanted: Wanted): Field<LongText> {
  return {
    ...longText(),
    parse: (value) => (value instanceof LongText ? value : LongText.fromString(asPem(value, wanted))),
  };
}

/** A text that may be long (`LongText`). Requires `longTexts` in the operation. */
export function longText(): Field<LongText> {
  return {
    initial: LongText.fromString(''),
    schema: TEXT,
    parse: (value) => (value instanceof LongText ? value : LongText.fromString(asText(value))),
  };
}

export function flag(initial = false): Field<boolean> {
  return { initial, schema: { type: 'boolean' }, parse: asFlag };
}

export function integer(initial = 0): Field<number> {
  return { initial, schema: { type: 'integer' }, parse: asInteger };
}

/** A list of strings: an array (items kept whole) or one comma-separated text. `null` before the first write. */
export function list(): Field<readonly string[] | null> {
  return { initial: null, schema: TEXTS, parse: asList };
}

/** Like `list`, but empty instead of null before the first write. */
export function listOrEmpty(): Field<readonly string[]> {
  return { initial: [], schema: TEXTS, parse: asList };
}

/** A duration in whole seconds. Null keeps the stored value. */
export function seconds(): Field<number> {
  return { initial: 0, schema: { type: 'string', format: 'duration' }, parse: asSeconds };
}

/** A duration that may be negative, which can mean that a feature is off. */
export function signedSeconds(): Field<number> {
  return { ...seconds(), parse: asSignedSeconds };
}

/** A time in milliseconds since 1970: RFC 3339, or seconds since 1970. `null`: none. */
export function time(): Field<number | null> {
  return { initial: null, schema: { type: 'string', format: 'date-time' }, parse: asTime };
}

/**
 * Strings by name: an object, or a form that the `bao` and `vault` clients send: `name=value`, a list of these, or
 * JSON text of an object. Null keeps the stored value.
 */
export function pairs(): Field<Readonly<Record<string, string>>> {
  return { initial: {}, schema: { type: 'object' }, parse: asPairs };
}

function asText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new FieldError('a string cannot contain a NUL character');
    return value;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new FieldError('expected a string');
}

function asPem(value: unknown, wanted: Wanted): string {
  if (typeof value !== 'string' || !value.includes('\0')) return asText(value);
  throw new FieldError(`a string cannot contain a NUL character: it is ${textKind(value, wanted)}`);
}

const TRUE_TEXTS = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE_TEXTS = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'False']);

function asFlag(value: unknown): boolean {
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'number' ? String(value) : value;
  if (typeof word === 'string' && TRUE_TEXTS.has(word)) return true;
  if (typeof word === 'string' && FALSE_TEXTS.has(word)) return false;
  throw new FieldError('expected true or false');
}

function asInteger(value: unknown): number {
  if (value === null || value === '') return 0;
  const number = typeof value === 'string' && /^-?(\d{1,15}|0x[\da-fA-F]{1,12})$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new FieldError('expected an integer');
}

function asList(value: unknown): readonly string[] {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) return value.map((item) => asText(item).trim());
  return asText(value)
    .split(',')
    .map((item) => item.trim());
}

function asSeconds(value: unknown): number | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw new FieldError('expected a duration');
  return parseSeconds(value);
}

function asSignedSeconds(value: unknown): number | undefined {
  const isNegative = typeof value === 'number' ? value < 0 : typeof value === 'string' && value.startsWith('-');
  if (!isNegative) return asSeconds(value);
  return -(asSeconds(typeof value === 'number' ? -value : String(value).slice(1)) ?? 0);
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

function asTime(value: unknown): number | null {
  if (value === null || value === '') return null;
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND)
    return seconds * 1000;
  const moment = typeof value === 'string' && RFC3339.test(value) ? Date.parse(value.toUpperCase()) : Number.NaN;
  if (Number.isNaN(moment)) throw new FieldError('expected a time such as 2027-01-31T12:00:00Z');
  return moment;
}

function asPairs(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === null) return undefined;
  if (value === '') return {};
  if (typeof value === 'object' && !Array.isArray(value)) return byName(Object.entries(value));
  const texts = Array.isArray(value) ? value.map(asText) : [asText(value)];
  const [only = ''] = texts;
  return texts.length === 1 && only.trimStart().startsWith('{') ? fromJson(only) : byName(texts.map(asPair));
}

function byName(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(entries.map(([name, value]) => [asText(name), asText(value)]));
}

function asPair(text: string): [string, string] {
  const end = text.indexOf('=');
  if (end < 0) throw new FieldError('expected name=value');
  return [text.slice(0, end).trim(), text.slice(end + 1).trim()];
}

function fromJson(text: string): Readonly<Record<string, string>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FieldError('expected an object');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FieldError('expected an object');
  return byName(Object.entries(value));
}

export interface ParsedFields<F extends FieldSet> {
  /** Only the fields in the request. */
  readonly values: Partial<Values<F>>;
  readonly unknown: readonly string[];
}

/**
 * Parses all fields of a body, before anything is stored.
 * @throws AppError bad-request whose message contains the field's name but never its value, which can be a secret
 */
export function parseFields<F extends FieldSet>(fields: F, body: Readonly<Record<string, unknown>>): ParsedFields<F> {
  const values: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) {
      unknown.push(name);
      continue;
    }
    const parsed = parseField(name, field, value);
    if (parsed !== undefined) values[name] = parsed;
  }
  return { values: values as Partial<Values<F>>, unknown };
}

function parseField(name: string, field: Field<unknown>, value: unknown): unknown {
  try {
    return field.parse(value);
  } catch (error) {
    if (!(error instanceof FieldError) && !(error instanceof DurationError)) throw error;
    throw new AppError(
      'bad-request',
      `Field validation failed: error converting input for field "${name}": ${error.message}`,
    );
  }
}

/** Returns the initial values of fields. */
export function initialValues<F extends FieldSet>(fields: F): Values<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial])) as Values<F>;
}

/** Returns the JSON object of a request body. An empty body is an empty object. */
export function requestBody(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new AppError('bad-request', 'failed to parse JSON input: expected an object');
}
