import type { Server } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

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
  readonly connections: number;
  /** Of one address, or of a /64 of IPv6. Proxies that may speak for their clients are not counted. */
  readonly connectionsPerAddress: number;
}

export const DEFAULT_LIMITS: Limits = {
  handshakeMs: 10_000,
  headersMs: 15_000,
  requestMs: 120_000,
  // 200 MB at 30 KB/s.
  transferMs: 7_200_000,
  transferIdleMs: 120_000,
  answerMs: 300_000,
  answerIdleMs: 30_000,
  farewellMs: 5_000,
  unsentBytes: 1_048_576,
  // Longer than the minute after which common load balancers give up an idle connection: they close first.
  keepAliveMs: 65_000,
  headerBytes: 16_384,
  bodyBytes: 1_048_576,
  streams: 100,
  connections: 10_000,
  connectionsPerAddress: 2_000,
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

/** Frames that a client may send in a second that are no requests and carry nothing: PING and SETTINGS. */
export const IDLE_FRAMES_PER_SECOND = 100;

/** A connection that Node knows under a session of HTTP/2; the types know neither. */
type Below = Socket & { readonly _parent?: Socket };

/** For HTTP/2 Node has no time of its own: a connection on which nothing moves. */
export function limitHttp2(server: Http2SecureServer, limits: Limits): void {
  server.on('session', (session: ServerHttp2Session) => {
    const socket: Below = session.socket;
    const raw = socket._parent ?? socket;
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
