import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { PathPatterns } from '../../lib/path-patterns.ts';
import type { AnyIncoming, AnyResponse, Peer, RequestEvent, RequestTrace, Target } from '../../lib/request.ts';
import type { Service } from '../../lib/service.ts';
import type { Reading } from './target.ts';

/** Facts about a finished request for logs, metrics and the audit log. */
export interface RequestRecord {
  readonly requestId: string;
  readonly listener: string;
  /** Service name. `none` without a service. */
  readonly service: string;
  readonly method: string;
  /** Route pattern such as `/v1/auth/cert/certs/:name`. Undefined if no route matched. */
  readonly route: string | undefined;
  /** Status. 499 if the client disconnected before the response. */
  readonly status: number;
  readonly durationMs: number;
  /** Whether the duration is the server's: neither a large transfer nor a long poll. */
  readonly isTimed: boolean;
  readonly remoteAddress: string;
  readonly httpVersion: string;
  /** Size of the response body. */
  readonly bytes: number;
  /** Trace ID. Undefined without a trace. */
  readonly traceId?: string | undefined;
  /** Details from handlers. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Facts about a request before routing. */
export interface Arrival {
  readonly peer: Peer;
  readonly reading: Reading;
  /** Route patterns of all paths. */
  readonly patterns: PathPatterns;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Timeouts of the request body and the response. */
export interface ContentTime {
  /** Marks a large transfer. */
  extend(): void;
}

/** Progress of auditing a request. */
export interface AuditState {
  isExempt: boolean;
  /** The handler is about to run. */
  isAsked: boolean;
  /** Request entry that waits for the response entry. */
  held?: string;
  /** The request could not be audited, so its handler did not run. */
  isRefused: boolean;
  /** Response body as an object. */
  payload?: unknown;
  /** The response was audited, or could not be. */
  isAnswered: boolean;
}

const CLIENT_CLOSED_REQUEST = 499;
const key = Symbol('request context');
type WithContext = AnyIncoming & { [key]?: RequestContext };

/** Context of a request in progress. */
export class RequestContext implements RequestEvent {
  readonly id = randomUUID();
  readonly peer: Peer;
  readonly target: Target;
  /** Undefined without a service. */
  readonly service: Service | undefined;
  readonly request: AnyIncoming;
  readonly response: AnyResponse;
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
  /** Fastify's reply, when it exists. */
  reply: FastifyReply | undefined;
  times: ContentTime | undefined;
  trace: RequestTrace | undefined;
  /** Marks a large transfer. */
  isTransfer = false;
  #isPatient = false;
  /** Slot in the in-flight limit. */
  isCounted = false;
  /** Ends an event stream. */
  end: (() => void) | undefined;
  /** Called when the response becomes an event stream. */
  whenEndless: () => void = () => {};
  /** Pattern of the matched route. */
  route: string | undefined;
  readonly audit: AuditState = { isExempt: false, isAsked: false, isRefused: false, isAnswered: false };
  #refusedWith: number | undefined;
  readonly #patterns: PathPatterns;
  #shown: readonly boolean[] | undefined;
  readonly #started = performance.now();
  readonly #fields: Record<string, unknown> = {};

  constructor(request: WithContext, response: AnyResponse, { peer, reading, patterns, headers }: Arrival) {
    this.peer = peer;
    this.target = reading.target;
    this.service = reading.service;
    this.#patterns = patterns;
    this.response = response;
    this.headers = { ...headers, 'x-request-id': this.id };
    this.request = request;
    request[key] = this;
  }

  add(fields: Readonly<Record<string, unknown>>): void {
    Object.assign(this.#fields, fields);
  }

  setRoute(route: string): void {
    this.route = route;
  }

  showPath(shown: readonly boolean[]): void {
    this.#shown = shown;
  }

  unaudited(): void {
    this.audit.isExempt = true;
  }

  transfers(): void {
    this.isTransfer = true;
    this.times?.extend();
  }

  waits(): void {
    this.#isPatient = true;
  }

  endless(end: () => void): void {
    this.whenEndless();
    this.isTransfer = true;
    this.end = end;
  }

  /** Adds a header to every response. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.headers = { ...this.headers, ...headers };
    this.reply?.headers(headers);
  }

  /** Details from handlers. */
  get fields(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }

  /** Whether each path part may be shown in the audit log. */
  get shown(): readonly boolean[] {
    this.#shown ??= this.#patterns.shown(this.target.parts);
    return this.#shown;
  }

  /** The body was not valid HTTP, and the connection got an error response. */
  refused(status: number, reason: string): void {
    this.#refusedWith = status;
    this.add({ error: reason });
  }

  record(listener: string): RequestRecord {
    const { request, response } = this;
    const length = (this.reply ?? response).getHeader('content-length');
    return {
      requestId: this.id,
      listener,
      service: this.service?.name ?? 'none',
      method: request.method ?? '',
      route: this.route,
      status: this.#refusedWith ?? (response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST),
      durationMs: performance.now() - this.#started,
      isTimed: !this.isTransfer && !this.#isPatient,
      remoteAddress: this.peer.address,
      httpVersion: request.httpVersion,
      bytes: Number(length ?? 0),
      traceId: this.trace?.traceId,
      fields: this.#fields,
    };
  }
}

/** Undefined for a request that was refused before routing. */
export function findRequestContext(request: WithContext): RequestContext | undefined {
  return request[key];
}

/** Returns the context of a request. Every request that reaches a handler has one. */
export function requestContextOf(request: AnyIncoming): RequestContext {
  const context = findRequestContext(request);
  if (!context) throw new Error('a request without a listener');
  return context;
}
