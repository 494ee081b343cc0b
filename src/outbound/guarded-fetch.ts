import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Address, AddressGuard, type AddressRules } from './address-guard.ts';
import { contentError, decodedContent } from './content-encoding.ts';
import { Deadline } from './deadline.ts';
import { FetchError } from './fetch-error.ts';
import { type Outgoing, sendRequest } from './send-request.ts';

export interface FetchOptions {
  /** Default GET. A POST is never redirected. */
  readonly method?: 'GET' | 'POST';
  /** Sent to whatever a redirect leads to as well. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** For everything, from the look-up of the name over every redirect to the last byte of the body. */
  readonly timeoutMs: number;
  /** Bytes of the body, as it is sent and as it is decoded. */
  readonly maxBytes: number;
  /** Default 0. */
  readonly maxRedirects?: number;
  /** To give up before the time is up. */
  readonly signal?: AbortSignal;
  /** PEM of authorities that vouch for https servers, beside those of the system. */
  readonly authorities?: readonly string[];
}

export interface FetchResponse {
  /** Whatever was answered, 404 and 500 included. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it comes, once, decoded if it was sent as gzip; throws a `FetchError` when it breaks, is late, or grows above `maxBytes`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body. Throws as `body` does. */
  bytes(): Promise<Buffer>;
  /** Closes the connection. For an answer whose body nobody wants. */
  discard(): void;
}

/** Resolves with an answer of whatever status; rejects with a `FetchError` and nothing else. */
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<FetchResponse>;

/** @limit an address, characters -> it is not asked */
const MAX_URL_LENGTH = 4096;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The one way out to URLs that certificates and users name. Plain http and https, no credentials in URLs, no proxy, no
 * connection kept. Every name is resolved once, every address is checked, and the connection goes to a checked address: for
 * the first URL and for each that it redirects to. Time and size are bounded.
 *
 * @throws CidrError when a block is none
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

/** The first answer that is no redirect. */
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
      throw new FetchError('redirect', `${url.host} redirects, and ${redirects} redirects were followed already`);
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
