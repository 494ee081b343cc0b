/**
 * The parts of Node 24's HTTP/1.1 parser that are no public API and that `list-method.ts` and `one-at-a-time.ts` lean on.
 * Nothing else does.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Places of the parser's callbacks (`HTTPParser.kOnMessageBegin` and `kOnExecute`). */
export const ON_MESSAGE_BEGIN = 0;
export const ON_EXECUTE = 5;

export interface Parser {
  /** Bytes go from the handle to the parser without passing through the stream, until somebody listens for `data`. */
  readonly _consumed: boolean;
  /** The request whose head was read last; null once it was answered. */
  incoming: IncomingMessage | null;
  /** Told of each head; the parser stops behind the head when it returns llhttp's HPE_PAUSED. */
  onIncoming(request: IncomingMessage, keepAlive: boolean): number;
  /** A copy of the bytes being parsed. */
  getCurrentBuffer(): Buffer;
  /** The server's time limits leave a removed parser alone. */
  remove(): void;
  /** It goes on where it stopped. */
  resume(): void;
  [ON_MESSAGE_BEGIN]: (() => void) | null;
  [ON_EXECUTE]: (result: number | Error) => void;
}

export type HttpSocket = Socket & { parser?: Parser | null; _httpMessage?: ServerResponse | null };

export interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** The place of the byte at which the parser stopped. */
  readonly bytesParsed?: number;
}

/** The response that an HTTP/1.1 connection is busy with. */
export function responseDue(socket: HttpSocket): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
