import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { FetchError } from '../../../src/lib/http/fetch-error.ts';
import { HttpClient, type HttpClientOptions } from '../../../src/lib/http/http-client.ts';
import type { HttpRequest } from '../../../src/lib/http/http-request.ts';

export const LIMITS = { timeoutMs: 20_000, maxBytes: 1_000_000 };
export const HEAD = 'HTTP/1.1 200 OK\r\n';
const cleanups: (() => void)[] = [];

/** Closes all servers and clients of a test. */
export function closeAll(): void {
  for (const clean of cleanups.splice(0)) clean();
}

export async function listen(server: Server, scheme = 'http'): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

export const serve = (listener: RequestListener): Promise<URL> => listen(createServer(listener));

/** Starts a server that answers the first bytes of a connection without knowing HTTP. */
export function raw(answer: (socket: Socket) => void, scheme = 'http'): Promise<URL> {
  return listen(
    createTcpServer((socket) => void socket.once('data', () => answer(socket))),
    scheme,
  );
}

/** Writes the text again and again, as long as the connection is open. */
export function repeat(socket: Socket, text: string | Buffer, milliseconds: number): void {
  const timer = setInterval(() => socket.write(text), milliseconds);
  socket.on('close', () => clearInterval(timer));
}

/** Writes the text as fast as the client reads it. */
export function flood(socket: Socket, text: string | Buffer): void {
  const more = (): void => void (socket.destroyed || socket.write(text, more));
  more();
}

export function clientOf(options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = new HttpClient({ connections: 'new', ...options });
  cleanups.push(() => client.close());
  return client;
}

export async function textOf(url: URL, request: Partial<HttpRequest> = {}, client = clientOf()): Promise<string> {
  const response = await client.send(url, { limits: LIMITS, ...request });
  return (await response.bytes()).toString();
}

export async function failure(url: URL, request: Partial<HttpRequest> = {}, client = clientOf()): Promise<FetchError> {
  const error = await textOf(url, request, client).catch((thrown) => thrown);
  if (error instanceof FetchError) return error;
  throw new Error(`no FetchError, but ${error}`);
}
