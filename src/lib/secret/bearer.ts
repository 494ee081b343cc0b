import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors.ts';

/** What is read of a request. */
export interface WithHeaders {
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly rawHeaders: readonly string[] };
}

const NAME = 'authorization';
/** RFC 9110 §11.1: any case. White space around the token is none of it; over HTTP/2 nobody has removed it. */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

/**
 * The token in the header Authorization; undefined for none, or for another scheme.
 * @throws AppError bad-request when the header came twice: Node reads the first, and whatever stands in front may read another
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
