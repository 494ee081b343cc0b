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

/** Where a server is, and whom it is trusted by. */
export interface ServerPlace {
  /** `https://lockkeeper.example.com`; without TLS only on this machine. */
  readonly address: string;
  /** PEM; null for those that Node.js trusts. */
  readonly trust: Trust | null;
}

/** Whom a server is trusted by. */
export interface Trust {
  /** PEM: of authorities, or of the server itself. */
  readonly ca: string;
  /** What its certificate is for, where that is not the host of its address. */
  readonly serverName?: string | null;
}

/** A request. */
export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** On the server, with its query. */
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A document, sent as JSON; or bytes as they are. */
  readonly body?: { readonly json: unknown } | { readonly bytes: Uint8Array } | { readonly content: Content };
  /** What is presented in the handshake, PEM: on a connection of its own. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly signal?: AbortSignal;
}

/** @limit the silence of a server, ms -> the request is tried again */
const LONGEST_SILENCE = 60_000;
/** @limit a document that a server answers, bytes -> the request failed */
const MAX_DOCUMENT = 67_108_864;
/** @limit connections of an agent that nobody uses, connections -> more are closed */
const MAX_IDLE = 8;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const JSON_API = 'application/vnd.api+json';

/** A Lockkeeper server, asked over connections that are kept. No redirect is followed: it could lead a token away. */
export class Server {
  readonly base: URL;
  #place: ServerPlace;
  #trust: SecureOptions;
  #agent: PlainAgent | TlsAgent;

  /** @throws JobFailure for what is no address, or would send secrets in the clear */
  constructor(place: ServerPlace) {
    this.base = baseOf(place.address);
    this.#place = place;
    this.#trust = secureOptions(place.trust);
    this.#agent = this.#newAgent();
  }

  /** From the next connection on: those that are in use are used to their end. */
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
   * One request, answered with a document.
   * @returns its JSON; null without one
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
      throw new Unanswered(`${this.base.origin} answered ${status} and no JSON: is it a Lockkeeper server?`);
    }
  }

  /**
   * One request, answered with bytes as they come.
   * @throws Refusal, Unanswered; while it is read, Unanswered
   */
  async openStream(asked: ServerRequest): Promise<Bytes> {
    const { status, headers, body } = await this.#answered(asked);
    if (status < 300) return piecesOf(body);
    throw new Refusal(status, refusalText(status, await wholeOf(body)), retryAfter(headers));
  }

  /** Where something is that the server names, as a path or as an address of its own. @throws Error for what is elsewhere */
  pathOf(link: unknown): string {
    const url = typeof link === 'string' ? URL.parse(link, this.base.href) : null;
    if (url === null) throw new Error('the server names a place that is none');
    return `${url.pathname}${url.search}`;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Whom it is trusted by, PEM; null for those that everybody trusts. */
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
      outgoing.on('timeout', () => outgoing.destroy(new Error(`silent for ${LONGEST_SILENCE / 1000} s`)));
      outgoing.on('error', (error) => reject(unanswered(error, url.origin)));
      // What ends it early is told by the request.
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
    throw new JobFailure(`the address ${address} is none; expected https://HOST or https://HOST:PORT`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new JobFailure(
      `the address ${address} has no TLS, and secrets would cross the network in the clear; use https://`,
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
    if (length > MAX_DOCUMENT) throw new Error(`the answer is longer than ${MAX_DOCUMENT} bytes`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

async function* piecesOf(body: IncomingMessage): Bytes {
  try {
    yield* body;
  } catch (error) {
    throw new Unanswered(`the answer was cut short: ${(error as Error).message}`);
  }
}

function retryAfter(headers: IncomingHttpHeaders): number | null {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function unanswered(error: NodeJS.ErrnoException, origin: string): Unanswered {
  // Of several addresses that were tried, each has an error of its own.
  const why = error instanceof AggregateError ? error.errors.map(({ message }) => message).join('; ') : error.message;
  return new Unanswered(`cannot talk to ${origin}: ${why}`, { cause: error });
}
