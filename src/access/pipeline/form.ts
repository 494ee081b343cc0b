/** Form bodies, for clients that send them: `curl -d name=web`, HTML, old libraries. */

import type { FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { JSON_LIMITS } from '../../lib/json.ts';

/** @limit form body of an operation whose JSON body may be longer, bytes -> 413 */
export const MAX_FORM_BYTES = 1_048_576;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const METHODS = new Set(['POST', 'PUT']);
/** Insignificant white space in JSON (RFC 8259 §2). */
const SPACE = new Set([...' \t\n\r'].map((character) => character.charCodeAt(0)));
const JSON_STARTS = new Set([...'[{'].map((character) => character.charCodeAt(0)));

/** Returns whether the body may be a form. curl declares every body as a form, JSON included. */
export function maySendForm({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return METHODS.has(method) && FORM_TYPE.test(headers['content-type'] ?? '');
}

/** Returns whether the first bytes of a possible form are a form: not empty, and not a JSON object or array. */
export function isForm(head: Uint8Array): boolean {
  const first = head.find((byte) => !SPACE.has(byte));
  return first !== undefined && !JSON_STARTS.has(first);
}

/**
 * Parses a form (WHATWG URL §5.1) into strings by name. Repeated values are joined with commas.
 * @throws AppError bad-request with a message that contains nothing of the input
 */
export function parseForm(bytes: Uint8Array): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  const pairs = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('&');
  if (pairs.length > JSON_LIMITS.values) throw new AppError('bad-request', 'the form has too many fields');
  for (const pair of pairs) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const [name, value] = end < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, end)), decoded(pair.slice(end + 1))];
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before},${value}`);
  }
  if (fields.has('__proto__')) throw notForm();
  return Object.fromEntries(fields);
}

function decoded(text: string): string {
  if (text.includes(';')) throw notForm();
  try {
    return decodeURIComponent(Buffer.from(text.replaceAll('+', ' '), 'latin1').toString());
  } catch {
    throw notForm();
  }
}

const notForm = (): AppError => new AppError('bad-request', 'error parsing form data');
