import type { IncomingHttpHeaders } from 'node:http';
import { type FetchError, reasonOf } from '../../../lib/http/fetch-error.ts';
import { HttpClient } from '../../../lib/http/http-client.ts';
import type { HttpRequest, HttpResponse, TlsSettings } from '../../../lib/http/http-request.ts';
import { type Bytes, type Content, JobFailure } from '../../ports.ts';
import { Refusal, refusalText, TooLarge, Unanswered } from './failures.ts';

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
/** @limit exchange of a request and a JSON response with a server, uploads excluded, ms -> the request is tried again */
const LONGEST_EXCHANGE = 600_000;
/** @limit JSON response of a server, bytes -> the request fails */
const MAX_DOCUMENT = 67_108_864;
/** @limit idle connections of an agent, connections -> further ones are closed */
const MAX_IDLE = 8;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const CUT_SHORT = 'the response was cut short';
const JSON_API = 'application/vnd.api+json';

/**
 * Client of a Lockkeeper server with persistent connections. Follows no redirects, because they could send a token
 * elsewhere.
 */
export class Server {
  readonly base: URL;
  #place: ServerPlace;
  #tls: TlsSettings;
  #client: HttpClient;

  /**
   * Creates a client without connecting.
   * @throws JobFailure for an invalid URL, or one that would send secrets unencrypted
   */
  constructor(place: ServerPlace) {
    this.base = baseOf(place.address);
    this.#place = place;
    this.#tls = tlsSettings(place.trust);
    this.#client = newClient(this.#tls);
  }

  /** Replaces the trusted CA certificates for new connections. Requests in progress finish on their old connections. */
  trust(trust: Trust | null): void {
    this.#place = { ...this.#place, trust };
    this.#tls = tlsSettings(trust);
    this.#client = newClient(this.#tls);
  }

  /** URL of the server, and the CA certificates that it is verified with now. */
  get place(): ServerPlace {
    return this.#place;
  }

  /**
   * Sends a request and reads the whole response.
   * @returns the JSON document; null for an empty body
   * @throws Refusal, TooLarge, Unanswered
   */
  async request(asked: ServerRequest): Promise<unknown> {
    const isUpload = asked.body !== undefined && 'content' in asked.body;
    const timeout = isUpload ? {} : { timeoutMs: LONGEST_EXCHANGE };
    const response = await this.#answered(asked, { ...timeout, idleMs: LONGEST_SILENCE, maxBytes: MAX_DOCUMENT });
    const bytes = await wholeOf(response);
    if (response.status >= 300) throw refusalOf(response, bytes);
    if (bytes.length === 0) return null;
    try {
      return JSON.parse(bytes.toString());
    } catch {
      throw new Unanswered(
        `${this.base.origin} answered ${response.status} without JSON. Check that the URL is that of a Lockkeeper server`,
      );
    }
  }

  /**
   * Sends a request and streams the response.
   * @param maxBytes maximum size of the response
   * @throws Refusal, TooLarge, Unanswered; the last two also while the stream is read
   */
  async openStream(asked: ServerRequest, maxBytes: number): Promise<Bytes> {
    const response = await this.#answered(asked, { idleMs: LONGEST_SILENCE, maxBytes });
    if (response.status < 300) return piecesOf(response, maxBytes);
    throw refusalOf(response, await wholeOf(response, maxBytes));
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
    this.#client.close();
  }

  /** Trusted CA certificates, PEM; null for those of Node.js. */
  get ca(): string | null {
    return this.#place.trust?.ca ?? null;
  }

  async #answered(asked: ServerRequest, limits: HttpRequest['limits']): Promise<HttpResponse> {
    const { method, path, token, certificate, signal } = asked;
    const { body, type } = bodyOf(asked);
    const url = new URL(path, this.base);
    const request: HttpRequest = {
      ...{ method, limits },
      headers: {
        accept: `${JSON_API}, application/json, */*`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(type !== undefined && { 'content-type': type }),
        ...asked.headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      ...(certificate && { tls: { ...this.#tls, ...certificate } }),
    };
    return this.#client.send(url, request).catch((cause) => {
      throw failureOf(cause, `cannot connect to ${url.origin}`, limits.maxBytes);
    });
  }
}

function newClient(tls: TlsSettings): HttpClient {
  return new HttpClient({ connections: { maxIdle: MAX_IDLE }, tls });
}

function tlsSettings(trust: Trust | null): TlsSettings {
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

function bodyOf({ body }: ServerRequest): { readonly body?: Uint8Array | Content; readonly type?: string } {
  if (body === undefined) return {};
  if ('json' in body) return { body: Buffer.from(JSON.stringify(body.json)), type: JSON_API };
  return { body: 'bytes' in body ? body.bytes : body.content, type: 'application/octet-stream' };
}

async function wholeOf(response: HttpResponse, maxBytes = MAX_DOCUMENT): Promise<Buffer> {
  return response.bytes().catch((cause) => {
    throw failureOf(cause, CUT_SHORT, maxBytes);
  });
}

async function* piecesOf({ body }: HttpResponse, maxBytes: number): Bytes {
  try {
    yield* body;
  } catch (cause) {
    throw failureOf(cause, CUT_SHORT, maxBytes);
  }
}

function failureOf(cause: unknown, text: string, maxBytes: number): Unanswered | TooLarge {
  const { kind } = cause as FetchError;
  if (kind === 'too-large') return new TooLarge(maxBytes);
  return new Unanswered(`${text}: ${reasonOf(cause)}`, { cause });
}

function refusalOf({ status, headers }: HttpResponse, bytes: Buffer): Refusal {
  return new Refusal(status, refusalText(status, bytes), retryAfter(headers));
}

function retryAfter(headers: IncomingHttpHeaders): number | null {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
