import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { networkError } from '../lib/http/fetch-error.ts';
import type { Address } from './address-guard.ts';

/** One request to one URL. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** PEM of CAs that are trusted for https servers, in addition to those of the system. */
  readonly authorities: readonly string[];
}

const USER_AGENT = 'lockkeeper';
/** Cache of TLS contexts by their additional CAs, because reading the system's CAs takes some 10 ms. */
const contexts = new LRUCache<string, SecureContext>({ max: 32 });

/**
 * Agents that open a connection for each request. A resumed TLS session is not verified again, and the trusted CAs may
 * differ, so no connection is reused.
 */
const httpAgent = new HttpAgent({ keepAlive: false });
const httpsAgent = new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 });

/** Sends the request to one of the addresses. Resolves with the head of the response, rejects with a `FetchError`. */
export function sendRequest(
  url: URL,
  addresses: readonly Address[],
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method: outgoing.method,
    headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...outgoing.headers },
    lookup: lookupOf(addresses),
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: httpsAgent, ...trust(outgoing.authorities) })
      : httpRequest(url, { ...options, agent: httpAgent });
  request.on('error', (error) => reject(networkError(error)));
  request.on('response', resolve);
  request.end(outgoing.body);
  return promise;
}

/** Returns a lookup function for Node.js that returns the checked addresses, so that there is no second DNS query. */
function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses as readonly [Address];
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function trust(authorities: readonly string[]): { secureContext?: SecureContext } {
  if (authorities.length === 0) return {};
  const key = authorities.join('\n');
  const secureContext =
    contexts.get(key) ?? createSecureContext({ ca: [...getCACertificates('default'), ...authorities] });
  contexts.set(key, secureContext);
  return { secureContext };
}
