/**
 * Private API of Node.js 24's HTTP/1.1 parser that `list-method.ts` and `one-at-a-time.ts` rely on. No other module
 * uses it.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Indexes of the parser's callbacks (`HTTPParser.kOnMessageBegin` and `kOnExecute`). */
export const ON_MESSAGE_BEGIN = 0;
export const ON_EXECUTE = 5;

export interface Parser {
  /** The parser reads directly from the handle, until a `data` listener is added. */
  readonly _consumed: boolean;
  /** Request whose head was read last. Null after its response. */
  incoming: IncomingMessage | null;
  /** Called for each head. The parser stops after the head if it returns llhttp's HPE_PAUSED. */
  onIncoming(request: IncomingMessage, keepAlive: boolean): number;
  /** Copies the bytes being parsed. */
  getCurrentBuffer(): Buffer;
  /** Removes the parser from the server's timeout checks. */
  remove(): void;
  /** Resumes parsing. */
  resume(): void;
  [ON_MESSAGE_BEGIN]: (() => void) | null;
  [ON_EXECUTE]: (result: number | Error) => void;
}

export type HttpSocket = Socket & { parser?: Parser | null; _httpMessage?: ServerResponse | null };

export interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** Offset of the byte at which the parser stopped. */
  readonly bytesParsed?: number;
}

/** Current response of an HTTP/1.1 connection. */
export function responseDue(socket: HttpSocket): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
