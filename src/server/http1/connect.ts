import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { AnyIncoming, AnyResponse } from '../../lib/request.ts';

type OnRequest = (request: AnyIncoming, response: AnyResponse) => void;

/**
 * Passes CONNECT requests to the normal handler. Node.js emits a separate event for them. Without a listener it closes
 * the connection (HTTP/1.1) or sends an empty 405 (HTTP/2), and logs neither.
 */
export function answerConnect(server: Server | Http2SecureServer, onRequest: OnRequest): void {
  (server as Server).on('connect', (request: IncomingMessage, second: Socket | ServerResponse) => {
    if (!('writeHead' in second)) onRequest(request, responseOn(request, second));
    else onRequest(request, second);
  });
}

/**
 * The parser has left the socket, so this is the last response, and server timeouts no longer apply. Without this a
 * client could hold the connection forever.
 */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  socket.on('error', () => socket.destroy());
  response.once('finish', () => socket.destroySoon());
  return response;
}
