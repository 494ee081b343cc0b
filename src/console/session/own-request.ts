import type { IncomingHttpHeaders } from 'node:http';

/** What is read of a request. */
export interface Headers {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Our own pages send it. No form can, and no script of another origin without asking us first, which we never allow. */
const MARK_HEADER = 'x-lockkeeper-console';

/** Nothing that they ask for changes anything. */
const SAFE = new Set(['GET', 'HEAD', 'LIST']);

/**
 * Whether a page of our own origin sent it. Browsers say so in `Sec-Fetch-Site`; an older one at least where it comes from, if
 * anything can change. Whoever says nothing is none of our pages.
 */
export function isFromOwnOrigin({ headers }: Headers): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && URL.parse(origin)?.host === host;
}

/** Whether our own script sent it. */
export const isMarked = ({ headers }: Headers): boolean => headers[MARK_HEADER] !== undefined;

/** Whether the session cookie counts: a script of ours asks, or a page of ours links to what changes nothing. */
export function isOwnRequest(request: Headers): boolean {
  return isFromOwnOrigin(request) && (isMarked(request) || SAFE.has(request.method));
}
