/**
 * Supports the method LIST over HTTP/1.1, which clients of the access API send and Node.js's parser does not know.
 *
 * When the parser stops at the third letter of `LIST `, this module detaches the socket and passes it to the server as
 * a new connection, with the verb replaced by LINK, which has equal length and is known to the parser. The first
 * request of the new parser is renamed to LIST before any handler sees it. A client's own LINK stays LINK. Earlier
 * responses are awaited first, so that responses keep their order.
 *
 * It relies on `node-parser.ts`, and on running the connection listener of `node:http` twice for a socket. Other
 * requests cost two short calls.
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
/** Number of bytes before the third letter that must be kept, because a packet may end inside the verb. */
const TAIL_LENGTH = 4;
const NOTHING = Buffer.alloc(0);
const EVENTS = ['data', 'end', 'close', 'drain', 'error', 'timeout', 'pause', 'resume'] as const;

/** Methods that appear by name in metrics. Over HTTP/2 a method may be any text. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([...METHODS, 'LIST']);

/** Adds LIST to the fixed method lists of Fastify and its router. Call it before an instance is created. */
export function teachRouter(): void {
  for (const methods of [METHODS, routable]) {
    if (!methods.includes('LIST')) methods.push('LIST');
  }
}

/**
 * Makes a server read one request at a time on each HTTP/1.1 connection, and understand LIST. Other parser errors go
 * to `refuse`.
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

/** The first request of the new parser is the LIST. */
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

/** Skips earlier listeners of each event, because listeners run in order of registration. */
function listenersBehind(socket: Socket, before: readonly number[]): Listener[][] {
  return EVENTS.map((event, i) => {
    const all = socket.rawListeners(event) as Listener[];
    return before[i] ? all.slice(before[i]) : all;
  });
}

/** A socket during the life of one parser. */
class Connection {
  readonly #socket: HttpSocket;
  readonly #parser: Parser;
  /** Listeners of `node:http` on the socket, in the order of EVENTS. */
  readonly #listeners: readonly Listener[][];
  readonly turns: PipeliningQueue;
  /** `incoming` of the previous request, set while the first bytes of a request are read. */
  #headBehind: IncomingMessage | null | undefined;
  /** Last bytes of a packet that ended inside the head of a request. */
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

  /** Returns the bytes from the verb on if it is `LIST ` or a prefix of it. Undefined for other errors. */
  verbAt({ code, rawPacket, bytesParsed }: ParseError): Buffer | undefined {
    if (code !== 'HPE_INVALID_METHOD' || !rawPacket || bytesParsed === undefined) return undefined;
    const packet = bytesParsed < TAIL_LENGTH ? Buffer.concat([this.#tail, rawPacket]) : rawPacket;
    const start = packet.length - rawPacket.length + bytesParsed - 2;
    const request = packet.subarray(Math.max(start, 0));
    // The parser stops at the same letter of UNLIST, which is not LIST. A LIST after a body that ends in UN is refused too.
    return start >= 0 && isVerb(request) && !endsWith(packet.subarray(0, start), 'UN') ? request : undefined;
  }

  /** Detaches the socket from its parser. `handBack` continues when the whole verb has arrived and no response is due. */
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

  /** Returns false while an earlier response is due. `then` runs after it. */
  #isAnswered(then: () => void): boolean {
    this.#socket.pause();
    this.#parser.remove();
    const response = responseDue(this.#socket);
    if (response && response !== this.#awaited) response.once('finish', () => setImmediate(then));
    this.#awaited = response;
    return response === undefined;
  }

  /** Makes node:http believe that the connection closed, so that it frees the parser and forgets the socket. */
  #release(): void {
    this.#listener('close').call(this.#socket);
    for (const event of EVENTS) this.#remove(event);
    this.#socket.setTimeout(0);
  }

  /** Returns the listener of `node:http` for an event. */
  #listener(event: (typeof EVENTS)[number]): Listener {
    return this.#listeners[EVENTS.indexOf(event)]?.[0] ?? (() => {});
  }

  #remove(event: (typeof EVENTS)[number]): void {
    for (const listener of this.#listeners[EVENTS.indexOf(event)] ?? []) this.#socket.off(event, listener);
  }

  /** A parser that owns the socket's handle calls back after each packet. Otherwise packets are events. */
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
