import { type IncomingMessage, Agent as PlainAgent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { contentError, isEncoded, limitedContent, tooLarge } from './content-encoding.ts';
import { Deadline } from './deadline.ts';
import { exchange, https, type Outgoing } from './exchange.ts';
import { FetchError } from './fetch-error.ts';
import type { Address, HttpRequest, HttpResponse, TlsSettings } from './http-request.ts';
import { headersFor, isRedirect, redirectTarget } from './redirect.ts';

/**
 * Connections of a client:
 * - `new`: one for each request, without TLS sessions of earlier ones
 * - `process`: those of the process, which stay open for a few seconds and use the proxy of the environment if
 *   `NODE_USE_ENV_PROXY` is set
 * - an object: its own, which stay open until `close`, without a proxy
 */
export type Connections =
  | 'new'
  | 'process'
  | {
      /** Maximum number of idle connections. */
      readonly maxIdle: number;
      /** Maximum number of connections. Default: no limit. */
      readonly maxOpen?: number;
    };

export interface HttpClientOptions {
  readonly connections: Connections;
  readonly tls?: TlsSettings;
  /** Resolves and checks the host of each URL, redirects included. Default: the system resolves it. */
  readonly addressesOf?: (url: URL) => Promise<readonly Address[]>;
}

/** Time after which an idle connection is closed, milliseconds. */
const IDLE_CONNECTION_MS = 60_000;

/**
 * Agents that open a connection for each request. A resumed TLS session is not verified again, and the trusted CAs may
 * differ, so no session is cached.
 */
const newConnections: Agents = {};

/**
 * The HTTP client of the program; only the AWS SDK has its own. Each request has limits for time and size; redirects are
 * not followed unless the request allows it.
 */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #kept: Agents = {};

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** Resolves with a response of any status; rejects only with a `FetchError`. */
  async send(url: URL, request: HttpRequest): Promise<HttpResponse> {
    const { limits } = request;
    const deadline = new Deadline(limits.timeoutMs, request.signal);
    try {
      const incoming = await this.#follow(url, request, deadline);
      return responseOf(incoming, request, deadline);
    } catch (error) {
      deadline.clear();
      throw deadline.explain(error);
    }
  }

  /** Closes the client's own connections, those in use included. */
  close(): void {
    for (const agent of Object.values(this.#kept)) agent.destroy();
  }

  /** Returns the first response that is not to be followed. */
  async #follow(start: URL, request: HttpRequest, deadline: Deadline): Promise<IncomingMessage> {
    const { maxRedirects } = request;
    for (let url = start, redirects = 0; ; redirects++) {
      const headers = headersFor(url, start, request.headers);
      const incoming = await exchange(url, await this.#outgoing(url, { ...request, headers }, deadline), deadline);
      if (maxRedirects === undefined || !isRedirect(incoming)) return incoming;
      incoming.destroy();
      if (redirects === maxRedirects || (request.method ?? 'GET') !== 'GET')
        throw new FetchError('redirect', `${url.host} redirects again after ${redirects} redirects`);
      url = redirectTarget(incoming, url);
      if (url.origin !== start.origin && (request.tls ?? this.#options.tls)?.cert !== undefined)
        throw new FetchError('redirect', `${start.host} redirects a request with a client certificate to ${url.host}`);
    }
  }

  async #outgoing(url: URL, request: HttpRequest, deadline: Deadline): Promise<Outgoing> {
    const { addressesOf, tls = {} } = this.#options;
    const addresses = addressesOf && (await deadline.race(addressesOf(url)));
    return {
      ...request,
      addresses,
      tls: request.tls ?? tls,
      agent: request.tls ? newAgent(protocolOf(url)) : this.#agentFor(protocolOf(url)),
    };
  }

  #agentFor(protocol: Protocol): PlainAgent | undefined {
    const { connections } = this.#options;
    if (connections === 'process') return undefined;
    if (connections === 'new') return newAgent(protocol);
    const { maxIdle, maxOpen = Number.POSITIVE_INFINITY } = connections;
    const kept = { keepAlive: true, timeout: IDLE_CONNECTION_MS, maxFreeSockets: maxIdle, maxSockets: maxOpen };
    this.#kept[protocol] ??= agentOf(protocol, kept);
    return this.#kept[protocol];
  }
}

type Protocol = 'http:' | 'https:';
type Agents = Partial<Record<Protocol, PlainAgent>>;

function newAgent(protocol: Protocol): PlainAgent {
  newConnections[protocol] ??= agentOf(protocol, { keepAlive: false, maxCachedSessions: 0 });
  return newConnections[protocol];
}

function agentOf(protocol: Protocol, options: AgentOptions): PlainAgent {
  return protocol === 'https:' ? new (https().Agent)(options) : new PlainAgent(options);
}

function protocolOf({ protocol }: URL): Protocol {
  if (protocol === 'http:' || protocol === 'https:') return protocol;
  throw new FetchError('denied', 'neither http nor https');
}

function responseOf(incoming: IncomingMessage, request: HttpRequest, deadline: Deadline): HttpResponse {
  incoming.once('close', () => deadline.clear());
  const body = closing(bodyOf(incoming, request, deadline), incoming);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body,
    bytes: () => (isEncoded(incoming) ? collect(body) : whole(incoming, request, deadline)),
    discard: () => void incoming.destroy(),
  };
}

/**
 * Closes the response at once when its reader ends. A generator ignores `return` before it starts and delays it while it
 * waits for a chunk, so that the connection would stay open until the deadline.
 */
function closing(body: AsyncGenerator<Uint8Array>, incoming: IncomingMessage): AsyncIterable<Uint8Array> {
  const end = body.return.bind(body);
  body.return = (value) => {
    incoming.destroy();
    return end(value);
  };
  return body;
}

/** Fails when it is read, so that the caller learns the status of a response whose body is too large. */
async function* bodyOf(
  incoming: IncomingMessage,
  { method, limits: { maxBytes } }: HttpRequest,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  try {
    if (announcedBytes(incoming, method) > maxBytes) throw tooLarge(maxBytes);
    yield* limitedContent(incoming, maxBytes);
  } catch (error) {
    incoming.destroy();
    throw deadline.explain(contentError(error));
  }
}

function announcedBytes({ headers }: IncomingMessage, method: string | undefined): number {
  return method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Like `collect` of a body that is not encoded, in a third of the time for a small one. */
function whole(incoming: IncomingMessage, { method, limits }: HttpRequest, deadline: Deadline): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let left = limits.maxBytes;
  const fail = (error: Error) => {
    incoming.destroy();
    reject(deadline.explain(contentError(error)));
  };
  if (announcedBytes(incoming, method) > left) fail(tooLarge(limits.maxBytes));
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) fail(tooLarge(limits.maxBytes));
    else chunks.push(chunk);
  });
  incoming.on('end', () => resolve(Buffer.concat(chunks)));
  incoming.on('error', fail);
  incoming.on('close', () => incoming.complete || fail(new Error('it closed before the end of the response')));
  return promise;
}
