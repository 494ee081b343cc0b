import { once } from 'node:events';
import {
  createServer as createHttp,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TlsOptions } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** A POST request that a collector received. */
export interface Delivery {
  readonly headers: IncomingMessage['headers'];
  /** Body after decompression. */
  readonly text: string;
}

export interface HttpCollector {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Returns the lines of all connections. */
  lines(): string[];
  stop(): Promise<void>;
}

/**
 * Starts a collector of JSON lines over HTTP.
 * @param answer returns a status, or `undefined` if it has sent the response itself
 */
export async function httpCollector(
  answer: (delivery: Delivery, response: ServerResponse) => number | undefined = () => 204,
  tls?: TlsOptions,
  port = 0,
): Promise<HttpCollector> {
  const deliveries: Delivery[] = [];
  const taken: Delivery[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    const delivery = { headers: request.headers, text };
    deliveries.push(delivery);
    const status = answer(delivery, response);
    if (status === undefined) return;
    if (status < 300) taken.push(delivery);
    response.writeHead(status).end();
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    take(request, response).catch(() => {});
  };
  const server: HttpServer = tls ? createHttps(tls, listener) : createHttp(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), 'close');
  };
  onTestFinished(stop);
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${listening}/ingest`,
    deliveries,
    lines: () => taken.flatMap(({ text }) => text.split('\n').filter(Boolean)),
    stop,
  };
}

export interface SyslogCollector {
  readonly port: number;
  /** Returns the messages of each connection that has ended. */
  messages(): string[];
  readonly connections: number;
  stop(): Promise<void>;
}

/** @param refuses handles a connection instead of the collector and returns true, or returns false */
export async function syslogCollector(
  tls?: TlsOptions,
  refuses: (socket: Socket, number: number) => boolean = () => false,
): Promise<SyslogCollector> {
  const found: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const take = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    if (refuses(socket, connections++)) return;
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => found.push(...framesOf(Buffer.concat(chunks))));
  };
  const server: Server = tls ? createTls(tls, take).on('tlsClientError', () => {}) : createTcp(take);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  onTestFinished(stop);
  return {
    port: (server.address() as AddressInfo).port,
    messages: () => found,
    get connections() {
      return connections;
    },
    stop,
  };
}

/** Parses the framing of RFC 6587 §3.4.1. @throws Error for other framing */
function framesOf(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const space = rest.indexOf(' ');
    const length = Number(rest.subarray(0, space));
    if (!(length > 0) || rest.length < space + 1 + length) throw new Error('not in frames');
    found.push(rest.subarray(space + 1, space + 1 + length).toString());
    rest = rest.subarray(space + 1 + length);
  }
  return found;
}
