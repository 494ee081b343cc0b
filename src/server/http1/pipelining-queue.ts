/**
 * One request at a time on an HTTP/1.1 connection. Node parses whatever a packet holds, thousands of requests, runs all of
 * them at once and keeps each answer until those before it are sent.
 *
 * Here the parser stops behind a head that comes while a response is due. The head and the bytes behind it wait, and nothing
 * more is read, until that response has left the process; then, when the others have had their turn, it goes on.
 */

import type { IncomingMessage } from 'node:http';
import { type HttpSocket, type ParseError, type Parser, responseDue } from './node-parser.ts';

/**
 * Bytes that wait on one connection behind a response that is due: what was read before the socket could be paused.
 * @limit what waits on one HTTP/1.1 connection behind a request, bytes -> the connection is closed
 */
export const MAX_WAITING_BYTES = 262_144;

/** llhttp's number for it. */
const HPE_PAUSED = 21;

/** As the parser makes it. */
type Incoming = IncomingMessage & { upgrade?: boolean | null };

interface Waiting {
  readonly request: Incoming;
  readonly keepAlive: boolean;
  /** What was read behind its head; undefined until the parser has stopped. */
  rest: Buffer | undefined;
}

/** What `node:http` does with bytes and errors of the socket, and what is to be told of bytes that it was given late. */
export interface Handlers {
  readonly data: (packet: Buffer) => void;
  readonly error: (error: Error) => void;
  parsed(packet: Buffer): void;
}

/** A connection for as long as one parser reads it. */
export class PipeliningQueue {
  readonly #socket: HttpSocket;
  readonly #parser: Parser;
  readonly #handlers: Handlers;
  readonly #begin: Parser['onIncoming'];
  #waiting: Waiting | undefined;
  /** The event is what stops the parser's own reading, also of a stream that counts as paused already. */
  readonly #stop = (): void => void this.#socket.pause().emit('pause');

  constructor(socket: HttpSocket, parser: Parser, handlers: Handlers) {
    this.#socket = socket;
    this.#parser = parser;
    this.#handlers = handlers;
    this.#begin = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) =>
      responseDue(socket) ? this.#wait(request, keepAlive) : this.#begin(request, keepAlive);
  }

  /** Whether the parser stopped because we told it so. */
  takes({ code, rawPacket, bytesParsed }: ParseError): boolean {
    const waiting = this.#waiting;
    if (code !== 'HPE_PAUSED' || !waiting || !rawPacket || bytesParsed === undefined) return false;
    this.#stop();
    // The place is that of the first stop.
    if (waiting.rest) waiting.rest = Buffer.concat([waiting.rest, rawPacket]);
    else {
      waiting.rest = rawPacket.subarray(bytesParsed);
      // `node:http` resumes the socket behind each request, a tick later.
      this.#socket.on('resume', this.#stop);
      responseDue(this.#socket)?.once('finish', () => setImmediate(() => this.#resume(waiting)));
    }
    if (waiting.rest.length > MAX_WAITING_BYTES) this.#socket.destroy();
    return true;
  }

  #wait(request: Incoming, keepAlive: boolean): number {
    if (request.upgrade) {
      // The parser would take what is behind it for another protocol. Nothing is lost: the client sends it anew.
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
    // `node:http` takes its listener away with the first error it is told of.
    if (!socket.listeners('error').includes(this.#handlers.error)) socket.on('error', this.#handlers.error);
    // The parser's own reading starts again at once: who takes the socket from it while it parses could not start it.
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
