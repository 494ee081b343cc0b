import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError } from '../lib/errors.ts';
import type { AnyIncoming, Peer } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import { type Audit, type Origin, originOf, responseLine } from './audit/index.ts';
import { type Refusal, refuse } from './client-error.ts';
import { answerTo, plainErrors } from './error-edge.ts';
import { Exchange, findExchange, type RequestRecord } from './exchange.ts';
import { type ForwardedOptions, forwardedPeer } from './forwarded/forwarded-certificates.ts';
import { KNOWN_METHODS } from './list-method.ts';
import type { AnyResponse } from './listener.ts';
import type { Metrics } from './metrics.ts';
import { peerOf } from './peer.ts';
import { requestLog } from './request-log.ts';
import { serviceAt } from './service-at.ts';
import { type TransferLimits, TransferTimes } from './transfer-times.ts';

export interface FrontOptions {
  /** Of the listener. */
  readonly name: string;
  readonly tls: boolean;
  readonly forwarded: ForwardedOptions | undefined;
  readonly limits: TransferLimits;
  readonly services: readonly Service[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit: Audit;
}

/** Fastify's; its types know one kind of request. */
export type Route = (request: AnyIncoming, response: AnyResponse) => void;

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const HSTS = { 'strict-transport-security': 'max-age=31536000' };

const NO_REQUEST = {
  service: 'none',
  method: 'unknown',
  route: undefined,
  path: '',
  durationMs: 0,
  httpVersion: '1.1',
  bytes: 0,
} as const;

/** Stands between a listener and its services: what holds for every request, whatever becomes of it. */
export class Front {
  readonly #options: FrontOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #log: (record: RequestRecord) => void;
  readonly #underWay = new Set<Exchange>();
  #over: PromiseWithResolvers<void> | undefined;
  #draining = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#headers = options.tls ? { ...HEADERS, ...HSTS } : HEADERS;
    this.#log = requestLog(options.logger);
  }

  accept(request: AnyIncoming, response: AnyResponse, route: Route): void {
    const exchange = new Exchange(request, response, this.#peerOf(request), this.#headers);
    exchange.times = new TransferTimes(request, response, this.#options.limits, () => this.#cut(exchange));
    this.#underWay.add(exchange);
    this.#options.metrics.requestStarted(this.#options.name);
    response.once('close', () => this.#finish(exchange));
    if (this.#draining) lastOnConnection(exchange);
    const error = unacceptable(request);
    if (error) this.#answer(error, exchange);
    else route(request, response);
  }

  #peerOf(request: AnyIncoming): Peer {
    const { forwarded, metrics, name } = this.#options;
    return forwardedPeer(request, peerOf(request), forwarded, () => metrics.forwardedCertificateStripped(name));
  }

  /** Bytes that never became a request are logged and counted like one. */
  refused({ status, reason, remoteAddress, request }: Refusal): string {
    const exchange = request && findExchange(request);
    if (exchange) {
      exchange.refused(status, reason);
      return exchange.id;
    }
    const requestId = randomUUID();
    this.#options.metrics.requestStarted(this.#options.name);
    this.#observe({
      ...NO_REQUEST,
      requestId,
      listener: this.#options.name,
      status,
      remoteAddress,
      fields: { error: reason },
    });
    return requestId;
  }

  /** It takes too long. Over HTTP/2 only its stream ends; an answer that is under way cannot become another one. */
  #cut({ request, response }: Exchange): void {
    if ('stream' in request) return void request.stream.close();
    if (response.headersSent && !response.writableFinished) return void request.socket.destroy();
    refuse(new BodyTimeout(), request.socket, (refusal) => this.refused(refusal));
  }

  /** From now on each response over HTTP/1.1 is the last on its connection. */
  drain(): void {
    this.#draining = true;
    for (const exchange of this.#underWay) lastOnConnection(exchange);
  }

  /** Resolves once every request is on record. For when no more can come: the end of a request outlives its connection. */
  over(): Promise<void> {
    this.#over ??= Promise.withResolvers();
    if (this.#underWay.size === 0) this.#over.resolve();
    return this.#over.promise;
  }

  #finish(exchange: Exchange): void {
    this.#underWay.delete(exchange);
    const origin = originOf(this.#options.services, exchange);
    const record = exchange.record(this.#options.name, origin.service);
    this.#observe(record);
    this.#audit(exchange, origin, record.status);
    if (this.#underWay.size === 0) this.#over?.resolve();
  }

  #observe(record: RequestRecord): void {
    this.#options.metrics.requestFinished(record);
    this.#log(record);
  }

  /** What was refused before any route saw it, or broken off, did nothing: there is nothing to hold back. */
  #audit(exchange: Exchange, origin: Origin, status: number): void {
    const { audit } = this.#options;
    const { isExempt, isAsked, isAnswered } = exchange.audit;
    if (!audit.isEnabled || isExempt || isAsked || isAnswered) return;
    exchange.audit.isAnswered = true;
    void audit.write(responseLine(exchange, origin, { status, payload: undefined }, audit.hash));
  }

  #answer(error: AppError, exchange: Exchange): void {
    const { request, response } = exchange;
    const shape = serviceAt(this.#options.services, request.url ?? '')?.errors ?? plainErrors;
    const { status, contentType, body, retryAfter } = answerTo(error, shape, exchange, this.#options.logger);
    response.statusCode = status;
    for (const [name, value] of Object.entries(exchange.headers)) response.setHeader(name, value);
    if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
    response.setHeader('content-type', contentType);
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  }
}

/** As Node says it. */
class BodyTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

function lastOnConnection({ request, response }: Exchange): void {
  if (request.httpVersionMajor === 1 && !response.headersSent) response.setHeader('connection', 'close');
}

/** What no router should see: RFC 9112 §3.2 asks for a Host, and a method is any text in HTTP/2. */
function unacceptable({ method = '', httpVersion, headers }: AnyIncoming): AppError | undefined {
  const needsHost = httpVersion === '1.1';
  if (needsHost && headers.host === undefined) return new AppError('bad-request', 'the Host header is missing');
  if (!KNOWN_METHODS.has(method)) return new AppError('method-not-allowed', 'the method is not supported');
  return undefined;
}
