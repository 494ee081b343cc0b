import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Misbehaviour } from './misbehaviour.ts';

/** A request to a fake provider. */
export interface FakeRequest {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  readonly body: any;
}

export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers a request; undefined: 404. */
export type FakeRoute = (
  request: FakeRequest,
  match: RegExpMatchArray,
) => FakeResponse | undefined | Promise<FakeResponse | undefined>;

/** HTTP server on loopback that answers as a provider does. */
export interface FakeServer {
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  /** Requests in order of arrival; tests may clear it. */
  readonly requests: FakeRequest[];
  /** Runs before the fake for each request. */
  misbehave: Misbehaviour | undefined;
  stop(): Promise<void>;
}

/** @param routes by method and pattern of the path, such as `GET ^/user$` */
export async function startFakeServer(routes: Readonly<Record<string, FakeRoute>>): Promise<FakeServer> {
  const table = Object.entries(routes).map(([key, route]) => {
    const [method = '', pattern = ''] = key.split(' ');
    return { method, pattern: new RegExp(`^${pattern}$`), route };
  });
  const http = createServer((request, response) => void receive(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: FakeServer = {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    misbehave: undefined,
    stop: async () => {
      http.close();
      http.closeAllConnections();
      if (http.listening) await once(http, 'close');
    },
  };
  return server;

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    server.requests.push(request);
    const answer = () => void respond(request, response);
    if (server.misbehave) server.misbehave(incoming, response, answer);
    else answer();
  }

  async function respond(request: FakeRequest, response: ServerResponse): Promise<void> {
    try {
      const {
        status = 200,
        headers = {},
        body,
      } = (await answerOf(request)) ?? { status: 404, body: { message: 'Not Found' } };
      response.writeHead(status, { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ message: `fault of the fake: ${error}` }));
    }
  }

  async function answerOf(request: FakeRequest): Promise<FakeResponse | undefined> {
    for (const { method, pattern, route } of table) {
      const match = method === request.method ? request.path.match(pattern) : null;
      if (match) return await route(request, match);
    }
    return undefined;
  }
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const text = Buffer.concat(chunks).toString();
  const isForm = incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return {
    ...{
      method: incoming.method ?? '',
      path: decodeURI(url.pathname),
      query: url.searchParams,
      headers: incoming.headers,
    },
    body: text === '' ? undefined : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text),
  };
}
