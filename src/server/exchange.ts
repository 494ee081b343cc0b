import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { AnyIncoming, Peer, RequestEvent } from '../lib/request.ts';
import type { AnyResponse } from './listener.ts';
import type { TransferTimes } from './transfer-times.ts';

/** What is known of a request once it is over; logs, metrics and the audit record are made of it. */
export interface RequestRecord {
  readonly requestId: string;
  readonly listener: string;
  /** `none` where no service is mounted. */
  readonly service: string;
  readonly method: string;
  /** The pattern: `/v1/auth/cert/certs/:name`. Undefined when no route matched. */
  readonly route: string | undefined;
  /** As the client sent it, without the query. */
  readonly path: string;
  /** 499 when the client went away before it was answered. */
  readonly status: number;
  readonly durationMs: number;
  readonly remoteAddress: string;
  readonly httpVersion: string;
  /** Of the response's body. */
  readonly bytes: number;
  /** What handlers added. */
  readonly fields: Readonly<Record<string, unknown>>;
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
const key = Symbol('exchange');
type WithExchange = AnyIncoming & { [key]?: Exchange };

/** A request and its response while they are under way. */
export class Exchange implements RequestEvent {
  readonly id = randomUUID();
  readonly peer: Peer;
  readonly request: AnyIncoming;
  readonly response: AnyResponse;
  /** Of every response, whatever it says. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fastify's view of the response, once it has one. */
  reply: FastifyReply | undefined;
  times: TransferTimes | undefined;
  /** Large content passes. */
  isTransfer = false;
  /** The pattern of the route that matched. */
  route: string | undefined;
  readonly audit: AuditState = { isExempt: false, isAsked: false, isRefused: false, isAnswered: false };
  #refusedWith: number | undefined;
  readonly #started = performance.now();
  readonly #fields: Record<string, unknown> = {};

  constructor(request: WithExchange, response: AnyResponse, peer: Peer, headers: Readonly<Record<string, string>>) {
    this.peer = peer;
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

  unaudited(): void {
    this.audit.isExempt = true;
  }

  transfers(): void {
    this.isTransfer = true;
    this.times?.extend();
  }

  /** What handlers added. */
  get fields(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }

  /** As the client sent it, without the query. */
  get path(): string {
    return pathOf(this.request);
  }

  /** The body turned out not to be HTTP: the connection was answered in place of the request. */
  refused(status: number, reason: string): void {
    this.#refusedWith = status;
    this.add({ error: reason });
  }

  record(listener: string, service: string): RequestRecord {
    const { request, response } = this;
    const length = (this.reply ?? response).getHeader('content-length');
    return {
      requestId: this.id,
      listener,
      service,
      method: request.method ?? '',
      route: this.route,
      path: this.path,
      status: this.#refusedWith ?? (response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST),
      durationMs: performance.now() - this.#started,
      remoteAddress: this.peer.address,
      httpVersion: request.httpVersion,
      bytes: Number(length ?? 0),
      fields: this.#fields,
    };
  }
}

/** Undefined for a request that was refused before it was looked at. */
export function findExchange(request: WithExchange): Exchange | undefined {
  return request[key];
}

/** The exchange that a request belongs to; every request that reaches a handler has one. */
export function exchangeOf(request: AnyIncoming): Exchange {
  const exchange = findExchange(request);
  if (!exchange) throw new Error('a request that came in by no listener');
  return exchange;
}

function pathOf(request: AnyIncoming): string {
  const url = request.url ?? '';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
