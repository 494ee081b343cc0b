import type { RequestContext } from '../request/request-context.ts';
import { type Hash, redact, resourcesOf, shownPath } from './redact.ts';

/** Fields of a request entry. */
export interface Asked {
  readonly query: unknown;
  readonly body: unknown;
}

/** Fields of a response entry. */
export interface Answered {
  readonly status: number;
  /** Response body as an object. Undefined for an empty response, a text or a stream. */
  readonly payload: unknown;
}

/**
 * Maximum size of an entry, bytes. Longer parts are left out. A datagram holds twice as much.
 * @limit audit entry, bytes -> its long parts are left out and marked
 */
const MAX_LINE = 32_768;
/**
 * Maximum length of a text in an entry that was too long, characters.
 * @limit one text in an audit entry that exceeds the maximum size, characters -> the text is cut
 */
const MAX_CUT = 400;
/** Response details from handlers, without the caller. */
const OUTCOME = ['error_kind', 'error', 'role', 'login_accessor', 'verdicts', 'ended_sessions', 'ended_of'];

/** Builds the entry of a request. */
export function requestLine(context: RequestContext, asked: Asked, hash: Hash): string {
  const { query, body } = asked;
  return line({
    ...common('request', context, hash),
    ...(isFilled(query) && { query: redact(query, hash, false) }),
    ...(body != null && { request: redact(body, hash, isJsonApi(context)) }),
  });
}

/** Builds the entry of a response. Requests refused before routing have only this entry. */
export function responseLine(context: RequestContext, answered: Answered, hash: Hash): string {
  const { status, payload } = answered;
  const response = isJsonApi(context) ? resourcesOf(payload) : redact(payload, hash, false);
  const { fields } = context;
  return line({
    ...common('response', context, hash),
    status,
    ...Object.fromEntries(OUTCOME.filter((name) => name in fields).map((name) => [name, fields[name]])),
    ...(response !== undefined && { response }),
  });
}

/** Test entry for a sink, used while no requests arrive. */
export function testLine(): string {
  return `${JSON.stringify({ time: new Date().toISOString(), type: 'test' })}\n`;
}

/** In JSON:API an `id` is not secret, and a response is described by its resources. */
const isJsonApi = ({ service }: RequestContext): boolean => service?.jsonApi ?? false;

function common(type: 'request' | 'response', context: RequestContext, hash: Hash) {
  const entry: Record<string, unknown> = {
    time: new Date().toISOString(),
    type,
    request_id: context.id,
    ...(context.trace && { trace_id: context.trace.traceId }),
    service: context.service?.name ?? 'none',
    method: context.request.method,
    path: shownPath(context, hash),
    remote_address: context.peer.address,
  };
  for (const [name, value] of Object.entries(context.fields)) if (name.startsWith('actor')) entry[name] = value;
  return entry;
}

function line(entry: Record<string, unknown>): string {
  const text = `${JSON.stringify(entry)}\n`;
  if (Buffer.byteLength(text) <= MAX_LINE) return text;
  return `${JSON.stringify({ ...cut(entry), truncated: true })}\n`;
}

/** Shortens texts and keeps numbers and booleans. Drops objects and lists. */
function cut(entry: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_CUT) : value);
  const flat = Object.entries(entry).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(flat.map(([name, value]) => [name, short(value)]));
}

function isFilled(query: unknown): boolean {
  return typeof query === 'object' && query !== null && Object.keys(query).length > 0;
}
