import { FetchError } from '../../../lib/http/fetch-error.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';

/** Forwards requests to providers in private networks, which only the agents of a pool reach. */
export interface Forwarding {
  /** Returns the client whose requests the agents of a pool send. */
  fetchThrough(agentPoolId: string): GuardedFetch;
}

/** A request that agents could not forward. `reason` follows the host in a sentence for owners of connections. */
export class ForwardingError extends FetchError {
  readonly reason: string;

  constructor(reason: string) {
    super('network', `the request was not forwarded: the server ${reason}`);
    this.reason = reason;
  }
}

/** Servers of a connection, and the pool whose agents reach them. */
export interface ConnectionServers {
  readonly apiUrl: string;
  readonly httpUrl: string;
  /** Null if the server itself sends the requests. */
  readonly agentPoolId: string | null;
}

/**
 * Returns the client for the requests of a connection.
 * @param publicOrigins servers of the provider that this server contacts itself, such as that of a sign-in
 */
export type FetchFor = (connection: ConnectionServers, publicOrigins?: readonly string[]) => GuardedFetch;

const ELSEWHERE =
  'is not contacted, because it is neither the server of http-url nor of api-url, and agents forward requests only to these';

/** Sends the requests of a connection with an agent pool through its agents, if they go to the servers of the connection. */
export function fetchOfConnections(direct: GuardedFetch, forwarding: () => Forwarding): FetchFor {
  return ({ agentPoolId, apiUrl, httpUrl }, publicOrigins = []) => {
    if (agentPoolId === null) return direct;
    const own = originsOf([apiUrl, httpUrl]);
    const others = originsOf(publicOrigins);
    const forwarded = forwarding().fetchThrough(agentPoolId);
    return async (url, options) => {
      const origin = URL.parse(url)?.origin;
      if (own.has(origin)) return await forwarded(url, options);
      if (others.has(origin)) return await direct(url, options);
      throw new ForwardingError(ELSEWHERE);
    };
  };
}

/** Interrupts requests when the signal is aborted, so that a slow provider does not delay the stop of the server. */
export function interruptible(fetchFor: FetchFor, end: AbortSignal): FetchFor {
  return (...servers) => {
    const fetch = fetchFor(...servers);
    return (url, options) => {
      const signal = options.signal === undefined ? end : AbortSignal.any([options.signal, end]);
      return fetch(url, { ...options, signal });
    };
  };
}

const originsOf = (urls: readonly string[]) => new Set(urls.map((url) => URL.parse(url)?.origin));
