import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { PathPatterns } from '../../lib/path-patterns.ts';
import type { AnyIncoming, AnyResponse, Peer, RequestEvent, RequestTrace, Target } from '../../lib/request.ts';
import type { Service } from '../../lib/service.ts';
import type { Reading } from './target.ts';

/** What is known of a request once it is over; logs, metrics and the audit record are made of it. */
export interface RequestRecord {
  readonly requestId: string;
  readonly listener: string;
  /** `none` where no service is mounted. */
  readonly service: string;
  readonly method: string;
  /** The pattern: `/v1/auth/cert/certs/:name`. Undefined when no route matched. */
  readonly route: string | undefined;
  /** 499 when the client went away before it was answered. */
  readonly status: number;
  readonly durationMs: number;
  /** Whether that is the time of the server: neither that of large content nor that of a client who wanted to wait. */
  readonly isTimed: boolean;
  readonly remoteAddress: string;
  readonly httpVersion: string;
  /** Of the response's body. */
  readonly bytes: number;
  /** Undefined where it is part of none. */
  readonly traceId?: string | undefined;
  /** What handlers added. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What is known of a request before anybody looks into it. */
export interface Arrival {
  readonly peer: Peer;
  readonly reading: Reading;
  /** Of every path that is answered. */
  readonly patterns: PathPatterns;
  /** Of every response, whatever it says. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The time that the content of a request and of its answer may take. */
export interface ContentTime {
  /** Large content passes. */
  extend(): void;
}

/** How far the audit record of a request has come. */
export interface AuditState {
  isExempt: boolean;
  /** It is about to be carried out. */
  isAsked: boolean;
  /** The line of the request, where it waits for that of the answer. */
  held?: string;
  /** The request is not on record, and so it was not carried out. */
  isRefused: boolean;
  /** What is answered, as an object. */
  payload?: unknown;
  /** The answer was written down, or could not be. */
  isAnswered: boolean;
}

const CLIENT_CLOSED_REQUEST = 499;
const key = Symbol('request context');
type WithContext = AnyIncoming & { [key]?: RequestContext };

/** A request and its response while they are under way. */
export class RequestContext implements RequestEvent {
  readonly id = randomUUID();
  readonly peer: Peer;
  readonly target: Target;
  /** Undefined where none is mounted. */
  readonly service: Service | undefined;
  readonly request: AnyIncoming;
  readonly response: AnyResponse;
  /** Of every response, whatever it says. */
  headers: Readonly<Record<string, string>>;
  /** Fastify's view of the response, once it has one. */
  reply: FastifyReply | undefined;
  times: ContentTime | undefined;
  trace: RequestTrace | undefined;
  /** Large content passes. */
  isTransfer = false;
  #isPatient = false;
  /** Among the requests in flight, of which there is a bound. */
  isCounted = false;
  /** Ends an answer that has no end of its own. */
  end: (() => void) | undefined;
  /** Told when the answer turns out to be such a one. */
  whenEndless: () => void = () => {};
  /** The pattern of the route that matched. */
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

  /** To those of the response, whatever it says. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.headers = { ...this.headers, ...headers };
    this.reply?.headers(headers);
  }

  /** What handlers added. */
  get fields(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }

  /** For each part of the path whether it may be shown in a record. */
  get shown(): readonly boolean[] {
    this.#shown ??= this.#patterns.shown(this.target.parts);
    return this.#shown;
  }

  /** The body turned out not to be HTTP: the connection was answered in place of the request. */
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

/** Undefined for a request that was refused before it was looked at. */
export function findRequestContext(request: WithContext): RequestContext | undefined {
  return request[key];
}

/** The context that a request belongs to; every request that reaches a handler has one. */
export function requestContextOf(request: AnyIncoming): RequestContext {
  const context = findRequestContext(request);
  if (!context) throw new Error('a request that came in by no listener');
  return context;
}
