import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { withinBlocks } from '../lib/cidr.ts';
import { AppError } from '../lib/errors.ts';
import type { PathPatterns } from '../lib/path-patterns.ts';
import type { AnyIncoming, AnyResponse, Peer, RequestTracing } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import { type Audit, responseLine } from './audit/index.ts';
import { lastOnConnection } from './connection/drain.ts';
import type { ListenerOptions } from './connection/listener.ts';
import { type InFlight, RETRY_AFTER_SECONDS } from './flow-control/in-flight.ts';
import { TransferTimes } from './flow-control/transfer-times.ts';
import { breakOff, stopsReading } from './flow-control/unread-body.ts';
import type { UnsentAnswers } from './flow-control/unsent-answers.ts';
import { type Refusal, type RefusalText, refuse } from './http1/client-error.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { requestLog } from './monitoring/request-log.ts';
import { forwardedPeer } from './peer/forwarded-certificates.ts';
import { peerOf } from './peer/peer.ts';
import type { RateLimits } from './rate-limits/index.ts';
import { answerTo, plainErrors, refusalText } from './request/error-edge.ts';
import { findRequestContext, RequestContext, type RequestRecord } from './request/request-context.ts';
import type { RoutedMethods } from './request/routed-methods.ts';
import { readTarget } from './request/target.ts';

/** State that all listeners share. */
export interface ServerContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit: Audit;
  readonly inFlight: InFlight;
  /** Open event streams. */
  readonly endless: InFlight;
  readonly unsent: UnsentAnswers;
  /** Rate limits. Absent if there are none. */
  readonly rates: RateLimits | undefined;
  /** Tracing. Absent if it is disabled. */
  readonly tracing: RequestTracing | undefined;
}

/** Handler of Fastify, whose types know one kind of request. */
export type Route = (request: AnyIncoming, response: AnyResponse) => void;

/** Paths and methods of the routes behind this gate. Both may still grow. */
export interface Routes {
  readonly patterns: PathPatterns;
  readonly methods: RoutedMethods;
}

/** Placeholder for a request of which only the first line was read. */
const HTTP1 = { rawHeaders: [], httpVersion: '1.1', httpVersionMajor: 1 };

const UNROUTED = 'the method is not supported here; the header Allow names the methods of this path';
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const HSTS = { 'strict-transport-security': 'max-age=31536000' };

const NO_REQUEST = {
  service: 'none',
  method: 'unknown',
  route: undefined,
  durationMs: 0,
  isTimed: false,
  httpVersion: '1.1',
  bytes: 0,
} as const;

/** Gate between a listener and its services: applies the rules for every request. */
export class RequestGate {
  readonly #listener: ListenerOptions;
  readonly #services: readonly Service[];
  readonly #routes: Routes;
  readonly #common: ServerContext;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #log: (record: RequestRecord) => void;
  readonly #underWay = new Set<RequestContext>();
  #whenIdle: PromiseWithResolvers<void> | undefined;
  #draining = false;

  constructor(listener: ListenerOptions, services: readonly Service[], routes: Routes, common: ServerContext) {
    this.#listener = listener;
    this.#services = services;
    this.#routes = routes;
    this.#common = common;
    this.#headers = listener.tls ? { ...HEADERS, ...HSTS } : HEADERS;
    this.#log = requestLog(common.logger);
  }

  accept(request: AnyIncoming, response: AnyResponse, route: Route): void {
    const { limits } = this.#listener;
    const reading = readTarget(request, this.#services);
    const arrival = { peer: this.#peerOf(request), reading, patterns: this.#routes.patterns, headers: this.#headers };
    const context = new RequestContext(request, response, arrival);
    context.trace = this.#common.tracing?.begin(request.headers.traceparent);
    context.times = new TransferTimes(request, response, limits, () => this.#cut(context));
    context.whenEndless = () => this.#release(context);
    this.#underWay.add(context);
    this.#common.metrics.requestStarted(this.#listener.name);
    response.once('close', () => this.#finish(context));
    if (this.#draining || wantsUpgrade(request)) lastOnConnection(request, response);
    const fault = this.#routes.methods.has(request.method ?? '') ? reading.fault : this.#unrouted(reading.target.path);
    const error = this.#excess(context) ?? fault ?? this.#tooOften(context);
    const proceed = () => {
      if (isGone(request)) return;
      if (context.trace) context.trace.within(() => route(request, response));
      else route(request, response);
    };
    if (error) this.#answer(error, context);
    else this.#common.unsent.whenRoom(request, limits, proceed);
  }

  /** Registers a response that is about to be sent: its size, 0 for streams. */
  sending(context: RequestContext, bytes: number): void {
    this.#common.rates?.settle(context);
    if (stopsReading(context.request)) lastOnConnection(context.request, context.response);
    this.#common.unsent.add(context, bytes, this.#listener.limits);
  }

  /**
   * Returns 503 above the in-flight limit; health checks are exempt. A refused request is logged but not audited,
   * because no handler ran.
   */
  #excess(context: RequestContext): AppError | undefined {
    const { peer, audit, service } = context;
    context.isCounted = this.#common.inFlight.enter(peer.address, () => this.#isProxy(peer));
    if (context.isCounted) return undefined;
    if (service?.name === 'health') return undefined;
    audit.isExempt = true;
    const text = 'the server has too many requests in flight; try again later';
    return new AppError('unavailable', text, { retryAfter: RETRY_AFTER_SECONDS });
  }

  /** Returns the 405 for a method that no route of the listener takes. */
  #unrouted(path: string): AppError {
    return new AppError('method-not-allowed', UNROUTED, { allow: this.#routes.methods.at(path) });
  }

  /** Like a request above the in-flight limit. */
  #tooOften(context: RequestContext): AppError | undefined {
    const error = this.#common.rates?.excess(context, () => this.#isProxy(context.peer));
    if (error) context.audit.isExempt = true;
    return error;
  }

  /** Moves an event stream from the requests in flight to the open streams, which have their own limit. */
  #release(context: RequestContext): void {
    const { address } = context.peer;
    if (this.#draining)
      throw new AppError('unavailable', 'the server is stopping', { retryAfter: RETRY_AFTER_SECONDS });
    if (!this.#common.endless.enter(address, () => this.#isProxy(context.peer))) {
      throw new AppError('unavailable', 'too many streams are open; try again later', {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    }
    if (context.isCounted) this.#common.inFlight.leave(address);
    context.isCounted = false;
  }

  #isProxy({ address }: Peer): boolean {
    const { forwarded } = this.#listener;
    return forwarded !== undefined && withinBlocks(address, forwarded.trustedProxies);
  }

  #peerOf(request: AnyIncoming): Peer {
    const { forwarded, name } = this.#listener;
    const stripped = () => this.#common.metrics.forwardedCertificateStripped(name);
    return forwardedPeer(request, peerOf(request), forwarded, stripped);
  }

  /** Logs and counts bytes that never became a request like a request. */
  refused({ status, reason, remoteAddress, request, target }: Refusal): RefusalText {
    const context = request && findRequestContext(request);
    if (context) {
      context.refused(status, reason);
      return refusalText(status, context.service?.errors ?? plainErrors, context.id);
    }
    const requestId = randomUUID();
    this.#common.metrics.requestStarted(this.#listener.name);
    this.#observe({
      ...NO_REQUEST,
      requestId,
      listener: this.#listener.name,
      status,
      remoteAddress,
      fields: { error: reason },
    });
    if (target === undefined) return refusalText(status, plainErrors, requestId);
    const { target: read, service } = readTarget({ ...HTTP1, headers: {}, url: target }, this.#services);
    const error = this.#unrouted(read.path);
    return { ...refusalText(status, service?.errors ?? plainErrors, requestId, error), allow: error.allow };
  }

  /** Ends a slow request: with 408, or by aborting a response in progress. */
  #cut(context: RequestContext): void {
    const { request, response } = context;
    if ('stream' in request) {
      if (!response.headersSent) this.#timeOut(context);
      else breakOff(request.stream);
    } else if (response.headersSent && !response.writableFinished) request.socket.destroy();
    else refuse(new BodyTimeout(), request.socket, (refusal) => this.refused(refusal));
  }

  /** Returns 408 over HTTP/2, where only the stream ends. */
  #timeOut(context: RequestContext): void {
    const status = 408;
    context.refused(status, new BodyTimeout().code);
    const { contentType, body } = refusalText(status, context.service?.errors ?? plainErrors, context.id);
    this.#send(context, status, { 'content-type': contentType }, body);
  }

  /** Closes each connection after its next response. */
  drain(): void {
    this.#draining = true;
    for (const { request, response, end } of this.#underWay) {
      lastOnConnection(request, response);
      end?.();
    }
  }

  /**
   * Resolves when all requests are audited. Call it after the last connection closed, because a request may outlive
   * its connection.
   */
  over(): Promise<void> {
    this.#whenIdle ??= Promise.withResolvers();
    if (this.#underWay.size === 0) this.#whenIdle.resolve();
    return this.#whenIdle.promise;
  }

  #finish(context: RequestContext): void {
    this.#underWay.delete(context);
    if (context.isCounted) this.#common.inFlight.leave(context.peer.address);
    if (context.end) this.#common.endless.leave(context.peer.address);
    this.#common.unsent.remove(context);
    this.#common.rates?.requestFinished(context);
    const record = context.record(this.#listener.name);
    this.#observe(record);
    context.trace?.end(record);
    this.#audit(context, record.status);
    if (this.#underWay.size === 0) this.#whenIdle?.resolve();
  }

  #observe(record: RequestRecord): void {
    this.#common.metrics.requestFinished(record);
    this.#log(record);
  }

  /**
   * Requests that were refused before routing or aborted changed nothing, so their response need not wait for the
   * audit log.
   */
  #audit(context: RequestContext, status: number): void {
    const { audit } = this.#common;
    const { isExempt, isAsked, isAnswered } = context.audit;
    if (!audit.isEnabled || isExempt || isAsked || isAnswered) return;
    context.audit.isAnswered = true;
    void audit.write(responseLine(context, { status, payload: undefined }, audit.hash));
  }

  #answer(error: AppError, context: RequestContext): void {
    const shape = context.service?.errors ?? plainErrors;
    const { status, body, headers } = answerTo(error, shape, context, this.#common.logger);
    this.#send(context, status, headers, body);
  }

  #send(context: RequestContext, status: number, headers: Readonly<Record<string, string>>, body: string): void {
    const { response } = context;
    response.statusCode = status;
    for (const [name, value] of Object.entries({ ...context.headers, ...headers })) response.setHeader(name, value);
    response.setHeader('content-length', Buffer.byteLength(body));
    this.sending(context, Buffer.byteLength(body));
    response.end(body);
  }
}

/** Version as Node.js reports it. */
class BodyTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** The client disconnected while the request waited. */
function isGone(request: AnyIncoming): boolean {
  return 'stream' in request ? request.stream.destroyed : request.socket.destroyed;
}

/** The server supports no upgrades, but Node.js's parser treats bytes after such a request as another protocol. */
function wantsUpgrade({ headers }: AnyIncoming): boolean {
  return headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '');
}
