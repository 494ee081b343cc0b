import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Address } from './address-guard.ts';
import { networkError } from './fetch-error.ts';

/** One request to one URL. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** PEM of authorities that vouch for https servers, beside those of the system. */
  readonly authorities: readonly string[];
}

const USER_AGENT = 'lockkeeper';
/** Reading the system's authorities takes some 10 ms, so what was made for one set of extra ones is kept. */
const contexts = new LRUCache<string, SecureContext>({ max: 32 });

/** A connection for each request. A resumed TLS session is not verified again, and what vouches for it may differ: none is kept. */
const httpAgent = new HttpAgent({ keepAlive: false });
const httpsAgent = new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 });

/** Sends the request to one of the addresses; resolves with the head of the answer, rejects with a `FetchError`. */
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

/** Node.js asks for the address of the name; it gets those that were checked, and DNS is not asked again. */
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
