import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import {
  type RequestOptions,
  request as secureRequest,
  Agent as TlsAgent,
  type AgentOptions as TlsAgentOptions,
} from 'node:https';
import { pipeline } from 'node:stream/promises';
import { type Bytes, type Content, JobFailure } from '../../ports.ts';
import { Refusal, refusalText, Unanswered } from './failures.ts';

/** URL of a server, and the CA certificates that it is verified with. */
export interface ServerPlace {
  /** URL of the server, for example `https://lockkeeper.example.com`. Plain HTTP is allowed on the loopback only. */
  readonly address: string;
  /** CA certificates that the server is verified with; null for those of Node.js. */
  readonly trust: Trust | null;
}

/** CA certificates for verifying a server. */
export interface Trust {
  /** PEM: CA certificates, or the certificate of the server itself. */
  readonly ca: string;
  /** Name in the server's certificate, if it is not the host of the URL. */
  readonly serverName?: string | null;
}

/** A request to a server. */
export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Path on the server, with the query. */
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON document, or raw bytes. */
  readonly body?: { readonly json: unknown } | { readonly bytes: Uint8Array } | { readonly content: Content };
  /** Client certificate and key for the TLS handshake, PEM. The request gets its own connection. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly signal?: AbortSignal;
}

/** @limit time without data from a server, ms -> the request is tried again */
const LONGEST_SILENCE = 60_000;
/** @limit JSON response of a server, bytes -> the request fails */
const MAX_DOCUMENT = 67_108_864;
/** @limit idle connections of an agent, connections -> further ones are closed */
const MAX_IDLE = 8;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const JSON_API = 'application/vnd.api+json';

/**
 * Client of a Lockkeeper server with persistent connections. Follows no redirects, because they could send a token
 * elsewhere.
 */
export class Server {
  readonly base: URL;
  #place: ServerPlace;
  #trust: SecureOptions;
  #agent: PlainAgent | TlsAgent;

  /**
   * Creates a client without connecting.
   * @throws JobFailure for an invalid URL, or one that would send secrets unencrypted
   */
  constructor(place: ServerPlace) {
    this.base = baseOf(place.address);
    this.#place = place;
    this.#trust = secureOptions(place.trust);
    this.#agent = this.#newAgent();
  }

  /** Replaces the trusted CA certificates for new connections. Requests in progress finish on their old connections. */
  trust(trust: Trust | null): void {
    this.#place = { ...this.#place, trust };
    this.#trust = secureOptions(trust);
    this.#agent = this.#newAgent();
  }

  /** URL of the server, and the CA certificates that it is verified with now. */
  get place(): ServerPlace {
    return this.#place;
  }

  /**
   * Sends a request and reads the whole response.
   * @returns the JSON document; null for an empty body
   * @throws Refusal, Unanswered
   */
  async request(asked: ServerRequest): Promise<unknown> {
    const { status, headers, body } = await this.#answered(asked);
    const bytes = await wholeOf(body);
    if (status >= 300) throw new Refusal(status, refusalText(status, bytes), retryAfter(headers));
    if (bytes.length === 0) return null;
    try {
      return JSON.parse(bytes.toString());
    } catch {
      throw new Unanswered(
        `${this.base.origin} answered ${status} without JSON. Check that the URL is that of a Lockkeeper server`,
      );
    }
  }

  /**
   * Sends a request and streams the response.
   * @throws Refusal, Unanswered; Unanswered also while the stream is read
   */
  async openStream(asked: ServerRequest): Promise<Bytes> {
    const { status, headers, body } = await this.#answered(asked);
    if (status < 300) return piecesOf(body);
    throw new Refusal(status, refusalText(status, await wholeOf(body)), retryAfter(headers));
  }

  /**
   * Returns the path and query of a link in a response of the server. The host is ignored. @throws Error for an invalid
   * link
   */
  pathOf(link: unknown): string {
    const url = typeof link === 'string' ? URL.parse(link, this.base.href) : null;
    if (url === null) throw new Error('the server returned an invalid link');
    return `${url.pathname}${url.search}`;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Trusted CA certificates, PEM; null for those of Node.js. */
  get ca(): string | null {
    return this.#place.trust?.ca ?? null;
  }

  get #isSecure(): boolean {
    return this.base.protocol === 'https:';
  }

  #newAgent(): PlainAgent | TlsAgent {
    const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE };
    return this.#isSecure ? new TlsAgent({ ...kept, ...this.#trust }) : new PlainAgent(kept);
  }

  #answered(asked: ServerRequest): Promise<Answered> {
    const { method, path, token, certificate, signal } = asked;
    const { bytes, headers } = bodyOf(asked);
    const options: RequestOptions = {
      method,
      timeout: LONGEST_SILENCE,
      headers: {
        accept: `${JSON_API}, application/json, */*`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
        ...asked.headers,
      },
      ...(signal && { signal }),
      ...(certificate ? { ...certificate, ...this.#trust, agent: false } : { agent: this.#agent }),
    };
    return new Promise((resolve, reject) => {
      const url = new URL(path, this.base);
      const outgoing = (this.#isSecure ? secureRequest : plainRequest)(url, options);
      outgoing.on('response', (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }));
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no data for ${LONGEST_SILENCE / 1000} s`)));
      outgoing.on('error', (error) => reject(unanswered(error, url.origin)));
      // The `error` handler above reports a body that was cut short.
      if (bytes instanceof Uint8Array || bytes === null) outgoing.end(bytes ?? undefined);
      else pipeline(bytes.open(), outgoing).catch(() => {});
    });
  }
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

type SecureOptions = Pick<TlsAgentOptions, 'ca' | 'servername' | 'allowPartialTrustChain'>;

function secureOptions(trust: Trust | null): SecureOptions {
  if (trust === null) return {};
  const { ca, serverName } = trust;
  return { ca, allowPartialTrustChain: true, ...(typeof serverName === 'string' && { servername: serverName }) };
}

function baseOf(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw new JobFailure(`the server URL ${address} is invalid; expected https://HOST or https://HOST:PORT`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new JobFailure(
      `the server URL ${address} does not use TLS, so secrets would be sent unencrypted; use https://`,
    );
  }
  return url;
}

function bodyOf({ body }: ServerRequest): {
  readonly bytes: Uint8Array | Content | null;
  readonly headers: Record<string, string>;
} {
  if (body === undefined) return { bytes: null, headers: {} };
  const [bytes, type] =
    'json' in body
      ? [Buffer.from(JSON.stringify(body.json)), JSON_API]
      : ['bytes' in body ? body.bytes : body.content, 'application/octet-stream'];
  const length = bytes instanceof Uint8Array ? bytes.length : bytes.size;
  return { bytes, headers: { 'content-type': type, 'content-length': String(length) } };
}

async function wholeOf(body: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of piecesOf(body)) {
    length += chunk.length;
    if (length > MAX_DOCUMENT) throw new Error(`the response is larger than ${MAX_DOCUMENT} bytes`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

async function* piecesOf(body: IncomingMessage): Bytes {
  try {
    yield* body;
  } catch (error) {
    throw new Unanswered(`the response was cut short: ${(error as Error).message}`);
  }
}

function retryAfter(headers: IncomingHttpHeaders): number | null {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function unanswered(error: NodeJS.ErrnoException, origin: string): Unanswered {
  // If a host has several IP addresses, each attempt has its own error.
  const why = error instanceof AggregateError ? error.errors.map(({ message }) => message).join('; ') : error.message;
  return new Unanswered(`cannot connect to ${origin}: ${why}`, { cause: error });
}
