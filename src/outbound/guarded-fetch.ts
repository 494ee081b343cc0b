import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { HttpClient } from '../lib/http/http-client.ts';
import type { HttpResponse, TlsSettings } from '../lib/http/http-request.ts';
import { parseUrl } from '../lib/http/redirect.ts';
import { AddressGuard, type AddressRules } from './address-guard.ts';

export interface FetchOptions {
  /** Method. Default: GET. Only a GET follows redirects. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Headers. The target of a redirect gets them too, unless it is another origin: then only those without secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Timeout of everything: name resolution, redirects, and the body to its last byte. */
  readonly timeoutMs: number;
  /** Maximum bytes of the body, both encoded and decoded. */
  readonly maxBytes: number;
  /** Maximum number of redirects. Default: 0. `manual`: a redirect is returned like any response. */
  readonly maxRedirects?: number | 'manual';
  /** Aborts the fetch before its timeout. */
  readonly signal?: AbortSignal;
  /** PEM of CAs that are trusted for https servers, in addition to those of the system. */
  readonly authorities?: readonly string[];
}

/** Resolves with a response of any status; rejects only with a `FetchError`. */
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<HttpResponse>;

const USER_AGENT = 'lockkeeper';
/** Cache of TLS contexts by their additional CAs, because reading the system's CAs takes some 10 ms. */
const contexts = new LRUCache<string, SecureContext>({ max: 32 });

/**
 * Creates the only client for URLs from certificates and users (protection against SSRF). It supports http and https
 * without credentials in URLs, uses no proxy, and reuses no connection. For the first URL and for each redirect it
 * resolves the name once, checks every IP address, and connects to a checked one. Time and size are limited.
 *
 * @throws CidrError if a block is invalid
 */
export function createGuardedFetch(rules: AddressRules = {}): GuardedFetch {
  const guard = new AddressGuard(rules);
  const client = new HttpClient({
    connections: 'new',
    addressesOf: ({ protocol, hostname }) =>
      guard.addressesOf(hostname, rules.onlyAllowed || (protocol === 'http:' && rules.plainHttp === 'allowed')),
  });
  return async (url, { timeoutMs, maxBytes, maxRedirects = 0, headers, authorities = [], ...request }) =>
    client.send(parseUrl(url), {
      ...request,
      headers: { 'user-agent': USER_AGENT, ...headers },
      limits: { timeoutMs, maxBytes },
      ...(maxRedirects !== 'manual' && { maxRedirects }),
      tls: trust(authorities),
    });
}

function trust(authorities: readonly string[]): TlsSettings {
  if (authorities.length === 0) return {};
  const key = authorities.join('\n');
  const secureContext =
    contexts.get(key) ?? createSecureContext({ ca: [...getCACertificates('default'), ...authorities] });
  contexts.set(key, secureContext);
  return { secureContext };
}
