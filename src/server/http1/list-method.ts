/**
 * The method LIST over HTTP/1.1, which Node's parser does not know (clients of the access API send it).
 *
 * When the parser stops at the third letter of `LIST `, the socket is taken from it and given to the server once more, as a
 * fresh connection whose first bytes are the same request with the verb LINK: as long, and known to the parser. The first
 * request that the new parser reads is called LIST again before anybody sees it; a client's own LINK stays LINK. Responses
 * that are still due are awaited first, so that answers keep their order.
 *
 * It leans on `node-parser.ts`, and on it that the connection listener of `node:http` can be run again for a socket. A request
 * with another verb pays two short calls, at its first byte and behind its packet.
 */

import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import routable from 'find-my-way/lib/http-methods.js';
import {
  type HttpSocket,
  ON_EXECUTE,
  ON_MESSAGE_BEGIN,
  type ParseError,
  type Parser,
  responseDue,
} from './node-parser.ts';
import { MAX_WAITING_BYTES, PipeliningQueue } from './pipelining-queue.ts';

type Listener = (...args: unknown[]) => void;
type Refuse = (error: NodeJS.ErrnoException, socket: Socket) => void;

const VERB = Buffer.from('LIST ');
const STAND_IN = 'LINK ';
/** A packet may end inside the verb: as many bytes as tell what stood before its third letter. */
const TAIL_LENGTH = 4;
const NOTHING = Buffer.alloc(0);
const EVENTS = ['data', 'end', 'close', 'drain', 'error', 'timeout', 'pause', 'resume'] as const;

/** The methods that have a name in the metrics. Over HTTP/2 a method is any text. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([...METHODS, 'LIST']);

/** Fastify and its router take methods of fixed lists only; LIST is put on both. To be called before an instance is made. */
export function teachRouter(): void {
  for (const methods of [METHODS, routable]) {
    if (!methods.includes('LIST')) methods.push('LIST');
  }
}

/**
 * Has a server read one request at a time on each connection of HTTP/1.1, and understand LIST there. Whatever else its parser
 * refuses goes to `refuse`.
 */
export function superviseHttp1(server: Server | Http2SecureServer, refuse: Refuse): void {
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  const connections = new WeakMap<Socket, Connection>();
  let before: readonly number[] = [];
  server.prependListener(event, (socket: Socket) => {
    before = EVENTS.map((name) => socket.listenerCount(name));
  });
  server.on(event, (socket: HttpSocket) => {
    if (socket.parser) connections.set(socket, new Connection(socket, socket.parser, before));
  });
  server.on('clientError', (error: ParseError, socket: Socket) => {
    const connection = connections.get(socket);
    if (connection?.turns.takes(error)) return;
    const verb = connection?.verbAt(error);
    if (!connection || !verb) return refuse(error, socket);
    connection.takeOver(
      verb,
      (request) => {
        server.emit(event, socket);
        readAsList(socket, request);
      },
      () => refuse(error, socket),
    );
  });
}

/** The first request that the socket's new parser reads is the LIST. */
function readAsList(socket: HttpSocket, request: Buffer): void {
  const parser = socket.parser;
  if (!parser) return void socket.destroy();
  const onIncoming = parser.onIncoming;
  parser.onIncoming = (incoming, keepAlive) => {
    parser.onIncoming = onIncoming;
    incoming.method = 'LIST';
    return onIncoming(incoming, keepAlive);
  };
  request.write(STAND_IN, 'latin1');
  socket.unshift(request);
  socket.resume();
}

/** All but so many of each event: listeners are told in the order in which they came. */
function listenersBehind(socket: Socket, before: readonly number[]): Listener[][] {
  return EVENTS.map((event, i) => {
    const all = socket.rawListeners(event) as Listener[];
    return before[i] ? all.slice(before[i]) : all;
  });
}

/** A socket for as long as one parser reads it. */
class Connection {
  readonly #socket: HttpSocket;
  readonly #parser: Parser;
  /** What `node:http` put on the socket, in the order of EVENTS. */
  readonly #listeners: readonly Listener[][];
  readonly turns: PipeliningQueue;
  /** Set while the first bytes of a request are read: `incoming` of the request before it. */
  #headBehind: IncomingMessage | null | undefined;
  /** When the last packet ended inside the head of a request: its last bytes. */
  #tail: Buffer = NOTHING;
  #awaited: ServerResponse | undefined;

  constructor(socket: HttpSocket, parser: Parser, before: readonly number[]) {
    this.#socket = socket;
    this.#parser = parser;
    this.#keepTail();
    this.#listeners = listenersBehind(socket, before);
    this.turns = new PipeliningQueue(socket, parser, {
      data: this.#listener('data'),
      error: this.#listener('error'),
      parsed: (packet) => this.#afterPacket(() => packet),
    });
  }

  /** The bytes from the verb on, when it is `LIST ` or what has arrived of it; undefined for any other error. */
  verbAt({ code, rawPacket, bytesParsed }: ParseError): Buffer | undefined {
    if (code !== 'HPE_INVALID_METHOD' || !rawPacket || bytesParsed === undefined) return undefined;
    const packet = bytesParsed < TAIL_LENGTH ? Buffer.concat([this.#tail, rawPacket]) : rawPacket;
    const start = packet.length - rawPacket.length + bytesParsed - 2;
    const request = packet.subarray(Math.max(start, 0));
    // The parser stops at the same letter of UNLIST, which is no LIST. Behind a body that ends in UN, LIST is refused with it.
    return start >= 0 && isVerb(request) && !endsWith(packet.subarray(0, start), 'UN') ? request : undefined;
  }

  /** Takes the socket from its parser. Once the whole verb is here and no response is due, the rest is `handBack`'s. */
  takeOver(verb: Buffer, handBack: (request: Buffer) => void, refuse: () => void): void {
    let request = verb;
    let isOver = false;
    const proceed = (): void => {
      if (isOver) return;
      if (!isVerb(request) || request.length > MAX_WAITING_BYTES) {
        leave();
        refuse();
      } else if (request.length >= VERB.length && this.#isAnswered(proceed)) {
        leave();
        this.#release();
        if (this.#socket.writable) handBack(request);
      }
    };
    const collect = (packet: Buffer): void => {
      request = Buffer.concat([request, packet]);
      proceed();
    };
    const leave = () => {
      isOver = true;
      this.#socket.off('data', collect).off('end', refuse);
    };
    this.#remove('data');
    this.#remove('end');
    this.#socket.on('data', collect).on('end', refuse).resume();
    proceed();
  }

  /** False while a response to an earlier request is due; `then` runs when it has been sent. */
  #isAnswered(then: () => void): boolean {
    this.#socket.pause();
    this.#parser.remove();
    const response = responseDue(this.#socket);
    if (response && response !== this.#awaited) response.once('finish', () => setImmediate(then));
    this.#awaited = response;
    return response === undefined;
  }

  /** To node:http the connection is closed: it frees the parser and forgets the socket. */
  #release(): void {
    this.#listener('close').call(this.#socket);
    for (const event of EVENTS) this.#remove(event);
    this.#socket.setTimeout(0);
  }

  /** The one that `node:http` has for an event. */
  #listener(event: (typeof EVENTS)[number]): Listener {
    return this.#listeners[EVENTS.indexOf(event)]?.[0] ?? (() => {});
  }

  #remove(event: (typeof EVENTS)[number]): void {
    for (const listener of this.#listeners[EVENTS.indexOf(event)] ?? []) this.#socket.off(event, listener);
  }

  /** A parser that has the socket's handle to itself calls back after each packet; else packets are events. */
  #keepTail(): void {
    const parser = this.#parser;
    parser[ON_MESSAGE_BEGIN] = () => {
      this.#headBehind = parser.incoming;
    };
    if (!parser._consumed) {
      this.#socket.on('data', (packet: Buffer) => this.#afterPacket(() => packet));
      return;
    }
    const onExecute = parser[ON_EXECUTE];
    parser[ON_EXECUTE] = (result) => {
      if (typeof result === 'number') this.#afterPacket(() => parser.getCurrentBuffer());
      onExecute(result);
    };
  }

  #afterPacket(packet: () => Buffer): void {
    if (this.#headBehind === undefined) return;
    const { incoming } = this.#parser;
    if (incoming === null || incoming === this.#headBehind) {
      this.#tail = Buffer.concat([this.#tail, packet().subarray(-TAIL_LENGTH)]).subarray(-TAIL_LENGTH);
      return;
    }
    this.#headBehind = undefined;
    this.#tail = NOTHING;
  }
}

function isVerb(request: Buffer): boolean {
  const length = Math.min(request.length, VERB.length);
  return VERB.subarray(0, length).equals(request.subarray(0, length));
}

function endsWith(bytes: Buffer, text: string): boolean {
  return bytes.subarray(-text.length).toString('latin1') === text;
}
