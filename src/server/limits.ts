import type { Server } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';

/** Bounds on what one listener takes from strangers. Times in milliseconds, sizes in bytes. */
export interface Limits {
  readonly handshakeMs: number;
  /** From the first byte of a request, or from the connection, to the end of the request's head. */
  readonly headersMs: number;
  /** To the end of the request's body. */
  readonly requestMs: number;
  /** In place of it where large content passes (`RequestEvent.transfers`): to its end, in whichever direction. */
  readonly transferMs: number;
  /** How long nothing moves there until it is ended, which takes twice as long at most. */
  readonly transferIdleMs: number;
  /** How long a connection is kept that carries no request. */
  readonly keepAliveMs: number;
  readonly headerBytes: number;
  /** For routes that set no limit of their own (`bodyLimit`). */
  readonly bodyBytes: number;
  /** Requests at a time on one HTTP/2 connection. */
  readonly streams: number;
  readonly connections: number;
}

export const DEFAULT_LIMITS: Limits = {
  handshakeMs: 10_000,
  headersMs: 15_000,
  requestMs: 120_000,
  // 200 MB at 30 KB/s.
  transferMs: 7_200_000,
  transferIdleMs: 120_000,
  // Longer than the minute after which common load balancers give up an idle connection: they close first.
  keepAliveMs: 65_000,
  headerBytes: 16_384,
  bodyBytes: 1_048_576,
  streams: 100,
  connections: 10_000,
};

const LONGEST_CHECK_MS = 5_000;

/** HTTP/1.1 limits are properties, which an HTTP/2 server that also speaks HTTP/1.1 reads alike. */
export function limitHttp1(server: Server | Http2SecureServer, limits: Limits): void {
  Object.assign(server, {
    maxConnections: limits.connections,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // The longest of all; see `TransferTimes` for the others.
    requestTimeout: limits.transferMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headersMs / 2, LONGEST_CHECK_MS),
    // Refused further in, in the shape of the API that was asked.
    requireHostHeader: false,
  });
}

/** For HTTP/2 Node has no time of its own: a connection on which nothing moves. */
export function limitHttp2(server: Http2SecureServer, limits: Limits): void {
  server.on('session', (session: ServerHttp2Session) => {
    // Requests that are still being answered keep a closed session open.
    session.setTimeout(limits.keepAliveMs);
    session.on('timeout', () => session.close());
  });
}
