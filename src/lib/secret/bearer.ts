import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors.ts';

/** The parts of a request that are read. */
export interface WithHeaders {
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly rawHeaders: readonly string[] };
}

const NAME = 'authorization';
/**
 * The scheme is case-insensitive (RFC 9110 §11.1). White space around the token is ignored; over HTTP/2 the parser does
 * not remove it.
 */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

/**
 * Returns the token of the header Authorization; undefined if there is none, or another scheme.
 * @throws AppError bad-request if the header appears twice: Node would use the first one, and a proxy in front may use
 * the other
 */
export function bearerToken({ headers, raw }: WithHeaders): string | undefined {
  const value = headers[NAME];
  if (value === undefined) return undefined;
  const count = raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === NAME.length && name.toLowerCase() === NAME,
  ).length;
  if (count > 1) throw new AppError('bad-request', 'The header Authorization was sent more than once');
  return BEARER.exec(value)?.[1];
}
