import { type IncomingMessage, METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './lingering-close.ts';
import { type ParseError, responseDue } from './node-parser.ts';

/** Response to bytes that are not HTTP. */
export interface Refusal {
  readonly status: number;
  /** Error code of Node.js, such as `HPE_INVALID_METHOD`. */
  readonly reason: string;
  readonly remoteAddress: string;
  /** Request whose body contains the bytes. Undefined before a request. */
  readonly request: IncomingMessage | undefined;
  /** Request target, if the method is unknown to the parser. Undefined for other faults. */
  readonly target: string | undefined;
}

/** Response to the client. */
export interface RefusalText {
  readonly requestId: string;
  readonly contentType: string;
  readonly body: string;
  /** Methods for the header `Allow`. Undefined: no header. */
  readonly allow?: readonly string[] | undefined;
}

/** Logs a refusal and returns its response. */
export type ReportRefusal = (refusal: Refusal) => RefusalText;

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
/** Connections whose refusal waits for an earlier response. */
const waiting = new WeakSet<Socket>();

/**
 * Responds to input that Node.js's HTTP/1.1 parser refuses, without repeating the input, and closes the connection.
 * Earlier requests get their responses first. Sends nothing on a broken connection or inside another response.
 */
export function refuse(error: NodeJS.ErrnoException, socket: Socket, report: ReportRefusal): void {
  const reason = error.code ?? '';
  if (!reason.startsWith('HPE_') && reason !== 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  // The parser repeats the error for every packet. Only the first counts.
  if (!socket.writable || waiting.has(socket)) return;
  const due = responseDue(socket);
  if (due?.req.complete) {
    waiting.add(socket);
    due.once('finish', () => {
      waiting.delete(socket);
      refuse(error, socket, report);
    });
    return;
  }
  if (due?.headersSent) return void socket.destroy();
  const target = reason === 'HPE_INVALID_METHOD' && !due ? targetIn(error) : undefined;
  const status = target === undefined ? (STATUSES[reason] ?? 400) : 405;
  const text = report({ status, reason, remoteAddress: socket.remoteAddress ?? '', request: due?.req, target });
  socket.write(answer(status, text));
  closeLingering(socket);
}

/** Request line at the start of a packet (RFC 9112 §3). Other bytes have none. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]\r?\n/;

function targetIn({ rawPacket }: ParseError): string | undefined {
  const [, method = '', target] = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '') ?? [];
  // A known response belongs to an earlier request.
  return METHODS.includes(method) ? undefined : target;
}

function answer(status: number, { requestId, contentType, body, allow }: RefusalText): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...(allow ? [`Allow: ${allow.join(', ')}`] : []),
    '',
    body,
  ].join('\r\n');
}
