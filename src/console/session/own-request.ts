import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../lib/errors.ts';

/** The headers of a request that are read. */
export interface Headers {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Header that pages of the console send (protection against CSRF). No HTML form can send it, and a script of another
 * origin only after a CORS preflight, which the server never allows.
 */
const MARK_HEADER = 'x-lockkeeper-console';

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'LIST']);

/**
 * Returns whether a page of the server's own origin sent the request. Browsers send `Sec-Fetch-Site`; older ones send
 * at least `Origin` with requests that change something. A request with neither header is refused.
 */
export function isFromOwnOrigin({ headers }: Headers): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && URL.parse(origin)?.host === host;
}

/** Returns whether a script of the console sent the request. */
export const isMarked = ({ headers }: Headers): boolean => headers[MARK_HEADER] !== undefined;

/**
 * Returns whether the session cookie applies: for requests of a console script, and for links of a console page to safe
 * methods.
 */
export function isOwnRequest(request: Headers): boolean {
  return isFromOwnOrigin(request) && (isMarked(request) || SAFE.has(request.method));
}

/** @throws 403 for a request that no page of the console sent (protection against CSRF) */
export async function fromOurPages(request: Headers): Promise<void> {
  if (!isFromOwnOrigin(request) || !isMarked(request)) {
    throw new AppError('forbidden', 'The request does not come from a page of the console');
  }
}
