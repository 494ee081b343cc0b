/**
 * Limits HTTP/1.1 pipelining to one request at a time. Node.js parses all requests in a packet, possibly thousands,
 * runs them concurrently, and buffers each response until earlier ones are sent.
 *
 * Here the parser stops after a head that arrives while a response is due. Nothing more is read until that response
 * has left the process. Then parsing continues, after other connections had their turn.
 */

import type { IncomingMessage } from 'node:http';
import { type HttpSocket, type ParseError, type Parser, responseDue } from './node-parser.ts';

/**
 * Maximum number of bytes that wait behind a due response: data read before the socket was paused.
 * @limit pipelined data on one HTTP/1.1 connection, bytes -> the connection is closed
 */
export const MAX_WAITING_BYTES = 262_144;

/** Number of HPE_PAUSED in llhttp. */
const HPE_PAUSED = 21;

/** Head of a request as Node.js has parsed it. */
type Incoming = IncomingMessage & { upgrade?: boolean | null };

interface Waiting {
  readonly request: Incoming;
  readonly keepAlive: boolean;
  /** Bytes after the head of the waiting request. Undefined until the parser has stopped. */
  rest: Buffer | undefined;
}

/** Handlers of `node:http` for socket data and errors, and the callback for delayed bytes. */
export interface Handlers {
  readonly data: (packet: Buffer) => void;
  readonly error: (error: Error) => void;
  parsed(packet: Buffer): void;
}

/** A connection during the life of one parser. */
export class PipeliningQueue {
  readonly #socket: HttpSocket;
  readonly #parser: Parser;
  readonly #handlers: Handlers;
  readonly #begin: Parser['onIncoming'];
  #waiting: Waiting | undefined;
  /** Pauses the socket. Also emits `pause`, which stops direct reading of a socket that is already paused. */
  readonly #stop = (): void => void this.#socket.pause().emit('pause');

  constructor(socket: HttpSocket, parser: Parser, handlers: Handlers) {
    this.#socket = socket;
    this.#parser = parser;
    this.#handlers = handlers;
    this.#begin = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) =>
      responseDue(socket) ? this.#wait(request, keepAlive) : this.#begin(request, keepAlive);
  }

  /** Returns whether the parse error is the pause that this queue requested; if so, keeps the unparsed bytes. */
  takes({ code, rawPacket, bytesParsed }: ParseError): boolean {
    const waiting = this.#waiting;
    if (code !== 'HPE_PAUSED' || !waiting || !rawPacket || bytesParsed === undefined) return false;
    this.#stop();
    // `bytesParsed` is the offset of the first stop, so of later packets all bytes are kept.
    if (waiting.rest) waiting.rest = Buffer.concat([waiting.rest, rawPacket]);
    else {
      waiting.rest = rawPacket.subarray(bytesParsed);
      // `node:http` resumes the socket one tick after each request.
      this.#socket.on('resume', this.#stop);
      responseDue(this.#socket)?.once('finish', () => setImmediate(() => this.#resume(waiting)));
    }
    if (waiting.rest.length > MAX_WAITING_BYTES) this.#socket.destroy();
    return true;
  }

  #wait(request: Incoming, keepAlive: boolean): number {
    if (request.upgrade) {
      // The parser would treat later bytes as another protocol. The client sends them again.
      request.upgrade = false;
      responseDue(this.#socket)?.once('finish', () => this.#socket.destroySoon());
    } else {
      this.#waiting = { request, keepAlive, rest: undefined };
    }
    return HPE_PAUSED;
  }

  #resume({ request, keepAlive, rest }: Waiting): void {
    const socket = this.#socket;
    if (!socket.writable || socket.parser !== this.#parser || !rest) return;
    this.#waiting = undefined;
    socket.off('resume', this.#stop);
    // `node:http` removes its listener at the first error.
    if (!socket.listeners('error').includes(this.#handlers.error)) socket.on('error', this.#handlers.error);
    // Restarts direct reading at once, because code that detaches the socket during parsing could not restart it.
    socket.emit('resume');
    this.#parser.resume();
    this.#begin(request, keepAlive);
    if (socket.destroyed) return;
    this.#handlers.data(rest);
    if (this.#waiting || !socket.listeners('data').includes(this.#handlers.data)) return;
    this.#handlers.parsed(rest);
    socket.resume();
  }
}
