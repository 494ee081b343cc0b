import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { contentError, decodedContent } from '../lib/http/content-encoding.ts';
import { Deadline } from '../lib/http/deadline.ts';
import { FetchError } from '../lib/http/fetch-error.ts';
import { type Address, AddressGuard, type AddressRules } from './address-guard.ts';
import { type Outgoing, sendRequest } from './send-request.ts';

export interface FetchOptions {
  /** Method. Default: GET. A POST follows no redirect. */
  readonly method?: 'GET' | 'POST';
  /** Headers, which are sent to the targets of redirects as well. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Timeout of everything: name resolution, redirects, and the body to its last byte. */
  readonly timeoutMs: number;
  /** Maximum bytes of the body, both encoded and decoded. */
  readonly maxBytes: number;
  /** Maximum number of redirects. Default: 0. */
  readonly maxRedirects?: number;
  /** Aborts the fetch before its timeout. */
  readonly signal?: AbortSignal;
  /** PEM of CAs that are trusted for https servers, in addition to those of the system. */
  readonly authorities?: readonly string[];
}

export interface FetchResponse {
  /** HTTP status; may be any, 404 and 500 included. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The body as it arrives, to be read once, decoded if it was sent as gzip. Throws a `FetchError` if the connection
   * breaks, the timeout passes, or the body exceeds `maxBytes`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Returns the whole body. Throws like `body`. */
  bytes(): Promise<Buffer>;
  /** Closes the connection without reading the body. */
  discard(): void;
}

/** Resolves with a response of any status; rejects only with a `FetchError`. */
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<FetchResponse>;

/** @limit length of a URL for an outgoing request, characters -> the URL is not fetched */
const MAX_URL_LENGTH = 4096;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the only client for URLs from certificates and users (protection against SSRF). It supports http and https
 * without credentials in URLs, uses no proxy, and reuses no connection. For the first URL and for each redirect it
 * resolves the name once, checks every IP address, and connects to a checked one. Time and size are limited.
 *
 * @throws CidrError if a block is invalid
 */
export function createGuardedFetch(rules: AddressRules = {}): GuardedFetch {
  const guard = new AddressGuard(rules);
  const addressesOf: AddressesOf = ({ protocol, hostname }) =>
    guard.addressesOf(hostname, protocol === 'http:' && rules.plainHttp === 'allowed');
  return async (url, options) => {
    const deadline = new Deadline(options.timeoutMs, options.signal);
    try {
      const incoming = await follow(parseUrl(url), addressesOf, options, deadline);
      return responseOf(incoming, options.maxBytes, deadline);
    } catch (error) {
      deadline.clear();
      throw deadline.explain(error);
    }
  };
}

type AddressesOf = (url: URL) => Promise<readonly Address[]>;

/** Returns the first response that is not a redirect. */
async function follow(
  start: URL,
  addressesOf: AddressesOf,
  options: FetchOptions,
  deadline: Deadline,
): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, authorities = [], maxRedirects = 0 } = options;
  const outgoing: Outgoing = { method, headers, body, authorities };
  let url = start;
  for (let redirects = 0; ; redirects++) {
    const addresses = await deadline.race(addressesOf(url));
    const incoming = await sendRequest(url, addresses, outgoing, deadline.signal);
    const { location } = incoming.headers;
    if (location === undefined || !REDIRECTS.has(incoming.statusCode ?? 0)) return incoming;
    incoming.destroy();
    if (redirects === maxRedirects || method !== 'GET') {
      throw new FetchError('redirect', `${url.host} redirects again after ${redirects} redirects`);
    }
    url = parseUrl(location, url);
  }
}

function parseUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH) throw new FetchError('denied', `a URL of more than ${MAX_URL_LENGTH} characters`);
  const url = URL.parse(text, base?.href);
  if (url === null) throw new FetchError('denied', 'not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchError('denied', 'neither http nor https');
  if (url.username !== '' || url.password !== '') throw new FetchError('denied', 'a URL with credentials');
  return url;
}

function responseOf(incoming: IncomingMessage, maxBytes: number, deadline: Deadline): FetchResponse {
  incoming.once('close', () => deadline.clear());
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
    incoming.destroy();
    throw tooLarge(maxBytes);
  }
  const body = limited(incoming, maxBytes, deadline);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body,
    bytes: () => collect(body),
    discard: () => void incoming.destroy(),
  };
}

async function* limited(incoming: IncomingMessage, maxBytes: number, deadline: Deadline): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of decodedContent(incoming)) {
      received += chunk.length;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw deadline.explain(error instanceof FetchError ? error : contentError(error));
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): FetchError {
  return new FetchError('too-large', `more than ${maxBytes} bytes`);
}
