import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { AnyIncoming, AnyResponse } from '../../lib/request.ts';

type OnRequest = (request: AnyIncoming, response: AnyResponse) => void;

/**
 * Passes CONNECT requests to the same handler as all others. Node emits a separate event for them. Without a listener
 * it closes the connection (HTTP/1.1) or answers a bare 405 (HTTP/2), and neither is logged.
 */
export function answerConnect(server: Server | Http2SecureServer, onRequest: OnRequest): void {
  (server as Server).on('connect', (request: IncomingMessage, second: Socket | ServerResponse) => {
    if (!('writeHead' in second)) onRequest(request, responseOn(request, second));
    else onRequest(request, second);
  });
}

/**
 * The parser has left the socket, so the answer is the last on the connection, and no timeout of the server closes it any more: a client
 * that keeps its side open would hold it for ever.
 */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  socket.on('error', () => socket.destroy());
  response.once('finish', () => socket.destroySoon());
  return response;
}
