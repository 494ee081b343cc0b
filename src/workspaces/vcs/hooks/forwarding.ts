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

/** Returns the client for the requests of a connection. */
export type FetchFor = (connection: ConnectionServers) => GuardedFetch;

/**
 * Sends the requests of a connection with an agent pool through its agents, if they go to the servers of the connection.
 * Others, such as those to the sign-in server of a provider, are sent by this server.
 */
export function fetchOfConnections(direct: GuardedFetch, forwarding: () => Forwarding): FetchFor {
  return ({ agentPoolId, apiUrl, httpUrl }) => {
    if (agentPoolId === null) return direct;
    const own = new Set([apiUrl, httpUrl].map((url) => URL.parse(url)?.origin));
    const forwarded = forwarding().fetchThrough(agentPoolId);
    return (url, options) => (own.has(URL.parse(url)?.origin) ? forwarded : direct)(url, options);
  };
}
