import type { Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerResponse, Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { AnyIncoming, AnyResponse } from '../../lib/request.ts';
import { rawSocket } from '../peer/raw-socket.ts';

/**
 * Time that a new connection has for its first request while the server closes, milliseconds.
 * @limit time for the first request of a connection while the server closes, ms -> the connection is closed
 */
const FIRST_REQUEST_MS = 1_000;

/** A connection and its HTTP/1.1 activity. */
export interface Use {
  /** The raw socket. With TLS, the TLS socket after the handshake. */
  socket: Socket;
  since: number;
  /** Number of unfinished requests. */
  underWay: number;
  /** Time of the last request. */
  bytesRead: number;
}

interface SessionUse {
  readonly since: number;
  isUsed: boolean;
}

/** Connections of a listener. Determines which can be closed without losing a request or response. */
export class Connections {
  /** Connections by `socket`. */
  readonly #uses = new Map<Socket, Use>();
  readonly #sessions = new Map<ServerHttp2Session, SessionUse>();

  constructor(server: Server | Http2SecureServer) {
    const onRequest = (request: AnyIncoming, response: AnyResponse) => this.#follow(request, response);
    server.on('request', onRequest).on('checkExpectation', onRequest);
    server.on('session', (session: ServerHttp2Session) => this.#followSession(session));
  }

  /** Registers a connection. Undefined if it is already known. */
  add(raw: Socket): Use | undefined {
    if (this.#uses.has(raw)) return undefined;
    const use = { socket: raw, since: performance.now(), underWay: 0, bytesRead: 0 };
    this.#uses.set(raw, use);
    return use;
  }

  /** Handles the end of the handshake. */
  secure(socket: Socket): void {
    const raw = rawSocket(socket);
    const use = this.#uses.get(raw);
    if (!use) return;
    this.#uses.delete(raw);
    this.#uses.set(socket, use);
    use.socket = socket;
    use.since = performance.now();
  }

  /** Handles the close of the raw socket and the TLS socket above it. */
  remove({ socket }: Use): void {
    this.#uses.delete(socket);
  }

  /**
   * Closes idle connections whose first request is no longer expected. Call it right after a network poll
   * (`setImmediate`), so that no request is unread. Node.js's own method would abort responses in progress and
   * starting requests.
   */
  closeIdle(): void {
    const now = performance.now();
    for (const [session, { since, isUsed }] of this.#sessions) {
      if (isUsed || since + FIRST_REQUEST_MS < now) session.close();
    }
    for (const { socket, since, underWay, bytesRead } of this.#uses.values()) {
      if (underWay > 0 || bytesRead !== socket.bytesRead) continue;
      if (bytesRead > 0 || since + FIRST_REQUEST_MS < now) socket.destroy();
    }
  }

  /** Resolves when no connection is left. */
  async allClosed(): Promise<void> {
    for (let [socket] = this.#uses.keys(); socket !== undefined; [socket] = this.#uses.keys()) {
      const raw = rawSocket(socket);
      await new Promise((resolve) => raw.once('close', resolve));
    }
  }

  destroyAll(): void {
    for (const { socket } of this.#uses.values()) {
      socket.destroy();
      // A connection may be idle on either socket.
      rawSocket(socket).destroy();
    }
  }

  #follow(request: AnyIncoming, response: AnyResponse): void {
    const { socket } = request;
    const use = 'stream' in request ? undefined : this.#uses.get(socket);
    if (!use) return;
    use.underWay++;
    response.once('close', () => {
      use.underWay--;
      use.bytesRead = socket.bytesRead;
    });
  }

  #followSession(session: ServerHttp2Session): void {
    const use = { since: performance.now(), isUsed: false };
    this.#sessions.set(session, use);
    session.once('stream', () => {
      use.isUsed = true;
    });
    session.once('close', () => this.#sessions.delete(session));
  }
}

/** Closes the connection after this response and announces that to the client, so that no request is lost. */
export function lastOnConnection(request: AnyIncoming, response: AnyResponse): void {
  if ('stream' in request) goAwayBefore(response as Http2ServerResponse, request.stream.session);
  else if (!response.headersSent) (response as ServerResponse).setHeader('connection', 'close');
}

/**
 * Sends GOAWAY with the last received stream (RFC 9113 §6.8). Later streams are refused, so their client can safely
 * retry elsewhere. The recommended first GOAWAY with room for streams in transit is not possible: Node.js has no
 * shutdown notice, and `goaway(0, 2 ** 31 - 1)` makes these streams vanish without a response.
 */
function goAwayBefore(response: Http2ServerResponse, session: Http2Session | undefined): void {
  if (!session || session.closed) return;
  const goAway = () => session.close();
  if (!response.headersSent) {
    const writeHead = response.writeHead;
    response.writeHead = ((...head: Parameters<typeof writeHead>) => {
      goAway();
      return writeHead.apply(response, head);
    }) as typeof writeHead;
  }
  response.once('close', goAway);
}
