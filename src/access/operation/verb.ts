import { AppError } from '../../lib/errors.ts';
import type { Verb } from '../acl/index.ts';

export type RequestedVerb = Exclude<Verb, 'create'>;

const VERBS: Readonly<Record<string, RequestedVerb>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'update',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
  LIST: 'list',
};
const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'False']);

/**
 * Returns the verb of an HTTP method. GET with `list=true` is LIST, for clients that cannot send it.
 * @throws AppError for an unsupported method, and for a `list` that is neither true nor false
 */
export function verbOf(method: string, query: unknown): RequestedVerb {
  const verb = VERBS[method];
  if (!verb) throw new AppError('method-not-allowed', '1 error occurred:\n\t* unsupported operation\n\n');
  if (verb !== 'read') return verb;
  const { list = '' } = query as { list?: unknown };
  if (typeof list === 'string' && TRUE.has(list)) return 'list';
  if (typeof list === 'string' && FALSE.has(list)) return 'read';
  throw new AppError('bad-request', 'list: expected true or false');
}

/** Returns the sorted HTTP methods of some verbs. */
export function methodsOf(verbs: readonly RequestedVerb[]): readonly string[] {
  const methods = Object.entries(VERBS).filter(([, verb]) => verbs.includes(verb));
  return methods.map(([method]) => method).sort();
}

/** Returns whether a request is for help (`?help=1`), with any method. */
export function wantsHelp(query: unknown): boolean {
  const { help = '' } = query as { help?: unknown };
  return help !== '';
}

/** Returns the query of a read as its data. */
export function dataOf(query: unknown): Readonly<Record<string, unknown>> {
  const { list: _list, help: _help, ...data } = query as Record<string, unknown>;
  return data;
}
