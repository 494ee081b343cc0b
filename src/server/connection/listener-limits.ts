import type { Server } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { rawSocket } from '../peer/raw-socket.ts';

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
  /** From when an answer is made, unless it is large content, until its client has taken it. */
  readonly answerMs: number;
  /** How long a connection is kept whose client takes nothing of an answer. */
  readonly answerIdleMs: number;
  /** How long an HTTP/2 connection may take to close once its session is over: twice that at most. */
  readonly farewellMs: number;
  /** While more than that is unsent on an HTTP/2 connection, its requests wait. */
  readonly unsentBytes: number;
  /** How long a connection is kept that carries no request. */
  readonly keepAliveMs: number;
  readonly headerBytes: number;
  /** For routes that set no limit of their own (`bodyLimit`). */
  readonly bodyBytes: number;
  /** Requests at a time on one HTTP/2 connection. */
  readonly streams: number;
  /** Requests that one HTTP/2 connection may take back (CVE-2023-44487): so many at once, and so many more in each second. */
  readonly resets: number;
  readonly resetsPerSecond: number;
  readonly connections: number;
  /** Of one address, or of a /64 of IPv6. Proxies that may speak for their clients are not counted. */
  readonly connectionsPerAddress: number;
}

export const DEFAULT_LIMITS: Limits = {
  /** @limit a TLS handshake, ms -> the connection is closed */
  handshakeMs: 10_000,
  /** @limit the head of a request, from its first byte, ms -> 408, and the connection is closed */
  headersMs: 15_000,
  /** @limit the body of a request, ms -> 408, and the connection is closed */
  requestMs: 120_000,
  // 200 MB at 30 KB/s.
  /** @limit a state or an archive on its way in or out, ms -> 408, or the connection is closed */
  transferMs: 7_200_000,
  /** @limit a time without a byte in such a transfer, ms -> the connection is closed within twice that */
  transferIdleMs: 120_000,
  /** @limit an answer on its way, unless it is large content, ms -> the connection is closed */
  answerMs: 300_000,
  /** @limit a client that takes nothing of an answer, ms -> the connection is closed */
  answerIdleMs: 30_000,
  /** @limit an HTTP/2 connection whose session is over, ms -> it is closed within twice that */
  farewellMs: 5_000,
  /** @limit answers that a client of one HTTP/2 connection has not taken, bytes -> its further requests wait */
  unsentBytes: 1_048_576,
  // Longer than the minute after which common load balancers give up an idle connection: they close first.
  /** @limit a connection without a request, ms -> it is closed */
  keepAliveMs: 65_000,
  /** @limit the head of a request, bytes -> 431; over HTTP/2 the request is reset */
  headerBytes: 16_384,
  /**
   * @limit the body of a request, where the operation sets no limit of its own, bytes -> 413
   * @setting limits.body_bytes
   */
  bodyBytes: 1_048_576,
  /** @limit requests at a time on one HTTP/2 connection, requests -> they are reset */
  streams: 100,
  /** @limit requests that one HTTP/2 connection takes back at once, requests -> the connection is closed */
  resets: 200,
  /** @limit and again in each second, requests -> the connection is closed */
  resetsPerSecond: 20,
  /**
   * @limit open connections of a listener, connections -> more are closed at once
   * @setting limits.connections
   */
  connections: 10_000,
  /**
   * @limit open connections of one address, or of one /64 of IPv6, connections -> more are closed at once; trusted proxies are not counted
   * @setting limits.connections_per_address
   */
  connectionsPerAddress: 2_000,
};

/** @limit the time between two looks at connections over HTTP/1.1, ms -> what is late is found then */
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

/**
 * Frames that a client may send in a second that are no requests and carry nothing: PING and SETTINGS.
 * @limit PING and SETTINGS frames of one HTTP/2 connection, frames a second -> the connection is closed
 */
export const IDLE_FRAMES_PER_SECOND = 100;

/** For HTTP/2 Node has no time of its own: a connection on which nothing moves. */
export function limitHttp2(server: Http2SecureServer, limits: Limits): void {
  server.on('session', (session: ServerHttp2Session) => {
    const raw = rawSocket(session.socket);
    // Requests that are still being answered keep a closed session open.
    session.setTimeout(limits.keepAliveMs);
    session.on('timeout', () => session.close());
    // The socket of a session that is over waits for a client that may take nothing.
    let isOver = false;
    const look = setInterval(() => {
      if (isOver) raw.destroy();
      isOver = session.destroyed;
    }, limits.farewellMs).unref();
    raw.once('close', () => clearInterval(look));
    boundIdleFrames(session, raw);
  });
}

/** What such frames cost is an answer for each. */
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
