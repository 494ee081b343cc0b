import { type IncomingMessage, METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './lingering-close.ts';
import { type ParseError, responseDue } from './node-parser.ts';

/** What is answered to bytes that are not HTTP. */
export interface Refusal {
  readonly status: number;
  /** Node's code for what is wrong with them: `HPE_INVALID_METHOD`. */
  readonly reason: string;
  readonly remoteAddress: string;
  /** The request whose body they are in; undefined when they never became one. */
  readonly request: IncomingMessage | undefined;
  /** Request target, if the fault is a method that the parser does not know; undefined for any other fault. */
  readonly target: string | undefined;
}

/** How it is put to the client. */
export interface RefusalText {
  readonly requestId: string;
  readonly contentType: string;
  readonly body: string;
  /** Methods, for the header `Allow`; undefined: it is not sent. */
  readonly allow?: readonly string[] | undefined;
}

/** Takes note of a refusal and words it. */
export type ReportRefusal = (refusal: Refusal) => RefusalText;

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
/** Connections whose refusal stands behind a response that is still due. */
const waiting = new WeakSet<Socket>();

/**
 * Answers what Node's HTTP/1.1 parser refuses, in words that hold nothing of the input, and closes the connection. Requests
 * before it are answered first. Nobody is told of a broken connection, or in the middle of another answer.
 */
export function refuse(error: NodeJS.ErrnoException, socket: Socket, report: ReportRefusal): void {
  const reason = error.code ?? '';
  if (!reason.startsWith('HPE_') && reason !== 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  // The parser repeats its complaint for every packet; the first one is being dealt with.
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

/** A request line at the beginning of a packet (RFC 9112 §3): bytes that are no HTTP have none. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]\r?\n/;

function targetIn({ rawPacket }: ParseError): string | undefined {
  const [, method = '', target] = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '') ?? [];
  // One that is known is of a request before it.
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
