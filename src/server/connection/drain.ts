import type { Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerResponse, Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { AnyIncoming, AnyResponse } from '../../lib/request.ts';
import { rawSocket } from '../peer/raw-socket.ts';

/**
 * How long a connection of a server that closes is given for its first request, from its beginning; milliseconds.
 * @limit the first request of a connection, when the server closes, ms -> the connection is closed
 */
const FIRST_REQUEST_MS = 1_000;

/** A connection, and what has happened on it over HTTP/1.1. */
export interface Use {
  /** The raw socket; with TLS, once the handshake is done, the one above it. */
  socket: Socket;
  since: number;
  /** Requests that are not answered in full. */
  underWay: number;
  /** When the last one was. */
  bytesRead: number;
}

interface SessionUse {
  readonly since: number;
  isUsed: boolean;
}

/** The connections of a listener. It knows which of them can be closed without anybody losing a request or an answer. */
export class Connections {
  /** Each by its `socket`. */
  readonly #uses = new Map<Socket, Use>();
  readonly #sessions = new Map<ServerHttp2Session, SessionUse>();

  constructor(server: Server | Http2SecureServer) {
    const onRequest = (request: AnyIncoming, response: AnyResponse) => this.#follow(request, response);
    server.on('request', onRequest).on('checkExpectation', onRequest);
    server.on('session', (session: ServerHttp2Session) => this.#followSession(session));
  }

  /** A connection begins; undefined for one that is known already. */
  add(raw: Socket): Use | undefined {
    if (this.#uses.has(raw)) return undefined;
    const use = { socket: raw, since: performance.now(), underWay: 0, bytesRead: 0 };
    this.#uses.set(raw, use);
    return use;
  }

  /** Its handshake is done. */
  secure(socket: Socket): void {
    const raw = rawSocket(socket);
    const use = this.#uses.get(raw);
    if (!use) return;
    this.#uses.delete(raw);
    this.#uses.set(socket, use);
    use.socket = socket;
    use.since = performance.now();
  }

  /** Its raw socket is closed, and so is the one above it. */
  remove({ socket }: Use): void {
    this.#uses.delete(socket);
  }

  /**
   * Those that carry nothing, and whose first request is not to be expected any more. To be called right behind a look at
   * the network (`setImmediate`), so that no request lies there unread. Node's own way ends answers that are still being
   * sent, and requests that begin.
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

  /** Resolves when there is none. */
  async allClosed(): Promise<void> {
    for (let [socket] = this.#uses.keys(); socket !== undefined; [socket] = this.#uses.keys()) {
      const raw = rawSocket(socket);
      await new Promise((resolve) => raw.once('close', resolve));
    }
  }

  destroyAll(): void {
    for (const { socket } of this.#uses.values()) {
      socket.destroy();
      // A connection may have stopped at either.
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

/** Makes this answer the last on its connection, and tells the client so before or with it: none of its requests is lost. */
export function lastOnConnection(request: AnyIncoming, response: AnyResponse): void {
  if ('stream' in request) goAwayBefore(response as Http2ServerResponse, request.stream.session);
  else if (!response.headersSent) (response as ServerResponse).setHeader('connection', 'close');
}

/**
 * GOAWAY with the last stream that was received (RFC 9113 §6.8); those that come after it are refused, which tells their client
 * that nothing was done and that they can be sent again elsewhere. A first GOAWAY that leaves room for those on the way cannot
 * be sent: Node has no shutdown notice, and `goaway(0, 2 ** 31 - 1)` has the same streams vanish without any answer.
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
