import type { IncomingMessage } from 'node:http';
import { FetchError } from './fetch-error.ts';

/** @limit length of a URL for an outgoing request, characters -> the URL is not fetched */
const MAX_URL_LENGTH = 4096;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that another origin may get. Any other header may be a credential, whatever its name. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'if-modified-since',
  'if-none-match',
  'user-agent',
]);

export function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return headers.location !== undefined && REDIRECTS.has(statusCode);
}

/** Returns the URL that a redirect leads to. @throws FetchError `denied` */
export function redirectTarget({ headers }: IncomingMessage, from: URL): URL {
  return parseUrl(headers.location ?? '', from);
}

/** Returns the headers for a URL of a chain of redirects. Another origin gets no credentials. */
export function headersFor(
  url: URL,
  start: URL,
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  if (url.origin === start.origin) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())));
}

/** Parses a URL that the program did not choose. @throws FetchError `denied` */
export function parseUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH) throw new FetchError('denied', `a URL of more than ${MAX_URL_LENGTH} characters`);
  const url = URL.parse(text, base?.href);
  if (url === null) throw new FetchError('denied', 'not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchError('denied', 'neither http nor https');
  if (url.username !== '' || url.password !== '') throw new FetchError('denied', 'a URL with credentials');
  return url;
}
