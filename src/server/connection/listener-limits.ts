import type { Server } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { rawSocket } from '../peer/raw-socket.ts';

/** Limits of one listener. Times are in milliseconds, sizes in bytes. */
export interface Limits {
  readonly handshakeMs: number;
  /** Time from the first byte of a request, or from the connection, to the end of the head. */
  readonly headersMs: number;
  /** Time to the end of the request body. */
  readonly requestMs: number;
  /** Time for large content in either direction (`RequestContext.transfers`), instead of the body limit. */
  readonly transferMs: number;
  /** Time without progress of such a transfer. Ends within twice that. */
  readonly transferIdleMs: number;
  /** Time until the client has read a response, unless it is large content. */
  readonly answerMs: number;
  /** Time that a client may read nothing of a response. */
  readonly answerIdleMs: number;
  /** Time that an HTTP/2 connection may take to close after its session. Ends within twice that. */
  readonly farewellMs: number;
  /** Unsent bytes on an HTTP/2 connection above which its requests wait. */
  readonly unsentBytes: number;
  /** Time that an idle connection is kept. */
  readonly keepAliveMs: number;
  readonly headerBytes: number;
  /** Maximum body size of routes without `bodyLimit`. */
  readonly bodyBytes: number;
  /** Maximum number of concurrent requests on one HTTP/2 connection. */
  readonly streams: number;
  /** Maximum number of requests that an HTTP/2 connection may cancel (CVE-2023-44487): burst and rate per second. */
  readonly resets: number;
  readonly resetsPerSecond: number;
  readonly connections: number;
  /** Maximum connections of one IP address (IPv6: /64). Trusted proxies are exempt. */
  readonly connectionsPerAddress: number;
}

export const DEFAULT_LIMITS: Limits = {
  /** @limit duration of a TLS handshake, ms -> the connection is closed */
  handshakeMs: 10_000,
  /** @limit time to receive the head of a request, from its first byte, ms -> 408, and the connection is closed */
  headersMs: 15_000,
  /** @limit time to receive the body of a request, ms -> 408, and the connection is closed */
  requestMs: 120_000,
  // Allows 200 MB at 30 KB/s.
  /** @limit duration of an upload or download of a state or archive, ms -> 408, or the connection is closed */
  transferMs: 7_200_000,
  /**
   * @limit time without progress of an upload or download of a state or archive, ms -> the connection is closed within
   * twice that
   */
  transferIdleMs: 120_000,
  /** @limit time for a client to read a response, except large content, ms -> the connection is closed */
  answerMs: 300_000,
  /** @limit time in which a client reads nothing of a response, ms -> the connection is closed */
  answerIdleMs: 30_000,
  /**
   * @limit time to close an HTTP/2 connection after its session, ms -> the connection is destroyed within twice that
   */
  farewellMs: 5_000,
  /** @limit unread responses on one HTTP/2 connection, bytes -> its further requests wait */
  unsentBytes: 1_048_576,
  // Longer than the idle timeout of common load balancers (one minute), so that they close first.
  /** @limit time that a connection may be idle, ms -> the connection is closed */
  keepAliveMs: 65_000,
  /** @limit size of the head of a request, bytes -> 431; over HTTP/2 the request is reset */
  headerBytes: 16_384,
  /**
   * @limit size of the body of a request, unless the operation has its own limit, bytes -> 413
   * @setting limits.body_bytes
   */
  bodyBytes: 1_048_576,
  /** @limit concurrent requests on one HTTP/2 connection, requests -> further ones are reset */
  streams: 100,
  /** @limit burst of canceled requests on one HTTP/2 connection, requests -> the connection is closed */
  resets: 200,
  /** @limit canceled requests on one HTTP/2 connection per second, requests -> the connection is closed */
  resetsPerSecond: 20,
  /**
   * @limit open connections of a listener, connections -> further ones are closed at once
   * @setting limits.connections
   */
  connections: 10_000,
  /**
   * @limit open connections of one IP address (IPv6: /64), connections -> further ones are closed at once; trusted
   * proxies are exempt
   * @setting limits.connections_per_address
   */
  connectionsPerAddress: 2_000,
};

/** @limit interval of timeout checks on HTTP/1.1 connections, ms -> late connections are closed at the next check */
const LONGEST_CHECK_MS = 5_000;

/** Sets the HTTP/1.1 limits as properties, which an HTTP/2 server with HTTP/1.1 support reads too. */
export function limitHttp1(server: Server | Http2SecureServer, limits: Limits): void {
  Object.assign(server, {
    maxConnections: limits.connections,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // The longest limit; `TransferTimes` enforces the others.
    requestTimeout: limits.transferMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headersMs / 2, LONGEST_CHECK_MS),
    // Such requests are refused later, in the error format of the API.
    requireHostHeader: false,
  });
}

/**
 * Maximum number of PING and SETTINGS frames per second.
 * @limit PING and SETTINGS frames of one HTTP/2 connection, frames a second -> the connection is closed
 */
export const IDLE_FRAMES_PER_SECOND = 100;

/** Idle timeout for HTTP/2, where Node.js has none. */
export function limitHttp2(server: Http2SecureServer, limits: Limits): void {
  server.on('session', (session: ServerHttp2Session) => {
    const raw = rawSocket(session.socket);
    // A closed session stays open for unfinished requests.
    session.setTimeout(limits.keepAliveMs);
    session.on('timeout', () => session.close());
    // The socket of a finished session may wait for a client that reads nothing.
    let isOver = false;
    const look = setInterval(() => {
      if (isOver) raw.destroy();
      isOver = session.destroyed;
    }, limits.farewellMs).unref();
    raw.once('close', () => clearInterval(look));
    boundIdleFrames(session, raw);
  });
}

/** Each such frame costs a response. */
function boundIdleFrames(session: ServerHttp2Session, raw: Socket): void {
  let second = 0;
  let frames = 0;
  const count = () => {
    const now = Math.floor(performance.now() / 1_000);
    frames = now === second ? frames + 1 : 1;
    second = now;
    if (frames <= IDLE_FRAMES_PER_SECOND) return;
    session.destroy();
    raw.destroy();
  };
  session.on('ping', count).on('remoteSettings', count);
}
